// expect: RACE line 12
// Why: a barrier makes threads meet; it does not make them pass one by one. Between the two
// barriers all of them run the same read-add-write, unordered.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool above = i < n && reading[i] > limit;

  __syncthreads();
  if (above) {
    // only one at a time?
    *count += 1;
  }
  __syncthreads();
}
