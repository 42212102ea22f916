// expect: WRONG
// The largest and the smallest are taken from the running sums instead of from the numbers.
#define FULL 0xffffffffu

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 16; step > 0; step /= 2) {
    int other = __shfl_xor_sync(FULL, total, step);
    high = max(high, other);
    low = min(low, other);
    total += other;
  }

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
