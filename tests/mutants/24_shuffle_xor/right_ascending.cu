// expect: PASS
// Right: the order of the five steps does not matter.
#define FULL 0xffffffffu

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 1; step < 32; step *= 2) {
    total += __shfl_xor_sync(FULL, total, step);
    high = max(high, __shfl_xor_sync(FULL, high, step));
    low = min(low, __shfl_xor_sync(FULL, low, step));
  }

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
