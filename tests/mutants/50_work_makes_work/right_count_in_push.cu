// expect: PASS
// Right: push counts each node just before it puts it in; the parent itself is still counted, so
// nobody sees a 0 in between.
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

__device__ void push(int node, int *queue, int *tail, int *pending) {
  atomicAdd(pending, 1);
  int slot = atomicAdd(tail, 1);
  __threadfence();
  store(&queue[slot], node);
}

__device__ int take(const int *queue, int *head, const int *pending) {
  int slot = atomicAdd(head, 1);
  int node;
  while ((node = load(&queue[slot])) == EMPTY)
    if (load(pending) == 0) return EMPTY;
  __threadfence();
  return node;
}

__global__ void walk(const int *first, const int *child, const int *weight, unsigned *sum,
                     int *visits, int *queue, int *head, int *tail, int *pending) {
  while (true) {
    int node = take(queue, head, pending);
    if (node == EMPTY) return;
    atomicAdd(&visits[node], 1);

    for (int i = first[node]; i < first[node + 1]; i++) {
      int c = child[i];
      sum[c] = 3 * sum[node] + weight[c];
      push(c, queue, tail, pending);
    }
    atomicSub(pending, 1);
  }
}
