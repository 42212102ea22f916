// expect: RACE line 21
// Why: the old trick that the last 32 threads are one warp and need no barrier. The lanes of a
// warp do not move in step: in the step of 8 lane 0 reads cell 8, which lane 8 wrote in the step
// of 16, and nothing orders the two.

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  int width = blockDim.x;
  for (; width > 32; width = (width + 1) / 2) {
    int half = (width + 1) / 2;
    if (t + half < width) sum[t] += sum[t + half];
    __syncthreads();
  }
  for (int step = 16; step > 0; step /= 2)
    if (t < 32 && t + step < width) sum[t] += sum[t + step];

  if (t == 0) out[blockIdx.x] = sum[0];
}
