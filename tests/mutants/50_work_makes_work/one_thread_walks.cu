// expect: WRONG
// One thread walks the tree in the order of the queue, and asks nobody.

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

__device__ void push(int node, int *queue, int *tail) {}

// The node in a slot that belongs to this thread, or EMPTY when there is none and never will be.
__device__ int take(const int *queue, int *head, const int *pending) {
  int slot = atomicAdd(head, 1);
  int node = load(&queue[slot]); // TODO (about 4 lines): nothing here *yet* is no reason to leave
  return node;
}

__global__ void walk(const int *first, const int *child, const int *weight, unsigned *sum,
                     int *visits, int *queue, int *head, int *tail, int *pending) {
  if (blockIdx.x || threadIdx.x) return;
  int n = 1;
  for (int k = 0; k < n; k++) {
    int node = queue[k];
    visits[node]++;
    for (int i = first[node]; i < first[node + 1]; i++) {
      int c = child[i];
      sum[c] = 3 * sum[node] + weight[c];
      queue[n++] = c;
    }
  }
}
