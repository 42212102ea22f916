// expect: RULE
// Right, but a chunk is fetched in two halves: twice as many claims.

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
  int half = (chunk + 1) / 2;
  while (true) {
    if (threadIdx.x == 0) first = atomicAdd(next, half);
    __syncthreads();
    int begin = first;
    __syncthreads();
    if (begin >= tasks) break;
    int end = min(begin + half, tasks);
    for (int task = begin + threadIdx.x; task < end; task += blockDim.x) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
