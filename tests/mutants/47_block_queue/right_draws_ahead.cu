// expect: PASS
// Right: the last thread claims the next chunk before the block works on this one, and keeps the
// number to itself until all have read the one before. As many claims as before.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks, int chunk) {
  __shared__ int first;
  bool clerk = threadIdx.x == blockDim.x - 1;
  int mine = clerk ? atomicAdd(next, chunk) : 0;
  while (true) {
    if (clerk) first = mine;
    __syncthreads();
    int begin = first;
    if (begin >= tasks) break;
    if (clerk) mine = atomicAdd(next, chunk);
    int end = min(begin + chunk, tasks);
    for (int task = begin + threadIdx.x; task < end; task += blockDim.x) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
    __syncthreads();
  }
}
