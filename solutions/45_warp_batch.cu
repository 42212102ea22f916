// 45_warp_batch - a reference answer.
//
// The leader, lane 0, draws 32 tickets in one atomic step; the batches of two warps never
// overlap. The shuffle gives its number to all lanes. It names all 32, and all 32 come in every
// trip: the loop ends on `first`, which is the same in the whole warp, and a lane without a task
// skips only the work. Lanes that finish their task early wait at the next shuffle.
//
// Atomic operations: one for each batch that exists, and one for each warp that finds none.
#define FULL 0xffffffffu
#define BATCH 32

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
    int first = 0;
    if (lane == 0) first = atomicAdd(next, BATCH);
    first = __shfl_sync(FULL, first, 0);
    if (first >= tasks) break; // all lanes leave, or none

    int ticket = first + lane;
    if (ticket < tasks) {
      steps[ticket] = collatz(number[ticket]);
      runs[ticket] += 1;
    }
  }
}
