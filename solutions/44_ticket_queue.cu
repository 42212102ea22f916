// 44_ticket_queue - a reference answer.
//
// atomicAdd reads and increments in one step and returns the old value, so no two threads hold
// the same ticket, and none is left out. A thread that holds a ticket owns steps[ticket] and
// runs[ticket]; plain accesses are enough there. Only after drawing does it know whether its
// ticket is valid: at the end every thread draws one number too many, which costs nothing.
//
// The plain store in open_queue is no race: the end of one launch comes before the start of the
// next.

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
    int ticket = atomicAdd(next, 1);
    if (ticket >= tasks) break;
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1;
  }
}
