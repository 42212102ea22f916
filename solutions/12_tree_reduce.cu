// 12 - Tree reduce: reference answer

__global__ void block_sums(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  sum[t] = i < n ? in[i] : 0;
  __syncthreads();

  // width is the number of sums that are left. It depends on blockDim.x alone, so all threads
  // take the same turns and meet at the same barriers, whether they add or not.
  for (int width = blockDim.x; width > 1;) {
    int half = (width + 1) / 2; // rounded up: with an odd width the middle one keeps its sum

    // In a step, cells below half are written by their own thread only, and cells from half on
    // are only read: no two threads meet in a cell.
    if (t + half < width) sum[t] += sum[t + half];
    // The next step reads what other threads wrote in this one. Outside the if: all threads must
    // come.
    __syncthreads();
    width = half;
  }

  if (t == 0) out[blockIdx.x] = sum[0];
}
