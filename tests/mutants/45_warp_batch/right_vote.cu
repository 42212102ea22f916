// expect: PASS
// Right: the lanes go on as long as any of them had a task, which a vote tells all of them alike.
#define FULL 0xffffffffu

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void open_queue(int *next) { *next = 0; }

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks) {
  int lane = threadIdx.x % 32;
  bool more = true;
  while (__any_sync(FULL, more)) {
    int first = 0;
    if (lane == 0) first = atomicAdd(next, 32);
    int ticket = __shfl_sync(FULL, first, 0) + lane;
    more = ticket < tasks;
    if (more) {
      steps[ticket] = collatz(number[ticket]);
      runs[ticket] += 1;
    }
  }
}
