// expect: UNINIT line 7
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:4
// shared memory starts with anything
__global__ void k(const int *in, int *out) {
  __shared__ int bins[4];
  int t = threadIdx.x;
  atomicAdd(&bins[in[t] % 4], 1);
  __syncthreads();
  if (t < 4) out[t] = bins[t];
}
