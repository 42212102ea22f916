// expect: RULE
// Why: right, but reading and writing need not be parted within a step: no cell is both read by
// one thread and written by another in it.

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int width = blockDim.x; width > 1; width = (width + 1) / 2) {
    int half = (width + 1) / 2;
    int more = t + half < width ? sum[t + half] : 0;
    __syncthreads();
    if (t < half) sum[t] += more;
    __syncthreads();
  }

  if (t == 0) out[blockIdx.x] = sum[0];
}
