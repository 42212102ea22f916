// 01 - Lost update: reference answer

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n && reading[i] > limit) {
    // Read, add and write are one step in the memory itself. However many threads arrive at once,
    // they are served one after the other, each on the value that the one before left, so every 1
    // arrives. Their order is open, but a sum does not depend on it.
    atomicAdd(count, 1);
  }
}
