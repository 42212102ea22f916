// expect: DEADLOCK line 22
// As break_by_lane, but those who leave the loop exit: the shuffle names lanes that are gone.
// Some hardware would let it pass; no rule says that it must.
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
    first = __shfl_sync(FULL, first, 0); // waits
    int ticket = first + lane;
    if (ticket >= tasks) break;
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1;
  }
}
