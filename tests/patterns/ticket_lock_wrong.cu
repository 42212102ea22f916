// expect: RACE
// run: --kernel add --grid 6 --block 32 --arg buf:u32:2:zero --arg buf:i32:1:zero
// on: lock sum
// run: --kernel add --grid 2 --block 1 --arg buf:u32:2:zero --arg buf:i32:1:zero
// on: lock sum
// The next number is served with a plain store, fence or not: it races with everybody who waits.
__device__ unsigned load_acquire(const unsigned *p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}

__global__ void add(unsigned *lock, int *sum) {
  unsigned *next = &lock[0], *serving = &lock[1];
  unsigned mine = atomicAdd(next, 1u);
  while (load_acquire(serving) != mine) {
  }
  *sum += 1;
  __threadfence();
  *serving = mine + 1;
}
