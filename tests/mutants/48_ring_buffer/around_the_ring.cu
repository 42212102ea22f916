// expect: WRONG
// The tickets are drawn, and every consumer fetches its item where the producer had it from.

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
  r.cell[at] = item;
}

__device__ Item pop(const Ring &r) {
  int ticket = atomicAdd(r.head, 1);
  int at = ticket % r.size;
  int lap = ticket / r.size;
  Item item = r.cell[at];
  return item;
}

// Every push and every pop of a launch is one of n. All blocks are on the machine at once.
__global__ void relay(const int *value, int n, int producers, int *tail, int *head, int *turn,
                      Item *cell, int size, Item *out) {
  Ring r = {tail, head, turn, cell, size};
  int all = producers * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < all) {
    for (; i < n; i += all) atomicAdd(r.tail, 1);
  } else {
    int others = gridDim.x * blockDim.x - all;
    for (i -= all; i < n; i += others) {
      atomicAdd(r.head, 1);
      out[i] = Item{i, value[i]};
    }
  }
}
