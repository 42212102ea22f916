// expect: BOUNDS line 13
// Why: the atomic works on a thread's own local variable, and PTX atomics exist for global and
// shared memory only. That fault ends the launch before any thread stores its copy, so no race
// comes first.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n && reading[i] > limit) {
    int mine = *count;
    int *where = &mine;

    atomicAdd(where, 1);
    *count = mine;
  }
}
