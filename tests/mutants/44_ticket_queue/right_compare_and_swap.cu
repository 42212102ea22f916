// expect: PASS
// Right: the increment as a compare-and-swap loop, which never draws past the end. A failed swap
// returns the number that others left, and the thread tries again with that.

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
  int ticket = 0;
  while (ticket < tasks) {
    int seen = atomicCAS(next, ticket, ticket + 1);
    if (seen != ticket) {
      ticket = seen; // others were faster
      continue;
    }
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1;
    ticket++;
  }
}
