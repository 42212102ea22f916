// expect: PASS
// Right: no inner loop. The block moves through the chunk together, in steps of its own width, and
// claims when its first thread is past the end, which all threads know alike.

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
  int at = 0, end = 0; // of the block: the same in all threads
  while (true) {
    if (at >= end) {
      if (threadIdx.x == 0) first = atomicAdd(next, chunk);
      __syncthreads();
      at = first;
      __syncthreads();
      if (at >= tasks) break;
      end = min(at + chunk, tasks);
    }
    int task = at + threadIdx.x;
    if (task < end) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
    at += blockDim.x;
  }
}
