// expect: PASS
// Right: only lanes with a number run the shuffles, a vote of all of them made the mask, and
// nobody uses what comes from a lane past the data.

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
    int t = __shfl_down_sync(with, total, step);
    int h = __shfl_down_sync(with, high, step);
    int l = __shfl_down_sync(with, low, step);
    if (i + step < n) {
      total += t;
      high = max(high, h);
      low = min(low, l);
    }
  }

  if (lane == 0) {
    sum[i / 32] = total;
    largest[i / 32] = high;
    smallest[i / 32] = low;
  }
}
