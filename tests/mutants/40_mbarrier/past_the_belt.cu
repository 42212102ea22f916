// expect: RULE
// The guests take the prices from global memory, not from the belt: nobody has to wait.

#define SERVING 64
#define PLACES  3

typedef unsigned long long mbarrier; // lies in shared memory; only the functions below touch it

// A phase of it is over when `count` arrivals have come; then the next phase begins by itself.
__device__ void init(mbarrier *bar, int count) {
  asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(bar), "r"(count) : "memory");
}
__device__ void arrive(mbarrier *bar) { // one arrival; does not wait
  asm volatile("{ .reg .b64 state; mbarrier.arrive.b64 state, [%0]; }" ::"l"(bar) : "memory");
}
// Is the phase with this parity over? The phases count 0, 1, 2, ...: parity 0, 1, 0, ...
// The one before the first, parity 1, counts as over.
__device__ bool is_over(mbarrier *bar, int parity) {
  int yes;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
               : "=r"(yes)
               : "l"(bar), "r"(parity)
               : "memory");
  return yes;
}
__device__ void wait(mbarrier *bar, int parity) { // does not arrive
  while (!is_over(bar, parity)) {}
}

__global__ void count_below(const int *price, const int *limit, int *count, int n) {
  __shared__ int belt[PLACES][SERVING];
  __shared__ mbarrier full[PLACES], empty[PLACES];
  int guests = blockDim.x - 32;
  int servings = (n + SERVING - 1) / SERVING;

  // `full`, how many one of `empty`? Nobody may use them before that.

  if (threadIdx.x < 32) { // the kitchen
    for (int s = blockIdx.x, round = 0; s < servings; s += gridDim.x, round++) {
      int place = round % PLACES; // the belt comes round: this is lap number round / PLACES
      for (int k = threadIdx.x; k < SERVING; k += 32)
        if (s * SERVING + k < n) belt[place][k] = price[s * SERVING + k];
    }
  } else { // a guest
    int me = blockIdx.x * guests + threadIdx.x - 32;
    int mine = limit[me], below = 0;
    for (int s = blockIdx.x, round = 0; s < servings; s += gridDim.x, round++) {
      int place = round % PLACES;
      for (int k = 0; k < SERVING && s * SERVING + k < n; k++)
        below += price[s * SERVING + k] < mine;
    }
    count[me] = below;
  }
}
