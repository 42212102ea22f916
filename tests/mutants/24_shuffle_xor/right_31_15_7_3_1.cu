// expect: PASS
// Right, though it looks like a mistake: steps 31, 15, 7, 3, 1 flip several bits at a time. In
// binary none of them is an xor of others, so their combinations still reach each lane exactly
// once.
#define FULL 0xffffffffu

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 31; step > 0; step /= 2) {
    total += __shfl_xor_sync(FULL, total, step);
    high = max(high, __shfl_xor_sync(FULL, high, step));
    low = min(low, __shfl_xor_sync(FULL, low, step));
  }

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
