// expect: WRONG+note
// Why: volatile makes every access really happen, but it is still a read and then a write. All
// lanes of the first warp read 0 and write 1: updates are lost. Volatile against volatile is a
// note, not an error, so the values decide.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int *cell = count;

  if (i < n && reading[i] > limit) {
    *cell = *cell + 1;
  }
}
