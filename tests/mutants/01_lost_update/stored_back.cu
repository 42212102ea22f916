// expect: RACE line 11
// Why: the atomic is right, and the plain store of its result beside it undoes what others added
// since. That store and another thread's atomic are unordered.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n && reading[i] > limit) {
    int before = atomicAdd(count, 1);

    *count = before + 1;
  }
}
