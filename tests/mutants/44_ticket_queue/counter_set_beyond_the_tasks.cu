// expect: WRONG
// Shares are settled beforehand, and the counter is set so that it looks drawn from.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void open_queue(int *next) { *next = 1000000; }

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (; i < tasks; i += all) {
    steps[i] = collatz(number[i]);
    runs[i] += 1;
  }
}
