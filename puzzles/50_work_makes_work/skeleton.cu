// expect: WRONG
// 50_work_makes_work - a kernel that makes its own work, and knows when it is done.
//
// A tree is walked from its root: sum[child] is to be 3 * sum[node] + weight[child]. Node v's
// children are child[first[v]] to child[first[v + 1] - 1]. Nobody knows how many nodes there are:
// whoever does a node finds its children and puts them into a queue, where anybody takes them out.
//
// The queue is an array with two tickets: *tail says where the next node is put, *head which slot
// is taken next. A slot is EMPTY until a node is in it; it is used only once. The check has put the
// root in: queue[0] and sum of the root are set, *tail is 1, *head is 0 and *pending is 1. There
// are enough slots for all nodes and one more for each thread.
//
// Your task: publish the children, wait for work, and leave when no work can come any more.
// `pending` is there to count the nodes that are in the queue or being done. About 10 lines.
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
  // TODO (about 3 lines): a slot of its own for the node; with the node comes its sum
}

// The node in a slot that belongs to this thread, or EMPTY when there is none and never will be.
__device__ int take(const int *queue, int *head, const int *pending) {
  int slot = atomicAdd(head, 1);
  int node = load(&queue[slot]); // TODO (about 4 lines): nothing here *yet* is no reason to leave
  return node;
}

__global__ void walk(const int *first, const int *child, const int *weight, unsigned *sum,
                     int *visits, int *queue, int *head, int *tail, int *pending) {
  while (true) {
    int node = take(queue, head, pending);
    if (node == EMPTY) return;
    atomicAdd(&visits[node], 1); // the check looks here

    for (int i = first[node]; i < first[node + 1]; i++) {
      int c = child[i];
      sum[c] = 3 * sum[node] + weight[c];
      push(c, queue, tail);
    }
    // TODO (about 2 lines, here or above): count in `pending` what is new and what is done
  }
}
