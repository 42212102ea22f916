// expect: PASS
// Right: thieves who found nothing sleep a little before the next round, and try again where they
// lost a compare-and-swap.
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

__device__ int pop(int *top, int *bottom, int *slot) {
  int b = load(bottom) - 1;
  store(bottom, b);
  __threadfence();
  int t = load(top);
  if (t < b) return slot[b];
  int task = NONE;
  if (t == b && atomicCAS(top, t, t + 1) == t) task = slot[b];
  store(bottom, b + 1);
  return task;
}

__device__ int steal(int *top, int *bottom, int *slot) {
  while (true) {
    int t = load(top);
    __threadfence();
    int b = load(bottom);
    __threadfence();
    if (t >= b) return NONE;
    int task = slot[t];
    if (atomicCAS(top, t, t + 1) == t) return task;
  }
}

__device__ int take(int *top, int *bottom, int *slot, const int *first, int *left) {
  int me = blockIdx.x, blocks = gridDim.x;
  int task = pop(&top[me], &bottom[me], &slot[first[me]]);
  while (task == NONE && load(left) > 0) {
    for (int i = 1; i < blocks && task == NONE; i++) {
      int b = (me + i) % blocks;
      task = steal(&top[b], &bottom[b], &slot[first[b]]);
    }
    if (task == NONE) __nanosleep(200);
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
    if (threadIdx.x == 0) atomicAdd(&runs[task], 1);
    work(task, length, link, cells, end);
  }
}
