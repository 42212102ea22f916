// expect: RACE
// run: --kernel run --grid 4 --block 1 --arg buf:u32:2:zero --arg buf:u32:64:zero --arg buf:i32:64:zero --arg buf:i32:64:zero --arg i32:30
// on: payload
// run: --kernel run --grid 8 --block 2 --arg buf:u32:2:zero --arg buf:u32:64:zero --arg buf:i32:64:zero --arg buf:i32:64:zero --arg i32:12
// on: payload
// push raises the bottom without a fence: a thief may get the task before its payload.
__device__ unsigned load_relaxed(const unsigned *p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_relaxed(unsigned *p, unsigned v) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ void push(unsigned *ends, unsigned *slot, unsigned task) {
  unsigned bottom = load_relaxed(&ends[1]);
  store_relaxed(&slot[bottom], task);
  store_relaxed(&ends[1], bottom + 1);
}
__device__ unsigned steal(unsigned *ends, unsigned *slot) {
  unsigned top = load_relaxed(&ends[0]);
  __threadfence();
  unsigned bottom = load_relaxed(&ends[1]);
  __threadfence();
  if ((int)(bottom - top) <= 0) return 0;
  unsigned task = load_relaxed(&slot[top]);
  return atomicCAS(&ends[0], top, top + 1) == top ? task : 0;
}
__device__ unsigned pop(unsigned *ends, unsigned *slot) {
  unsigned bottom = load_relaxed(&ends[1]) - 1;
  store_relaxed(&ends[1], bottom);
  __threadfence();
  unsigned top = load_relaxed(&ends[0]);
  if ((int)(bottom - top) > 0) return load_relaxed(&slot[bottom]);
  unsigned task = 0;
  if (bottom == top) {
    task = load_relaxed(&slot[bottom]);
    if (atomicCAS(&ends[0], top, top + 1) != top) task = 0;
  }
  store_relaxed(&ends[1], bottom + 1);
  return task;
}
/* Task 0 is none. Each task is written before it is pushed and must be run once. */
__device__ void work(unsigned task, const int *payload, int *done) {
  if (task) atomicAdd(&done[task], payload[task]);
}

__global__ void run(unsigned *ends, unsigned *slot, int *payload, int *done, int tasks) {
  if (blockIdx.x) {
    for (int i = 0; i < 20; i++) work(steal(ends, slot), payload, done);
    return;
  }
  if (threadIdx.x) return;
  for (int task = 1; task <= tasks; task++) {
    payload[task] = task;
    push(ends, slot, task);
    if (task % 3 == 0) work(pop(ends, slot), payload, done);
  }
  for (unsigned task; (task = pop(ends, slot)) != 0;) work(task, payload, done);
}
