// expect: DEADLOCK
// Why: a lane that has seen all of its window leaves the loop, and is missing at the next shuffle.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void smooth(const int *in, int *out, int *high, int n, int width, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int sum = x, count = 1; // the own reading

  for (int k = 1; k < width; k++) {
    int got = __shfl_down_sync(FULL, x, k);
    if (lane + k >= 32 || i + k >= n) break;
    sum += got;
    count++;
  }

  int average = sum / count;
  if (i < n) out[i] = average;
  int above = __syncthreads_count(i < n && average > limit);
  if (threadIdx.x == 0) high[blockIdx.x] = above;
}
