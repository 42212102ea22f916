// expect: RACE line 19
// One barrier: thread 0 is done with its tasks and claims again, while others have not even read
// where this chunk begins.

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
    if (begin >= tasks) break;
    int end = min(begin + chunk, tasks);
    for (int task = begin + threadIdx.x; task < end; task += blockDim.x) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
