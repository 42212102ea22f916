// expect: UNINIT
// Why: the mask is right, it comes from a vote, and only its lanes run the shuffles. But lane 0
// still asks lane 16, which is not among them.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void reduce(const int *in, int *sum, int *largest, int *smallest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;

  unsigned with = __ballot_sync(FULL, i < n);
  if (i >= n) return;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_down_sync(with, total, step);
    high = max(high, __shfl_down_sync(with, high, step));
    low = min(low, __shfl_down_sync(with, low, step));
  }

  if (lane == 0) {
    sum[i / 32] = total;
    largest[i / 32] = high;
    smallest[i / 32] = low;
  }
}
