// expect: RACE
// 48_ring_buffer - many push, many pop, and there is room for only a few items in between.
//
// The first blocks produce: each of their threads pushes some of the items. The others consume:
// each thread pops as many as fall to it. Ticket t goes to cell t % size, whether it is a push or a
// pop. turn[c] is 0 at first and counts what was done with cell c: one for each push, one for each
// pop. So before a cell is used for the first time it says 0, then 1 (full), 2 (free again), 3
// (full) ...
//
// Your task: a push waits until its cell is free for its own lap of the ring, a pop until the item
// with its own ticket is there; and each says when it is done. About 8 lines.

struct Item {
  int number;
  int value;
};

struct Ring {
  int *tail, *head; // the next ticket to push and the next to pop
  int *turn;        // for each cell
  Item *cell;
  int size;
};

// Relaxed: no tearing and no race, but no order with other memory, either.
__device__ int load(const int *p) {
  int v;
  asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store(int *p, int v) {
  asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ void push(const Ring &r, Item item) {
  int ticket = atomicAdd(r.tail, 1);
  int at = ticket % r.size;
  int lap = ticket / r.size;
  // TODO (about 2 lines): is the cell free yet?
  r.cell[at] = item;
  // TODO (about 2 lines): tell whoever waits for the item
}

__device__ Item pop(const Ring &r) {
  int ticket = atomicAdd(r.head, 1);
  int at = ticket % r.size;
  int lap = ticket / r.size;
  // TODO (about 2 lines): is the item there yet?
  Item item = r.cell[at];
  // TODO (about 2 lines): tell whoever waits for the cell
  return item;
}

// Every push and every pop of a launch is one of n. All blocks are on the machine at once.
__global__ void relay(const int *value, int n, int producers, int *tail, int *head, int *turn,
                      Item *cell, int size, Item *out) {
  Ring r = {tail, head, turn, cell, size};
  int all = producers * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < all) {
    for (; i < n; i += all) push(r, Item{i, value[i]});
  } else {
    int others = gridDim.x * blockDim.x - all;
    for (i -= all; i < n; i += others) out[i] = pop(r);
  }
}
