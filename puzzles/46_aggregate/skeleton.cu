// expect: RULE
// 46_aggregate - one atomic operation for those who happen to be here.
//
// Thread `row` inspects the items begin[row] to begin[row + 1] - 1. The number of each item that is
// heavier than `limit` goes to the list where[0], where[1], ... in any order and without holes;
// *found, which the check has set to 0, counts them. busy[b] is how many rows of block b had one.
//
// The kernel is right, but draw_place costs one atomic operation for each item, all on one counter.
// It is called deep inside a branch inside a loop, and each row has a length of its own: nobody can
// say which lanes of the warp will be there.
//
// Your task: let the lanes that run draw_place together draw their places with one atomicAdd, and
// share them out. You need not touch list_heavy. Blocks have whole warps.

__device__ int draw_place(int *found) {
  return atomicAdd(found, 1); // TODO (about 7 lines): one atomicAdd for all who are here
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
