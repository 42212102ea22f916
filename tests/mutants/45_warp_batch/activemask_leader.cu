// expect: WRONG
// The lowest lane that is here leads. A lane that comes alone after a long task draws 32 tickets,
// does one, and loses 31. Right as long as the warp happens to move together; wrong under the
// split schedule.
#define FULL 0xffffffffu

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
  int lane = threadIdx.x % 32;
  while (true) {
    unsigned here = __activemask();
    int leader = __ffs(here) - 1;
    int first = 0;
    if (lane == leader) first = atomicAdd(next, 32);
    first = __shfl_sync(here, first, leader);
    int ticket = first + lane;
    if (ticket >= tasks) break;
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1;
  }
}
