// expect: PASS
// Right: lane 31 leads, and draws the next batch before the warp works on this one. As many draws
// as before.
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
  int draw = 0;
  if (lane == 31) draw = atomicAdd(next, 32);
  int first = __shfl_sync(FULL, draw, 31);
  while (first < tasks) {
    if (lane == 31) draw = atomicAdd(next, 32);
    int ticket = first + lane;
    if (ticket < tasks) {
      steps[ticket] = collatz(number[ticket]);
      runs[ticket] += 1;
    }
    first = __shfl_sync(FULL, draw, 31);
  }
}
