// expect: WRONG
// Why: the neutral elements are right, but the first step is missing: the upper half of the warp
// is never added.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void reduce(const int *in, int *sum, int *largest, int *smallest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;

  int total = 0;
  int high = -2147483647 - 1;
  int low = 2147483647;
  if (i < n) total = high = low = in[i];

  for (int step = 8; step > 0; step /= 2) {
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
