// expect: WRONG
// The loop stops at 2: bit 0 of the lane number is never flipped, so even lanes know the even
// half and odd lanes the odd half.
#define FULL 0xffffffffu

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 16; step > 1; step /= 2) {
    total += __shfl_xor_sync(FULL, total, step);
    high = max(high, __shfl_xor_sync(FULL, high, step));
    low = min(low, __shfl_xor_sync(FULL, low, step));
  }

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
