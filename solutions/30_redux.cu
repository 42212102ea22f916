// 30_redux - a reference answer.
//
// All 32 lanes of each warp run the three calls, as the full mask promises. A lane past the end of
// the data brings 0, which is neutral for all three: it adds nothing, is not larger than any
// payment, and has no bits.
//
// Afterwards every lane has the results, so exactly one of them reports. Each atomic operation
// still meets those of other warps, which is why it has to be atomic.
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
  unsigned bits = __reduce_or_sync(FULL, bought);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(total, sum);
    atomicMax(largest, high);
    atomicOr(kinds, bits);
  }
}
