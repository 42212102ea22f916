// expect: PASS
// Right: the butterfly of shuffles, which also works on hardware without redux.
#define FULL 0xffffffffu

__global__ void till(const int *in, const unsigned *flags, int *total, int *largest,
                     unsigned *kinds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int paid = 0;
  unsigned bought = 0;
  if (i < n) {
    paid = in[i];
    bought = flags[i];
  }

  int sum = paid;
  int high = paid;
  unsigned bits = bought;
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(FULL, sum, step);
    high = max(high, __shfl_xor_sync(FULL, high, step));
    bits |= __shfl_xor_sync(FULL, bits, step);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(total, sum);
    atomicMax(largest, high);
    atomicOr(kinds, bits);
  }
}
