// expect: WRONG
// 31 is the mask of all lane bits, mistaken for a step: every step meets the same partner, whose
// sum it then has already and adds again. The other 30 lanes are never heard.
#define FULL 0xffffffffu

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 0; step < 5; step++) {
    total += __shfl_xor_sync(FULL, total, 31);
    high = max(high, __shfl_xor_sync(FULL, high, 31));
    low = min(low, __shfl_xor_sync(FULL, low, 31));
  }

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
