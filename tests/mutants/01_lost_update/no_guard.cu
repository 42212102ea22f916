// expect: BOUNDS line 9
// Why: the first shape has 32 threads and a single reading; thread 1 reads behind the end.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  (void)n;

  if (reading[i] > limit) {
    atomicAdd(count, 1);
  }
}
