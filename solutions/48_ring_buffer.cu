// 48_ring_buffer - a reference answer.
//
// Tickets give each push and each pop a cell and a lap, and no two pushes the same. The cell's
// number says what has been done with it so far, so exactly one thread at a time finds the number
// that it waits for: the one that may use the cell. No lock, and nobody waits for a cell but its
// own.
//
// All blocks run at once, and as many items are popped as are pushed; so the oldest ticket in
// the ring always finds its turn, and then the next.

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
  // Free for this lap: pushed `lap` times, popped `lap` times. The fence: what the last pop did,
  // its reading, comes before the item is overwritten.
  while (load(&r.turn[at]) != 2 * lap) {}
  __threadfence();
  r.cell[at] = item;
  // The item is there before the number says so.
  __threadfence();
  store(&r.turn[at], 2 * lap + 1);
}

__device__ Item pop(const Ring &r) {
  int ticket = atomicAdd(r.head, 1);
  int at = ticket % r.size;
  int lap = ticket / r.size;
  // Full in this lap. The fence: the item is read after the number was seen.
  while (load(&r.turn[at]) != 2 * lap + 1) {}
  __threadfence();
  Item item = r.cell[at];
  // It has been read before the cell is free.
  __threadfence();
  store(&r.turn[at], 2 * lap + 2);
  return item;
}

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
