// expect: TRAP line 24
// run: --kernel post --grid 2 --block 1 --arg buf:u32:16:zero --arg buf:u32:16:zero
// A letter box without a data race: all is relaxed. The writer has its fence between the letter and
// the flag, the reader has none between the flag and the letter, and may read the letter early.
__device__ unsigned load_relaxed(const unsigned *p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_relaxed(unsigned *p, unsigned v) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__global__ void post(unsigned *letter, unsigned *flag) {
  for (int item = 0; item < 16; item++) {
    if (blockIdx.x == 0) {
      store_relaxed(&letter[item], item + 1);
      __threadfence();
      store_relaxed(&flag[item], 1);
    } else {
      while (load_relaxed(&flag[item]) == 0) {
      }
      if (load_relaxed(&letter[item]) != item + 1)
        __trap(); /* the flag was up, and the letter not there */
    }
  }
}
