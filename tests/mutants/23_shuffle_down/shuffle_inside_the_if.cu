// expect: DEADLOCK
// Why: the last lanes have nobody to ask, skip the shuffle and wait at the barrier of the block;
// the others wait for them in the shuffle.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void smooth(const int *in, int *out, int *high, int n, int width, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int sum = x, count = 1; // the own reading

  for (int k = 1; k < width; k++) {
    if (lane + k < 32 && i + k < n) {
      sum += __shfl_down_sync(FULL, x, k);
      count++;
    }
  }

  int average = sum / count;
  if (i < n) out[i] = average;
  int above = __syncthreads_count(i < n && average > limit);
  if (threadIdx.x == 0) high[blockIdx.x] = above;
}
