// expect: RULE
// Thread 0 finds all running totals of the block.

__global__ void block_scan(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t == 0 && d == 1)
      for (int k = 1; k < blockDim.x; k++) sum[k] += sum[k - 1];
    __syncthreads();
  }

  if (i < n) out[i] = sum[t];
}
