// expect: RULE
// 45_warp_batch - one lane draws 32 tickets for the whole warp.
//
// The tasks are those of the ticket queue: count the steps that number[t] needs to reach 1. The
// kernel below is right, but each task and each thread cost one atomic operation on a single
// counter, and they all have to be done one after the other.
//
// Your task: let one lane, the leader, draw 32 tickets at once with a single atomicAdd, and tell
// the others by a shuffle where the batch begins; lane L does task number first + L. At most one
// atomic operation for each batch of 32 tasks, and one more for each warp. About 6 lines.
#define FULL 0xffffffffu // all 32 lanes take part

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
    int ticket = atomicAdd(next, 1); // TODO (about 6 lines): 32 tickets for the warp
    if (ticket >= tasks) break;
    steps[ticket] = collatz(number[ticket]);
    runs[ticket] += 1; // the check looks here: every task exactly once
  }
}
