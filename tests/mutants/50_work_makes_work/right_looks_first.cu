// expect: PASS
// A slot is looked at first and claimed by compare-and-swap if there is a node in it: no ticket
// is held while waiting.

#define EMPTY (-1)

// Relaxed: no tearing and no race, but no order with other memory, either.
__device__ int load(const int *p) {
  int v;
  asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store(int *p, int v) {
  asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ void push(int node, int *queue, int *tail) {
  int at = atomicAdd(tail, 1);
  __threadfence();
  store(&queue[at], node);
}

// The node in a slot that belongs to this thread, or EMPTY when there is none and never will be.
__device__ int take(const int *queue, int *head, const int *pending) {
  while (true) {
    int h = load(head), node = h < 1 << 20 ? load(&queue[h]) : EMPTY;
    if (node != EMPTY && atomicCAS((int *)head, h, h + 1) == h) {
      __threadfence();
      return node;
    }
    if (node == EMPTY && load(pending) == 0) return EMPTY;
  }
}

__global__ void walk(const int *first, const int *child, const int *weight, unsigned *sum,
                     int *visits, int *queue, int *head, int *tail, int *pending) {
  while (true) {
    int node = take(queue, head, pending);
    if (node == EMPTY) return;
    atomicAdd(&visits[node], 1); // the check looks here

    atomicAdd(pending, first[node + 1] - first[node]);
    for (int i = first[node]; i < first[node + 1]; i++) {
      int c = child[i];
      sum[c] = 3 * sum[node] + weight[c];
      push(c, queue, tail);
    }
    atomicAdd(pending, -1);
  }
}
