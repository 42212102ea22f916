// expect: RACE
// One thread of a block claims, but each block has one: read and write are two steps.

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
    if (threadIdx.x == 0) {
      first = *next;
      *next = first + chunk;
    }
    __syncthreads();
    int begin = first;
    __syncthreads();
    if (begin >= tasks) break;
    int end = min(begin + chunk, tasks);
    for (int task = begin + threadIdx.x; task < end; task += blockDim.x) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
