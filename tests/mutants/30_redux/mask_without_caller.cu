// expect: TRAP
// The mask names the lower half of the warp, but all lanes run the call: the upper ones are not in
// the mask that they give.
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

  int sum = __reduce_add_sync(0xffffu, paid);
  int high = __reduce_max_sync(0xffffu, paid);
  unsigned bits = __reduce_or_sync(0xffffu, bought);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(total, sum);
    atomicMax(largest, high);
    atomicOr(kinds, bits);
  }
}
