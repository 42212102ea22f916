// expect: PASS
// Right: the slots of all children are drawn at once and filled after one fence; the sums are all
// there by then. Acquire and release in the place of the other fences.
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


__device__ int load_acquire(const int *p) {
  int v;
  asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}

__device__ int take(const int *queue, int *head, const int *pending) {
  int slot = atomicAdd(head, 1);
  while (true) {
    int node = load_acquire(&queue[slot]);
    if (node != EMPTY || load(pending) == 0) return node;
    __nanosleep(100);
  }
}

__global__ void walk(const int *first, const int *child, const int *weight, unsigned *sum,
                     int *visits, int *queue, int *head, int *tail, int *pending) {
  while (true) {
    int node = take(queue, head, pending);
    if (node == EMPTY) return;
    atomicAdd(&visits[node], 1);

    int from = first[node], count = first[node + 1] - from;
    for (int i = 0; i < count; i++) sum[child[from + i]] = 3 * sum[node] + weight[child[from + i]];
    if (count > 0) {
      atomicAdd(pending, count);
      int slot = atomicAdd(tail, count);
      __threadfence();
      for (int i = 0; i < count; i++) store(&queue[slot + i], child[from + i]);
    }
    atomicSub(pending, 1);
  }
}
