// expect: WRONG
// A float holds every whole number only up to 2^24. Sums of a warp are beyond, where it can only
// hold the even ones, or every fourth.
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

  float exact = paid;
  for (int step = 16; step > 0; step /= 2) exact += __shfl_xor_sync(FULL, exact, step);
  int sum = (int)exact;
  int high = __reduce_max_sync(FULL, paid);
  unsigned bits = __reduce_or_sync(FULL, bought);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(total, sum);
    atomicMax(largest, high);
    atomicOr(kinds, bits);
  }
}
