// expect: PASS
// Right: the readings walk down one lane at a time. What a lane past its edge gets is a copy of
// the last reading, and is not counted.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void smooth(const int *in, int *out, int *high, int n, int width, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int sum = x, count = 1; // the own reading

  int got = x;
  for (int k = 1; k < width; k++) {
    got = __shfl_down_sync(FULL, got, 1);
    if (lane + k < 32 && i + k < n) {
      sum += got;
      count++;
    }
  }

  int average = sum / count;
  if (i < n) out[i] = average;
  int above = __syncthreads_count(i < n && average > limit);
  if (threadIdx.x == 0) high[blockIdx.x] = above;
}
