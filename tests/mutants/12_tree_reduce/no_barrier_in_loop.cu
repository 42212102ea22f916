// expect: RACE line 15
// Why: step k reads sums that other threads wrote in step k - 1, and only the fill is parted from
// the steps.

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int width = blockDim.x; width > 1; width = (width + 1) / 2) {
    int half = (width + 1) / 2;
    if (t + half < width) sum[t] += sum[t + half];
  }

  if (t == 0) out[blockIdx.x] = sum[0];
}
