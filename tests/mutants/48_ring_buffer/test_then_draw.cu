// expect: RACE
// Looks whether the cell at the tail is free, then draws a ticket: it may be another one by then.

struct Item {
  int number;
  int value;
};

struct Ring {
  int *tail, *head;
  int *turn;
  Item *cell;
  int size;
};

__device__ int load(const int *p) {
  int v;
  asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store(int *p, int v) {
  asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ void push(const Ring &r, Item item) {
  while (true) {
    int next = load(r.tail);
    if (load(&r.turn[next % r.size]) == 2 * (next / r.size)) break;
  }
  int ticket = atomicAdd(r.tail, 1);
  int at = ticket % r.size;
  int lap = ticket / r.size;
  __threadfence();
  r.cell[at] = item;
  __threadfence();
  store(&r.turn[at], 2 * lap + 1);
}

__device__ Item pop(const Ring &r) {
  int ticket = atomicAdd(r.head, 1);
  int at = ticket % r.size;
  int lap = ticket / r.size;
  while (load(&r.turn[at]) != 2 * lap + 1) {}
  __threadfence();
  Item item = r.cell[at];
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
