// expect: BARRIER
// Why: only those that add wait. The others run through the loop and leave the kernel, and those
// that wait do so for ever. (No race: they wait in the very first step.)

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int width = blockDim.x; width > 1; width = (width + 1) / 2) {
    int half = (width + 1) / 2;
    if (t + half < width) {
      sum[t] += sum[t + half];
      __syncthreads();
    }
  }

  if (t == 0) out[blockIdx.x] = sum[0];
}
