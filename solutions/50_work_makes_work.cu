// 50_work_makes_work - a reference answer.
//
// The end. `pending` counts the nodes that are in the queue or being done. It goes up by the number
// of children before any of them can be seen, and down by one only when the node's children are all
// in: while one node is not done it is above 0, and once it is 0 nobody is left who could push. So
// a thread that finds its slot EMPTY and `pending` at 0 may leave: the slot stays empty for ever.
// The order of the two looks does not matter for that, nor that they are two.
//
// A ticket once drawn is a promise. The thread that holds slot 17 is the only one that will ever
// look there, so it may not leave because the slot is empty *now*.
//
// The order. push fills sum[c] first, then, after a fence, the slot; take sees the slot, then has a
// fence, then reads the sum. The same two fences order the counting: whoever takes a child, and
// counts it down, does so after it was counted up.
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
  int slot = atomicAdd(tail, 1);
  __threadfence(); // the sum, and the count, before the slot
  store(&queue[slot], node);
}

// The node in a slot that belongs to this thread, or EMPTY when there is none and never will be.
__device__ int take(const int *queue, int *head, const int *pending) {
  int slot = atomicAdd(head, 1);
  int node;
  while ((node = load(&queue[slot])) == EMPTY)
    if (load(pending) == 0) return EMPTY;
  __threadfence(); // the slot before the sum
  return node;
}

__global__ void walk(const int *first, const int *child, const int *weight, unsigned *sum,
                     int *visits, int *queue, int *head, int *tail, int *pending) {
  while (true) {
    int node = take(queue, head, pending);
    if (node == EMPTY) return;
    atomicAdd(&visits[node], 1); // the check looks here

    atomicAdd(pending, first[node + 1] - first[node]); // before they can be seen
    for (int i = first[node]; i < first[node + 1]; i++) {
      int c = child[i];
      sum[c] = 3 * sum[node] + weight[c];
      push(c, queue, tail);
    }
    atomicSub(pending, 1); // this one
  }
}
