// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64:iota --arg buf:i32:64
// a barrier between fill and use
__global__ void k(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t];
}
