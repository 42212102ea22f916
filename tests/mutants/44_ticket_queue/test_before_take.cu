// expect: RACE|BOUNDS
// The plain look at the counter races with the atomics of others; and as they draw between the
// look and the turn, tickets past the end are used.

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
  while (*next < tasks) {
    int ticket = atomicAdd(next, 1);
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1;
  }
}
