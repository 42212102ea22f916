// expect: PASS
// Right: for the largest and the smallest a number that is there anyway is neutral: the lanes
// without a number bring a copy of the last one. Only the sum needs a 0.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void reduce(const int *in, int *sum, int *largest, int *smallest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;

  int x = in[min(i, n - 1)];
  int total = i < n ? x : 0;
  int high = x;
  int low = x;

  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_down_sync(FULL, total, step);
    high = max(high, __shfl_down_sync(FULL, high, step));
    low = min(low, __shfl_down_sync(FULL, low, step));
  }

  if (lane == 0 && i < n) {
    sum[i / 32] = total;
    largest[i / 32] = high;
    smallest[i / 32] = low;
  }
}
