// expect: RULE
// Right, but only the sum is combined in the warp. The other two still cost an atomic operation
// for each lane.
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
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
  atomicMax(largest, paid);
  atomicOr(kinds, bought);
}
