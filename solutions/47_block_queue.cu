// 47_block_queue - a reference answer.
//
// Two loops. The outer one belongs to the block: all threads go round it together, since it ends on
// `begin`, which is the same for all. Only there are barriers. The inner one belongs to the thread:
// some have more trips than others, and nobody waits in it.
//
// Atomic operations: one for each chunk that exists, and one for each block that finds none.

__device__ int collatz(int x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps++;
  }
  return steps;
}

__global__ void serve(const int *number, int *steps, int *runs, int *next, int tasks, int chunk) {
  __shared__ int first;
  while (true) {
    if (threadIdx.x == 0) first = atomicAdd(next, chunk);
    __syncthreads(); // claimed before it is read
    int begin = first;
    __syncthreads(); // read by all, before thread 0 writes it again
    if (begin >= tasks) break;

    // The next chunk is somebody else's, and the last one may reach past the tasks.
    int end = min(begin + chunk, tasks);
    for (int task = begin + threadIdx.x; task < end; task += blockDim.x) {
      steps[task] = collatz(number[task]);
      runs[task] += 1;
    }
  }
}
