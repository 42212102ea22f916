// expect: RACE line 16
// The barrier before the read is missing: the others do not wait for the claim.

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
