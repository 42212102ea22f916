// expect: RULE
// Right values: lane 0 tells the others. But that is a sixth shuffle for each value, 18 instead
// of 15.
#define FULL 0xffffffffu

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_down_sync(FULL, total, step);
    high = max(high, __shfl_down_sync(FULL, high, step));
    low = min(low, __shfl_down_sync(FULL, low, step));
  }
  total = __shfl_sync(FULL, total, 0);
  high = __shfl_sync(FULL, high, 0);
  low = __shfl_sync(FULL, low, 0);

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
