// expect: RACE line 24
// volatile makes the counter visible, not the increment atomic: two threads still draw the same
// ticket. The collision on the volatile counter itself is a note; the plain accesses to
// runs[ticket] are the race.

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
  volatile int *counter = next;
  while (true) {
    int ticket = *counter;
    *counter = ticket + 1;
    if (ticket >= tasks) break;
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1; // twice
  }
}
