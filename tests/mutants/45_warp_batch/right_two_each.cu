// expect: PASS
// Right: batches of 64, two tasks for each lane. Fewer trips still.
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
    int first = lane == 0 ? atomicAdd(next, 64) : 0;
    first = __shfl_sync(FULL, first, 0);
    if (first >= tasks) break;
    for (int ticket = first + lane; ticket < first + 64 && ticket < tasks; ticket += 32) {
      steps[ticket] = collatz(number[ticket]);
      runs[ticket] += 1;
    }
  }
}
