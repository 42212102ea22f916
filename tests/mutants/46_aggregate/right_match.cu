// expect: PASS
// Right: lanes that are here and have the same counter in mind. That is more general: it would do for
// many counters, too.

__device__ int draw_place(int *found) {
  int lane = threadIdx.x % 32;
  unsigned same = __match_any_sync(__activemask(), (unsigned long long)found);
  int leader = __ffs(same) - 1;
  int first = 0;
  if (lane == leader) first = atomicAdd(found, __popc(same));
  first = __shfl_sync(same, first, leader);
  return first + __popc(same & ((1u << lane) - 1));
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
