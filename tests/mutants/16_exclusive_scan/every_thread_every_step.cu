// expect: RULE
// Why: the scan of puzzle 15 on items moved by one. The values are right; with 10 steps it makes
// 10 additions for each item instead of 2.

__global__ void exclusive_scan(const int *in, int *out, int n) {
  __shared__ int sum[2][1024];
  int t = threadIdx.x;
  int size = 2 * blockDim.x;
  int first = blockIdx.x * size;

  int now = 0;
  for (int k = t; k < size; k += blockDim.x)
    sum[0][k] = k > 0 && first + k - 1 < n ? in[first + k - 1] : 0;
  __syncthreads();
  for (int d = 1; d < size; d *= 2) {
    for (int k = t; k < size; k += blockDim.x)
      sum[1 - now][k] = sum[now][k] + (k >= d ? sum[now][k - d] : 0);
    now = 1 - now;
    __syncthreads();
  }

  for (int k = t; k < size; k += blockDim.x)
    if (first + k < n) out[first + k] = sum[now][k];
}
