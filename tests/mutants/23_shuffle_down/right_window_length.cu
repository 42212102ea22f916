// expect: PASS
// Right: each lane first finds out how long its window is. The loop still has the same number of
// trips for all.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void smooth(const int *in, int *out, int *high, int n, int width, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int sum = x, count = 1; // the own reading

  int length = min(width, min(32 - lane, n - i));
  for (int k = 1; k < width; k++) {
    int got = __shfl_down_sync(FULL, x, k);
    sum += k < length ? got : 0;
  }
  count = max(length, 1);

  int average = sum / count;
  if (i < n) out[i] = average;
  int above = __syncthreads_count(i < n && average > limit);
  if (threadIdx.x == 0) high[blockIdx.x] = above;
}
