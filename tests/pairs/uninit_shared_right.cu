// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:4
// zeroed first
__global__ void k(const int *in, int *out) {
  __shared__ int bins[4];
  int t = threadIdx.x;
  if (t < 4) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[in[t] % 4], 1);
  __syncthreads();
  if (t < 4) out[t] = bins[t];
}
