// expect: WRONG
// Shares are settled beforehand; one atomic moves the counter to where it should be.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks, int chunk) {
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < tasks; t += gridDim.x * blockDim.x) {
    steps[t] = collatz(number[t]);
    runs[t] += 1;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(next, (tasks + chunk - 1) / chunk * chunk);
}
