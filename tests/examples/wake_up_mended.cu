// expect: PASS
// run: --kernel wake_up --grid 2 --block 1 --arg buf:u32:8:zero --arg buf:u32:8:zero --arg buf:u32:8:zero --arg buf:u32:8:zero
// A worker that finds no work goes to sleep, a producer that finds it asleep wakes it. All accesses
// are atomic, and a fence.sc between store and load makes sure that one sees the other.
__device__ unsigned look(const unsigned *p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void set(unsigned *p, unsigned v) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__global__ void wake_up(unsigned *asleep, unsigned *work, unsigned *awake, unsigned *done) {
  for (int job = 0; job < 8; job++) {
    bool fine;
    if (blockIdx.x == 0) {
      set(&asleep[job], 1);
      __threadfence();
      fine = look(&work[job]) != 0; /* else it sleeps */
    } else {
      set(&work[job], 1);
      __threadfence();
      fine = look(&asleep[job]) != 0; /* then it wakes the worker */
    }
    if (fine) atomicExch(&awake[job], 1);
    if (atomicAdd(&done[job], 1) == 1 && atomicAdd(&awake[job], 0) == 0)
      __trap(); /* neither saw the other */
  }
}
