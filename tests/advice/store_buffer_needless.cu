// expect: PASS
// run: --kernel k --grid 2 --block 1 --arg buf:u32:2:zero --arg buf:u32:2
// advice: 15
// everything has been read already when the fence comes
__device__ unsigned load_relaxed(const unsigned *p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}

__global__ void k(const unsigned *flag, unsigned *seen) {
  unsigned me = blockIdx.x;
  unsigned other = load_relaxed(&flag[1 - me]);
  seen[me] = other;
  __threadfence();
}
