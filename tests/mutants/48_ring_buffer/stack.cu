// expect: WRONG
// A lock and a stack: nothing lost, nothing twice, but last in, first out. (The tickets are counted
// as they should be.)

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

// A lock that is given to those who wait in the order in which they came.
__device__ int waiting, served;

__device__ void lock() {
  int ticket = atomicAdd(&waiting, 1);
  while (load(&served) != ticket) {}
  __threadfence();
}

__device__ void unlock() {
  __threadfence();
  atomicAdd(&served, 1);
}

__device__ void push(const Ring &r, Item item) {
  while (true) {
    while (load(r.tail) - load(r.head) >= r.size) {}
    lock();
    int used = load(r.tail) - load(r.head);
    if (used < r.size) break;
    unlock();
  }
  r.cell[load(r.tail) - load(r.head)] = item;
  atomicAdd(r.tail, 1);
  unlock();
}

__device__ Item pop(const Ring &r) {
  while (true) {
    while (load(r.tail) - load(r.head) <= 0) {}
    lock();
    if (load(r.tail) > load(r.head)) break;
    unlock();
  }
  Item item = r.cell[load(r.tail) - load(r.head) - 1];
  atomicAdd(r.head, 1);
  unlock();
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
