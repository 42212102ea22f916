// expect: PASS
// Why: every thread that has a reading adds 0 or 1, atomically.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int above = 0;

  if (i < n) above = reading[i] > limit ? 1 : 0;
  atomicAdd(count, above);
}
