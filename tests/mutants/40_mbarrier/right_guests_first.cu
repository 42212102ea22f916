// expect: PASS
// Right: the guests say at the start that all places are empty, so that the kitchen waits for
// the parity of the lap, like the guests. And the parities are kept in a variable that turns
// over when the belt has come round.
#define SERVING 64
#define PLACES 3

typedef unsigned long long mbarrier;

__device__ void init(mbarrier *bar, int count) {
  asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(bar), "r"(count) : "memory");
}
__device__ void arrive(mbarrier *bar) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.b64 state, [%0]; }" ::"l"(bar) : "memory");
}
__device__ bool is_over(mbarrier *bar, int parity) {
  int yes;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
               : "=r"(yes)
               : "l"(bar), "r"(parity)
               : "memory");
  return yes;
}
__device__ void wait(mbarrier *bar, int parity) {
  while (!is_over(bar, parity)) {}
}

__global__ void count_below(const int *price, const int *limit, int *count, int n) {
  __shared__ int belt[PLACES][SERVING];
  __shared__ mbarrier full[PLACES], empty[PLACES];
  int guests = blockDim.x - 32;
  int servings = (n + SERVING - 1) / SERVING;

  if (threadIdx.x == 0)
    for (int p = 0; p < PLACES; p++) {
      init(&full[p], 32);
      init(&empty[p], guests);
    }
  __syncthreads();
  int parity = 0;

  if (threadIdx.x < 32) {
    for (int s = blockIdx.x, round = 0; s < servings; s += gridDim.x, round++) {
      int place = round % PLACES;
      wait(&empty[place], parity);
      for (int k = threadIdx.x; k < SERVING; k += 32)
        if (s * SERVING + k < n) belt[place][k] = price[s * SERVING + k];
      arrive(&full[place]);
      if (place == PLACES - 1) parity = 1 - parity;
    }
  } else {
    int me = blockIdx.x * guests + threadIdx.x - 32;
    int mine = limit[me], below = 0;
    for (int p = 0; p < PLACES; p++) arrive(&empty[p]);
    for (int s = blockIdx.x, round = 0; s < servings; s += gridDim.x, round++) {
      int place = round % PLACES;
      wait(&full[place], parity);
      for (int k = 0; k < SERVING && s * SERVING + k < n; k++) below += belt[place][k] < mine;
      arrive(&empty[place]);
      if (place == PLACES - 1) parity = 1 - parity;
    }
    count[me] = below;
  }
}
