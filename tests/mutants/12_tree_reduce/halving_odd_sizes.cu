// expect: WRONG
// Why: half of 31 is 15, and the last cell of an odd width is never added. Right only for powers
// of two.

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sum[t] += sum[t + half];
    __syncthreads();
  }

  if (t == 0) out[blockIdx.x] = sum[0];
}
