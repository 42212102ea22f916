// expect: WRONG
// A kind that an even number of customers of the warp bought cancels itself out.
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

  int sum = __reduce_add_sync(FULL, paid);
  int high = __reduce_max_sync(FULL, paid);
  unsigned bits = __reduce_xor_sync(FULL, bought);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(total, sum);
    atomicMax(largest, high);
    atomicOr(kinds, bits);
  }
}
