// expect: RACE
// run: --kernel run --grid 2 --block 1 --arg buf:u32:16:zero --arg buf:u32:2:zero --arg i32:20 --arg buf:i32:1:zero
// on: ring
// run: --kernel run --grid 4 --block 32 --arg buf:u32:16:zero --arg buf:u32:2:zero --arg i32:2 --arg buf:i32:1:zero
// on: ring
// The cell is handed on before its value has been read.
__device__ unsigned load_acquire(const unsigned *p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_release(unsigned *p, unsigned v) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

enum { CELLS = 8 };
struct cell {
  unsigned turn;
  int value;
};

__device__ void push(cell *ring, unsigned *tail, int v) {
  unsigned place = atomicAdd(tail, 1u);
  cell *c = &ring[place % CELLS];
  while (load_acquire(&c->turn) != 2 * (place / CELLS)) {
  }
  c->value = v;
  store_release(&c->turn, 2 * (place / CELLS) + 1);
}
__device__ int pop(cell *ring, unsigned *head) {
  unsigned place = atomicAdd(head, 1u);
  cell *c = &ring[place % CELLS];
  while (load_acquire(&c->turn) != 2 * (place / CELLS) + 1) {
  }
  store_release(&c->turn, 2 * (place / CELLS) + 2);
  return c->value;
}

__global__ void run(cell *ring, unsigned *ends, int each, int *sum) {
  for (int i = 1; i <= each; i++) {
    if (blockIdx.x % 2)
      atomicAdd(sum, pop(ring, &ends[1]));
    else
      push(ring, &ends[0], i);
  }
}
