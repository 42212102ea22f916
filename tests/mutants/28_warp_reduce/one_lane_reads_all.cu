// expect: RULE
// Why: right, but lane 0 does all the work alone, and the other 31 look on.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void reduce(const int *in, int *sum, int *largest, int *smallest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;

  if (lane != 0 || i >= n) return;
  int total = 0, high = in[i], low = in[i];
  for (int k = i; k < i + 32 && k < n; k++) {
    total += in[k];
    high = max(high, in[k]);
    low = min(low, in[k]);
  }
  if (lane == 0) {
    sum[i / 32] = total;
    largest[i / 32] = high;
    smallest[i / 32] = low;
  }
}
