// expect: UNINIT|DEADLOCK
// The mask of the shuffle is a report of who is here. After uneven work that may be one lane alone:
// it asks lane 0, which takes no part, and gets an undefined number, which decides whether it leaves
// [UNINIT]. With a number below tasks it may also go round for ever [DEADLOCK, which takes
// precedence]. Shows under the split schedule.
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
    int first = 0;
    if (lane == 0) first = atomicAdd(next, 32);
    first = __shfl_sync(here, first, 0);
    if (first >= tasks) break;
    int ticket = first + lane;
    if (ticket < tasks) {
      steps[ticket] = collatz(number[ticket]);
      runs[ticket] += 1;
    }
  }
}
