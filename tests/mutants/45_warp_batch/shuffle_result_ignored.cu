// expect: DEADLOCK|RACE
// The shuffle's result is not used: only lane 0 learns about the batch. With one warp lane 0
// leaves at last while the others wait for it at the shuffle [DEADLOCK]; with several the others
// do tasks 1 to 31 again and again and collide there [RACE].
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
  while (true) {
    int first = 0;
    if (lane == 0) first = atomicAdd(next, 32);
    __shfl_sync(FULL, first, 0);
    if (first >= tasks) break;
    int ticket = first + lane;
    if (ticket < tasks) {
      steps[ticket] = collatz(number[ticket]);
      runs[ticket] += 1;
    }
  }
}
