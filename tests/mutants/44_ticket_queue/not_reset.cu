// expect: WRONG
// The queue is never opened. The first round works, because the counter happened to be zero; in
// the second all tickets are gone before anybody draws.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void open_queue(int *next) {}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks) {
  while (true) {
    int ticket = atomicAdd(next, 1);
    if (ticket >= tasks) break;
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1;
  }
}
