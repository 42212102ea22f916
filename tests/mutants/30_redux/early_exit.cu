// expect: DEADLOCK
// Lanes past the end of the data leave before the calls that name them. (The table of puzzles also
// allows TRAP; nobody calls with a mask that lacks itself here, so it is DEADLOCK.)
#define FULL 0xffffffffu

__global__ void till(const int *in, const unsigned *flags, int *total, int *largest,
                     unsigned *kinds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int paid = in[i];
  unsigned bought = flags[i];

  int sum = __reduce_add_sync(FULL, paid);
  int high = __reduce_max_sync(FULL, paid);
  unsigned bits = __reduce_or_sync(FULL, bought);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(total, sum);
    atomicMax(largest, high);
    atomicOr(kinds, bits);
  }
}
