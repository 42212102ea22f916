// expect: WRONG
// No queue: block b does chunks b, b + blocks and so on. Each task once, but who is free takes
// nothing from those who are not, and the counter has not moved.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks, int chunk) {
  for (int begin = blockIdx.x * chunk; begin < tasks; begin += gridDim.x * chunk) {
    int end = min(begin + chunk, tasks);
    for (int task = begin + threadIdx.x; task < end; task += blockDim.x) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
