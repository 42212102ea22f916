// expect: PASS
// Why: starts from the largest power of two below the block size, so that only the first step has
// threads without a partner. The barrier on top of a step also parts the fill from it; the last
// step needs none behind it, since thread 0 wrote sum[0] itself.

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  int half = 1;

  sum[t] = i < n ? in[i] : 0;
  while (2 * half < blockDim.x) half *= 2;
  for (; half > 0; half /= 2) {
    __syncthreads();
    if (t < half && t + half < blockDim.x) sum[t] += sum[t + half];
  }

  if (t == 0) out[blockIdx.x] = sum[0];
}
