// expect: WRONG
// Shares are settled beforehand; one atomic moves the counter to where it should be.

#define FULL 0xffffffffu // all 32 lanes take part

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void open_queue(int *next) { *next = 0; }

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks) {
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < tasks; t += gridDim.x * blockDim.x) {
    steps[t] = collatz(number[t]);
    runs[t] += 1;
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(next, tasks);
}
