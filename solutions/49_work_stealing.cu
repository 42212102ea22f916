// 49_work_stealing - a reference answer.
//
// Whoever moves the top owns the task that was there: the compare-and-swap lets one thief pass for
// each value of top, and top never goes back, so nothing is stolen twice. The owner does not touch
// the top as long as there are two tasks or more. For the last one it competes with the thieves, by
// the same compare-and-swap.
//
// How does the owner know that there are two? It first lowers the bottom, then looks at the top; a
// thief first looks at the top, then at the bottom. With a fence between the two steps on both
// sides at least one of them sees the other: the thief that the task is gone, or the owner that a
// thief has come this far. Without the owner's fence its store may still be on its way while it
// reads the top: both take the task. Without the thief's its look at the bottom may be older than
// that at the top.
//
// A thief that loses the compare-and-swap goes on to the next deque. A block leaves only when `left`
// says that all tasks are taken: a deque may be empty because its owner has not filled it yet.
#define NONE (-1)

// Relaxed: no tearing and no race, but no order with other memory, either.
__device__ int load(const int *p) {
  int v;
  asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store(int *p, int v) {
  asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ void push(int *bottom, int *slot, int task) { // the owner
  int b = load(bottom);
  slot[b] = task;
  __threadfence(); // whoever sees the new bottom, and has a fence after it, sees the slot
  store(bottom, b + 1);
}

__device__ int pop(int *top, int *bottom, int *slot) { // the owner, at the bottom
  int b = load(bottom) - 1;
  store(bottom, b); // hands off this one
  __threadfence();  // ... before looking for thieves
  int t = load(top);
  if (t < b) return slot[b]; // two or more: no thief gets as far as this one

  int task = NONE; // one or none
  if (t == b && atomicCAS(top, t, t + 1) == t) task = slot[b];
  store(bottom, b + 1); // empty again: bottom and top are equal
  return task;
}

__device__ int steal(int *top, int *bottom, int *slot) { // anybody else, at the top
  int t = load(top);
  __threadfence(); // the bottom must not be older than the top
  int b = load(bottom);
  if (t >= b) return NONE;
  __threadfence(); // with the bottom comes what was in the slots when it was raised
  int task = slot[t];
  return atomicCAS(top, t, t + 1) == t ? task : NONE;
}

__device__ int take(int *top, int *bottom, int *slot, const int *first, int *left) {
  int me = blockIdx.x, blocks = gridDim.x;
  int task = pop(&top[me], &bottom[me], &slot[first[me]]);
  while (task == NONE && load(left) > 0)
    for (int i = 1; i < blocks && task == NONE; i++) {
      int b = (me + i) % blocks;
      task = steal(&top[b], &bottom[b], &slot[first[b]]);
    }
  if (task != NONE) atomicSub(left, 1);
  return task;
}

// Task t: each thread follows a chain of length[t] links and says where it ends.
__device__ void work(int task, const int *length, const int *link, int cells, int *end) {
  int at = (task + threadIdx.x) % cells;
  for (int i = 0; i < length[task]; i++) at = link[at];
  end[task * blockDim.x + threadIdx.x] = at;
}

// order[first[b]] to order[first[b + 1] - 1] are the tasks of block b, slot[first[b]] and so on its
// slots. All blocks are resident at once.
__global__ void serve(const int *first, const int *order, const int *length, const int *link,
                      int cells, int *top, int *bottom, int *slot, int *left, int *end, int *runs) {
  __shared__ int taken;
  int me = blockIdx.x;
  if (threadIdx.x == 0)
    for (int i = first[me]; i < first[me + 1]; i++)
      push(&bottom[me], &slot[first[me]], order[i]);

  while (true) { // thread 0 takes, the whole block works
    if (threadIdx.x == 0) taken = take(top, bottom, slot, first, left);
    __syncthreads();
    int task = taken;
    __syncthreads();
    if (task == NONE) break;
    if (threadIdx.x == 0) atomicAdd(&runs[task], 1); // the check looks here
    work(task, length, link, cells, end);
  }
}
