// expect: PASS
// run: --kernel run --grid 2 --block 1 --arg buf:u32:16:zero --arg buf:u32:2:zero --arg i32:3 --arg buf:i32:1:zero
// dump 3: 6
// run: --kernel run --grid 6 --block 8 --arg buf:u32:16:zero --arg buf:u32:2:zero --arg i32:4 --arg buf:i32:1:zero
// dump 3: 240
// run: --kernel run --grid 4 --block 32 --arg buf:u32:16:zero --arg buf:u32:2:zero --arg i32:2 --arg buf:i32:1:zero
// dump 3: 192
// Several producers, several consumers, eight cells. A cell's turn says whose it is: an even turn
// waits for a value, an odd one holds one. A place in line comes from a counter; the turn is
// released after the value is written or read, and acquired before.
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
  int v = c->value;
  store_release(&c->turn, 2 * (place / CELLS) + 2);
  return v;
}

__global__ void run(cell *ring, unsigned *ends, int each, int *sum) {
  for (int i = 1; i <= each; i++) {
    if (blockIdx.x % 2)
      atomicAdd(sum, pop(ring, &ends[1]));
    else
      push(ring, &ends[0], i);
  }
}
