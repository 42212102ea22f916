// expect: RACE line 18
// One thread opens the queue at the start of serve, while others already draw from it. (In the
// first case, with a single warp, nothing orders the store before the draws of the other lanes,
// either.)

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void open_queue(int *next) {}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *next = 0; // too late
  while (true) {
    int ticket = atomicAdd(next, 1);
    if (ticket >= tasks) break;
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1;
  }
}
