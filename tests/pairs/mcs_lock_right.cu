// expect: PASS
// run: --grid 4 --block 1 --arg buf:i32:1:zero --arg buf:i32:5:zero --arg buf:i32:5:zero --arg buf:i32:1:zero --expect 3=12
// MCS queue lock with indices for pointers, acquire and release in PTX.
__device__ int ldAcquire(const int *p) { int v; asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ void stRelease(int *p, int v) { asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void stRelaxed(int *p, int v) { asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ int swapAcqRel(int *p, int v) { int o; asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(o) : "l"(p), "r"(v) : "memory"); return o; }
__device__ int casRelease(int *p, int c, int v) { int o; asm volatile("atom.release.gpu.global.cas.b32 %0, [%1], %2, %3;" : "=r"(o) : "l"(p), "r"(c), "r"(v) : "memory"); return o; }
__global__ void mcs(int *tail, int *next, int *locked, int *counter) {
  int me = blockIdx.x + 1;
  for (int round = 0; round < 3; round++) {
    stRelaxed(&next[me], 0);
    stRelaxed(&locked[me], 1);
    int pred = swapAcqRel(tail, me);
    if (pred) {
      stRelease(&next[pred], me);
      while (ldAcquire(&locked[me])) {}
    }
    *counter += 1;
    int succ = ldAcquire(&next[me]);
    if (!succ) {
      if (casRelease(tail, me, 0) == me) continue;
      while (!(succ = ldAcquire(&next[me]))) {}
    }
    stRelease(&locked[succ], 0);
  }
}
