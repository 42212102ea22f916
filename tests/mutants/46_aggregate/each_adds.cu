// expect: RULE
// Right: the leader draws for all who are here, but all of them are leaders: each draws a share of
// 1 for itself.

__device__ int draw_place(int *found) {
  int first = 0;
  for (unsigned left = __activemask(); left != 0; left &= left - 1)
    if (threadIdx.x % 32 == __ffs(left) - 1) first = atomicAdd(found, 1);
  return first;
}

__global__ void list_heavy(const int *begin, const int *weight, int *where, int *found, int *busy,
                           int rows, int limit) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = 0;
  if (row < rows) {
    for (int i = begin[row]; i < begin[row + 1]; i++) {
      if (weight[i] > limit) {
        int place = draw_place(found);
        where[place] = i;
        mine++;
      }
    }
  }
  int busy_rows = __syncthreads_count(mine > 0);
  if (threadIdx.x == 0) busy[blockIdx.x] = busy_rows;
}
