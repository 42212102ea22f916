// expect: PASS
// Right: looks first and draws a ticket only when its cell is ready, by a compare-and-swap that
// fails if somebody else has drawn it. So a push or pop could also give up instead of trying again.

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
  int ticket, at, lap;
  while (true) {
    ticket = load(r.tail);
    at = ticket % r.size;
    lap = ticket / r.size;
    if (load(&r.turn[at]) == 2 * lap && atomicCAS(r.tail, ticket, ticket + 1) == ticket) break;
  }
  __threadfence();
  r.cell[at] = item;
  __threadfence();
  store(&r.turn[at], 2 * lap + 1);
}

__device__ Item pop(const Ring &r) {
  int ticket, at, lap;
  while (true) {
    ticket = load(r.head);
    at = ticket % r.size;
    lap = ticket / r.size;
    if (load(&r.turn[at]) == 2 * lap + 1 && atomicCAS(r.head, ticket, ticket + 1) == ticket) break;
  }
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
