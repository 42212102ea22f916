// expect: WRONG
// Fault 1 alone: both barriers stand right, but a thread walks on through the chunks of others.
// With one block that is no race, only work done twice.

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
    for (int task = begin + threadIdx.x; task < tasks; task += blockDim.x) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
