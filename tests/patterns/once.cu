// expect: PASS
// run: --kernel run --grid 1 --block 1 --arg buf:u32:1:zero --arg buf:i32:4:zero --arg buf:i32:1:zero
// dump 2: 10
// run: --kernel run --grid 6 --block 32 --arg buf:u32:1:zero --arg buf:i32:4:zero --arg buf:i32:1:zero
// dump 2: 1920
// run: --kernel run --grid 16 --block 2 --arg buf:u32:1:zero --arg buf:i32:4:zero --arg buf:i32:1:zero
// dump 2: 320
// Whoever comes first fills the table, everybody else waits for it: the second state is released by
// the one and acquired by all others, who then use the table plainly.
__device__ unsigned load_acquire(const unsigned *p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_release(unsigned *p, unsigned v) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

enum { EMPTY, BUSY, READY };
__device__ void fill_once(unsigned *state, int *table) {
  if (atomicCAS(state, EMPTY, BUSY) == EMPTY) {
    for (int i = 0; i < 4; i++) table[i] = i + 1;
    store_release(state, READY);
  }
  while (load_acquire(state) != READY) {
  }
}

__global__ void run(unsigned *state, int *table, int *sum) {
  fill_once(state, table);
  atomicAdd(sum, table[0] + table[1] + table[2] + table[3]);
}
