// expect: PASS
// run: --kernel claim --grid 2 --block 1 --arg buf:u32:16:zero --arg buf:u32:8:zero
// Dekker's idea without a data race: each raises its own flag and takes the item if the other's is
// down. With the fence.sc between the two at least one of them sees the other.
__device__ unsigned load_relaxed(const unsigned *p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_relaxed(unsigned *p, unsigned v) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__global__ void claim(unsigned *flag, unsigned *taken) {
  unsigned me = blockIdx.x;
  for (int item = 0; item < 8; item++) {
    store_relaxed(&flag[2 * item + me], 1);
    __threadfence(); /* a fence.sc */
    if (load_relaxed(&flag[2 * item + 1 - me]) == 0) {
      if (atomicAdd(&taken[item], 1) != 0)
        __trap(); /* both took it */
    }
  }
}
