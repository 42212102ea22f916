// expect: PASS
// run: --kernel add --grid 1 --block 1 --arg buf:u32:2:zero --arg buf:i32:1:zero
// dump 1: 1
// run: --kernel add --grid 6 --block 32 --arg buf:u32:2:zero --arg buf:i32:1:zero
// dump 1: 192
// run: --kernel add --grid 16 --block 3 --arg buf:u32:2:zero --arg buf:i32:1:zero
// dump 1: 48
// Take a ticket, wait until it is served, work, serve the next one. Serving is a release, seeing it
// an acquire; only the holder writes, so a plain increment of its own number will do.
__device__ unsigned load_acquire(const unsigned *p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_release(unsigned *p, unsigned v) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__global__ void add(unsigned *lock, int *sum) {
  unsigned *next = &lock[0], *serving = &lock[1];
  unsigned mine = atomicAdd(next, 1u);
  while (load_acquire(serving) != mine) {
  }
  *sum += 1;
  store_release(serving, mine + 1);
}
