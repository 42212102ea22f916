// expect: PASS
// Right, though it looks like the printed kernel: each thread says for itself when its share of the
// chunk is done, and goes to the barrier. But all of them come to the same barriers equally often,
// and what ends the loop is the same for the block. Those who are early wait.

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
  int begin = 0, end = 0, task = 0;
  while (true) {
    if (task >= end) {
      __syncthreads();
      if (threadIdx.x == 0) first = atomicAdd(next, chunk);
      __syncthreads();
      begin = first;
      if (begin >= tasks) break;
      end = min(begin + chunk, tasks);
      task = begin + threadIdx.x;
    }
    if (task < end) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
    task += blockDim.x;
  }
}
