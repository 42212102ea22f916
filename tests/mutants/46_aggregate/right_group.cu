// expect: PASS
// Right: the same with the group type of cooperative groups.
#include <cooperative_groups.h>

__device__ int draw_place(int *found) {
  auto here = cooperative_groups::coalesced_threads();
  int first = 0;
  if (here.thread_rank() == 0) first = atomicAdd(found, here.size());
  return here.shfl(first, 0) + here.thread_rank();
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
