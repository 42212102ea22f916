// expect: PASS
// Why: the swap happens only if the cell still holds what this thread saw; who comes too late
// tries again with the newer value. Every access to the cell is atomic.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n && reading[i] > limit) {
    int guess = 0;

    while (true) {
      int found = atomicCAS(count, guess, guess + 1);
      if (found == guess) break;
      guess = found;
    }
  }
}
