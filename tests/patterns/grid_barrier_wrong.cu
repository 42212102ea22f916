// expect: RACE
// run: --kernel rounds --grid 5 --block 64 --arg buf:i32:320:zero --arg buf:i32:320:zero --arg buf:u32:2:zero --arg i32:4
// on: a|b
// run: --kernel rounds --grid 2 --block 33 --arg buf:i32:66:zero --arg buf:i32:66:zero --arg buf:u32:2:zero --arg i32:1
// on: a|b
// The first block barrier is missing: thread 0 reports for a block that is not there yet.
__device__ unsigned load_relaxed(const unsigned *p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_relaxed(unsigned *p, unsigned v) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ void grid_barrier(unsigned *count, unsigned *round) {
  if (threadIdx.x == 0) {
    unsigned now = load_relaxed(round);
    __threadfence();
    if (atomicAdd(count, 1u) == gridDim.x - 1) {
      store_relaxed(count, 0);
      __threadfence();
      store_relaxed(round, now + 1);
    }
    while (load_relaxed(round) == now) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void rounds(int *a, int *b, unsigned *bar, int n) {
  int all = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < n; r++) {
    b[(i + 7) % all] = a[i] + 1;
    grid_barrier(&bar[0], &bar[1]);
    a[i] = b[i];
    grid_barrier(&bar[0], &bar[1]);
  }
}
