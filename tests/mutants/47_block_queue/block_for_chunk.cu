// expect: RULE|WRONG
// Claims as many tasks as the block has threads, whatever the chunk. Right results; too many claims
// where the block is smaller [RULE], more than was asked where it is larger [WRONG].

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
    if (threadIdx.x == 0) first = atomicAdd(next, blockDim.x);
    __syncthreads();
    int task = first + threadIdx.x;
    int begin = first;
    __syncthreads();
    if (begin >= tasks) break;
    if (task < tasks) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
