// expect: RULE
// 49_work_stealing - a deque for each block; who has nothing left steals from the others.
//
// Block b owns a deque: the tasks from *top up to, but without, *bottom lie in its slots. It pushes
// its share of the tasks at the bottom, takes from the bottom, and does what it gets. The shares
// are unfair: some blocks have most of the tasks, some have none. `left` counts the tasks that
// nobody has taken; the check sets it, and clears tops and bottoms, before each launch.
//
// Your task: a block whose deque is empty steals at the *top* of another one, and goes on until
// `left` says that nothing is left anywhere. Then pop, too, has to reckon with thieves. Every task
// exactly once; makespan at most 1.2 times ideal; pop uses an atomic for the last task only.
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
  // TODO (about 7 lines): this is right only while nobody steals. One task left: who gets it?
  if (b < 0) return NONE;
  store(bottom, b);
  return slot[b];
}

__device__ int steal(int *top, int *bottom, int *slot) { // anybody else, at the top
  // TODO (about 7 lines): NONE if there is nothing, or if somebody else was faster
  return NONE;
}

__device__ int take(int *top, int *bottom, int *slot, const int *first, int *left) {
  int me = blockIdx.x;
  int task = pop(&top[me], &bottom[me], &slot[first[me]]);
  // TODO (about 6 lines): nothing here? Go round the other deques, as long as *left is above 0
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
