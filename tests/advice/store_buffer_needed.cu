// expect: PASS
// run: --kernel k --grid 2 --block 1 --arg buf:u32:2:zero --arg buf:u32:2
// no two accesses are ordered by these fences, and yet without them both may see 0
__device__ unsigned load_relaxed(const unsigned *p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_relaxed(unsigned *p, unsigned v) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__global__ void k(unsigned *flag, unsigned *seen) {
  unsigned me = blockIdx.x;
  store_relaxed(&flag[me], 1);
  __threadfence();
  seen[me] = load_relaxed(&flag[1 - me]);
}
