// expect: DEADLOCK
// The lanes past the end of the data are alive, but they wait at the end for the whole block, and
// not in the calls whose mask names them.
#define FULL 0xffffffffu

__global__ void till(const int *in, const unsigned *flags, int *total, int *largest,
                     unsigned *kinds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int sum = __reduce_add_sync(FULL, in[i]);
    int high = __reduce_max_sync(FULL, in[i]);
    unsigned bits = __reduce_or_sync(FULL, flags[i]);
    if (threadIdx.x % 32 == 0) {
      atomicAdd(total, sum);
      atomicMax(largest, high);
      atomicOr(kinds, bits);
    }
  }
  __syncthreads();
}
