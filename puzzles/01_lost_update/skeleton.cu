// expect: RACE
//
// 01 - Lost update
//
// Every thread looks at one reading. Count how many readings lie above the limit: *count is 0
// when the kernel starts and holds the answer when it ends.
//
// The kernel is almost right: the one line that counts loses updates.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // this thread's number, over all blocks

  if (i < n && reading[i] > limit) {
    // TODO (1 line): let any number of threads count at the same moment.
    *count += 1;
  }
}
