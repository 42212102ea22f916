// expect: RACE
// 47_block_queue - two levels: the block claims a chunk of tasks, its threads share it out.
//
// The tasks are those of the ticket queue: count the steps that number[t] needs to reach 1. Thread
// 0 claims `chunk` tasks for the whole block with one atomicAdd, and writes into shared memory
// where they begin. The threads do them, then the block claims the next chunk. A chunk may be
// smaller than the block or larger; the last one may reach past the end of the tasks.
//
// That is the idea. The kernel below looks like it and has three faults (see the README).
//
// Your task: every task exactly once, and at most one atomic operation for each chunk that exists
// and one more for each block. Rewrite `serve`. About 12 lines.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks, int chunk) {
  __shared__ int first; // where the block's chunk begins
  if (threadIdx.x == 0) first = atomicAdd(next, chunk);
  __syncthreads();
  int task = first + threadIdx.x;

  while (true) { // TODO (about 12 lines): who decides here, and for whom?
    if (task >= tasks) {
      if (threadIdx.x == 0) first = atomicAdd(next, chunk);
      __syncthreads();
      task = first + threadIdx.x;
      if (task >= tasks) break;
    }
    steps[task] = collatz(number[task]);
    runs[task] += 1; // the check looks here: every task exactly once
    task += blockDim.x;
  }
}
