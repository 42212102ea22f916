// expect: PASS
// Right, and slow: one lock for the whole ring, which all threads want over and over, most of them
// to find that there is nothing to do.
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

__device__ int lock;

__device__ void acquire() {
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
}
__device__ void release() {
  __threadfence();
  atomicExch(&lock, 0);
}

__device__ void push(const Ring &r, Item item) {
  for (;;) {
    acquire();
    int t = *r.tail;
    if (t - *r.head < r.size) {
      r.cell[t % r.size] = item;
      *r.tail = t + 1;
      release();
      return;
    }
    release();
  }
}

__device__ Item pop(const Ring &r) {
  for (;;) {
    acquire();
    int h = *r.head;
    if (h < *r.tail) {
      Item item = r.cell[h % r.size];
      *r.head = h + 1;
      release();
      return item;
    }
    release();
  }
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
