// expect: WRONG
// Every task is done once, but nobody draws a ticket: a fixed share for each thread, which leaves
// those with short tasks idle. The counter still stands at zero.

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
  int threads = gridDim.x * blockDim.x;
  for (int ticket = blockIdx.x * blockDim.x + threadIdx.x; ticket < tasks; ticket += threads) {
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1;
  }
}
