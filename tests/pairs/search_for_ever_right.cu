// expect: PASS
// run: --kernel k --grid 2 --block 32 --arg buf:i32:40:zero --arg buf:i32:2
// searches 40 places round and round; the offer is made in the last
__device__ int look(const int *p) {
  int v;
  asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}

__global__ void k(int *offer, int *out) {
  if (threadIdx.x == 0) {
    int found = -1;
    if (blockIdx.x == 1)
      while (found < 0)
        for (int i = 0; i < 40 && found < 0; i++)
          if (look(&offer[i]) != 0) found = i;
    if (blockIdx.x == 0) atomicExch(&offer[39], 1);
    out[blockIdx.x] = found;
  }
}
