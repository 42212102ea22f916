// expect: WRONG
// One draw for each warp, then fixed strides: each task is done once, but not in the order of the
// queue. Who is free takes nothing from those who are not, and the counter shows it.
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
  int all = gridDim.x * blockDim.x;
  int first = 0;
  if (lane == 0) first = atomicAdd(next, 32);
  first = __shfl_sync(FULL, first, 0);
  for (int ticket = first + lane; ticket < tasks; ticket += all) {
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1;
  }
}
