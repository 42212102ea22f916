// expect: RACE
// Only the leader knows where the share of the group begins; the others count on from 0.

__device__ int draw_place(int *found) {
  int lane = threadIdx.x % 32;
  unsigned here = __activemask();
  int first = 0;
  if (lane == __ffs(here) - 1) first = atomicAdd(found, __popc(here));
  return first + __popc(here & ((1u << lane) - 1));
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
