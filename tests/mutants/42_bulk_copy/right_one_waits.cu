// expect: PASS
// Right: thread 0 waits, and then the block meets: what thread 0 has seen, all see after the barrier.
#define TILE 128 // items

typedef unsigned long long mbarrier; // lies in shared memory; only the functions below touch it

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// A phase of it is over when `count` arrivals have come and all bytes that they announced.
__device__ void init(mbarrier *bar, int count) {
  asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(bar), "r"(count) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // copies may use it from now on
}
// One arrival, which announces so many bytes more; does not wait.
__device__ void arrive_and_expect(mbarrier *bar, int bytes) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.b64 s, [%0], %1; }" ::"l"(bar), "r"(bytes)
               : "memory");
}
// Waits until the phase with this parity is over. Phases have the parity 0, 1, 0, 1, ...
__device__ void wait(mbarrier *bar, int parity) {
  int over = 0;
  while (!over)
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
        : "=r"(over)
        : "l"(bar), "r"(parity)
        : "memory");
}
// Starts a copy to shared memory and returns at once. The bytes that have come are counted at bar.
// Both addresses and the number of bytes are multiples of 16.
__device__ void bulk_copy(void *to, const void *from, int bytes, mbarrier *bar) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(bar))
      : "memory");
}

__global__ void fold(const int *a, const int *b, int *out, int n) {
  __shared__ __align__(16) int from_a[TILE], from_b[TILE];
  __shared__ mbarrier landed;
  if (threadIdx.x == 0) init(&landed, 1); // nobody else ever touches it

  int parity = 0;
  for (int first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
    int items = min(TILE, n - first);
    int bytes = (items * 4 + 15) / 16 * 16; // rounded up: a and b are long enough for that

    if (threadIdx.x == 0) {
      arrive_and_expect(&landed, 2 * bytes);
      bulk_copy(from_a, a + first, bytes, &landed);
      bulk_copy(from_b, b + first, bytes, &landed);
    }
    if (threadIdx.x == 0) wait(&landed, parity);
    parity ^= 1;
    __syncthreads();

    for (int k = threadIdx.x; k < items; k += blockDim.x) {
      out[first + k] = from_a[k] * from_b[items - 1 - k];
    }
    __syncthreads(); // all have read this tile
  }
}
