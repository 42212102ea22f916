// expect: PASS
// Right: each thread draws four tickets at a time. Fewer trips to the counter, coarser balance.

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
  while (true) {
    int first = atomicAdd(next, 4);
    if (first >= tasks) break;
    for (int ticket = first; ticket < first + 4 && ticket < tasks; ticket++) {
      steps[ticket] = collatz(number[ticket]);
      runs[ticket] += 1;
    }
  }
}
