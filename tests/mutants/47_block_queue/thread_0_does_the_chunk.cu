// expect: RULE
// Thread 0 claims the chunk and does it alone.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks, int chunk) {
  if (threadIdx.x) return;
  for (int f; (f = atomicAdd(next, chunk)) < tasks;)
    for (int t = f; t < min(f + chunk, tasks); t++) {
      steps[t] = collatz(number[t]);
      runs[t] += 1;
    }
}
