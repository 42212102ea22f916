// expect: PASS
// The threads of the block draw the tasks of the chunk from a counter in shared memory.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks, int chunk) {
  __shared__ int first, inner;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) {
      first = atomicAdd(next, chunk);
      inner = 0;
    }
    __syncthreads();
    if (first >= tasks) return;
    for (int k; (k = atomicAdd(&inner, 1)) < chunk && first + k < tasks;) {
      int t = first + k;
      steps[t] = collatz(number[t]);
      runs[t] += 1;
    }
  }
}
