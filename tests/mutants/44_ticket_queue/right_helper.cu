// expect: PASS
// Right, in another style: a helper draws, and a for loop tests.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void open_queue(int *next) { *next = 0; }

__device__ int draw(int *next) { return atomicAdd(next, 1); }

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks) {
  for (int ticket = draw(next); ticket < tasks; ticket = draw(next)) {
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1;
  }
}
