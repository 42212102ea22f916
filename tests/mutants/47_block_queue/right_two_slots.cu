// expect: PASS
// Right: two places in turn, one barrier a chunk. Thread 0 writes the place of round k + 2 only
// after the barrier of round k + 1, to which all others come after they have read that of round k.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks, int chunk) {
  __shared__ int first[2];
  for (int round = 0;; round++) {
    if (threadIdx.x == 0) first[round % 2] = atomicAdd(next, chunk);
    __syncthreads();
    int begin = first[round % 2];
    if (begin >= tasks) break;
    int end = min(begin + chunk, tasks);
    for (int task = begin + threadIdx.x; task < end; task += blockDim.x) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
