// expect: WRONG
// Why: nothing races, but 31 of 32 threads never report what they found.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (threadIdx.x % 32 == 0 && i < n && reading[i] > limit) {
    atomicAdd(count, 1);
  }
}
