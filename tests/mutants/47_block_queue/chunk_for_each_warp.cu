// expect: WRONG|RULE
// Right results, but every warp claims chunks for itself: as many visitors at the counter as in
// puzzle 45. The counter has gone further than the blocks alone can have taken it.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks, int chunk) {
  int lane = threadIdx.x % 32;
  int lanes = min(32, (int)blockDim.x - (int)threadIdx.x / 32 * 32);
  unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  while (true) {
    int begin = 0;
    if (lane == 0) begin = atomicAdd(next, chunk);
    begin = __shfl_sync(mask, begin, 0);
    if (begin >= tasks) break;
    int end = min(begin + chunk, tasks);
    for (int task = begin + lane; task < end; task += lanes) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
