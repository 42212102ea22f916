// expect: PASS
// Two tickets at a time.

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
  for (int t; (t = atomicAdd(next, 2)) < tasks;)
    for (int k = t; k < t + 2 && k < tasks; k++) {
      steps[k] = collatz(number[k]);
      runs[k]++;
    }
}
