// expect: RACE line 18
// As printed: all three faults at once. Thread 0 rewrites `first` while others still read it; the
// work goes on past the end of the chunk; the barrier stands in a branch of each thread.

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
  if (threadIdx.x == 0) first = atomicAdd(next, chunk);
  __syncthreads();
  int task = first + threadIdx.x;

  while (true) {
    if (task >= tasks) {
      if (threadIdx.x == 0) first = atomicAdd(next, chunk);
      __syncthreads();
      task = first + threadIdx.x;
      if (task >= tasks) break;
    }
    steps[task] = collatz(number[task]);
    runs[task] += 1;
    task += blockDim.x;
  }
}
