// expect: PASS
// Right: it need not be the same lane that reports all three.
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
  int lane = threadIdx.x % 32;
  if (lane == 31) atomicAdd(total, sum);
  if (lane == 30) atomicMax(largest, high);
  if (lane == 7) atomicOr(kinds, bits);
}
