// expect: WRONG
// The block that comes first takes everything: few atomics, each task once, and one block works
// while the others go home.

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
  if (threadIdx.x == 0) first = atomicAdd(next, tasks);
  __syncthreads();
  for (int task = first + threadIdx.x; task < tasks; task += blockDim.x) {
    steps[task] = collatz(number[task]);
    runs[task] += 1;
  }
}
