// expect: DEADLOCK
// As in puzzle 45, the news goes out by shuffle, but that reaches one warp only. Lane 0 of the
// other warps has claimed nothing and says 0: they do chunk 0 again and again, and never leave.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks, int chunk) {
  int lanes = min(32, (int)blockDim.x - (int)threadIdx.x / 32 * 32);
  unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  while (true) {
    int begin = 0;
    if (threadIdx.x == 0) begin = atomicAdd(next, chunk);
    begin = __shfl_sync(mask, begin, 0);
    if (begin >= tasks) break;
    int end = min(begin + chunk, tasks);
    for (int task = begin + threadIdx.x; task < end; task += blockDim.x) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
