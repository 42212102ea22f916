// expect: WRONG
// Every lane has the results, but only lane 0 writes them: the other elements are never written.
#define FULL 0xffffffffu

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_xor_sync(FULL, total, step);
    high = max(high, __shfl_xor_sync(FULL, high, step));
    low = min(low, __shfl_xor_sync(FULL, low, step));
  }

  if (threadIdx.x % 32 != 0) return;
  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
