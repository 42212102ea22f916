// expect: PASS
// The leader leaves the ticket in shared memory, between two warp barriers.

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
    __shared__ int f[8];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    __syncwarp();
    if (lane == 0) f[w] = atomicAdd(next, 32);
    __syncwarp();
    int t = f[w] + lane;
    if (t - lane >= tasks) break;
    if (t < tasks) {
      steps[t] = collatz(number[t]);
      runs[t] += 1;
    }
  }
}
