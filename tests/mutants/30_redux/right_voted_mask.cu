// expect: PASS
// Right: all lanes vote who has a customer, and the calls name just those. Lane 0 is among them
// whenever anybody is.
#define FULL 0xffffffffu

__global__ void till(const int *in, const unsigned *flags, int *total, int *largest,
                     unsigned *kinds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned present = __ballot_sync(FULL, i < n);

  if (i < n) {
    int sum = __reduce_add_sync(present, in[i]);
    int high = __reduce_max_sync(present, in[i]);
    unsigned bits = __reduce_or_sync(present, flags[i]);
    if (threadIdx.x % 32 == 0) {
      atomicAdd(total, sum);
      atomicMax(largest, high);
      atomicOr(kinds, bits);
    }
  }
}
