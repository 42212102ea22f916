// expect: WRONG
// One task for each thread and chunk: right where the block is at least as wide as the chunk.

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
  while (true) {
    if (threadIdx.x == 0) first = atomicAdd(next, chunk);
    __syncthreads();
    int begin = first;
    __syncthreads();
    if (begin >= tasks) break;
    int task = begin + threadIdx.x;
    if (task < begin + chunk && task < tasks) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
