// expect: UNINIT
// Why: the mask names who is still here, so nobody is waited for; but the tree still asks the
// lanes that have ended, and what comes from there is undefined.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void reduce(const int *in, int *sum, int *largest, int *smallest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;

  if (i >= n) return;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  unsigned here = __activemask();
  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_down_sync(here, total, step);
    high = max(high, __shfl_down_sync(here, high, step));
    low = min(low, __shfl_down_sync(here, low, step));
  }

  if (lane == 0) {
    sum[i / 32] = total;
    largest[i / 32] = high;
    smallest[i / 32] = low;
  }
}
