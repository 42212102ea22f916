// expect: PASS
// run: --kernel rounds --grid 1 --block 32 --arg buf:i32:32:zero --arg buf:i32:32:zero --arg buf:u32:2:zero --arg i32:3
// advice: 22 35
// dump 0: 3*32
// run: --kernel rounds --grid 5 --block 33 --arg buf:i32:165:zero --arg buf:i32:165:zero --arg buf:u32:2:zero --arg i32:4
// dump 0: 4*165
// run: --kernel rounds --grid 16 --block 64 --arg buf:i32:1024:zero --arg buf:i32:1024:zero --arg buf:u32:2:zero --arg i32:2
// dump 0: 2*1024
// All blocks wait for all blocks, over and over. The block's own barrier brings its writes to
// thread 0, whose fence and count release them; the last one opens the next round; seeing that and a
// fence acquire; another block barrier tells the rest. All blocks must be resident.
__device__ unsigned load_relaxed(const unsigned *p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_relaxed(unsigned *p, unsigned v) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ void grid_barrier(unsigned *count, unsigned *round) {
  __syncthreads();
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
