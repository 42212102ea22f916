// 46_aggregate - a reference answer.
//
// The group is whoever runs __activemask() together. It may be all lanes with a heavy item in this
// trip, or only some of them, and then the others are a group of their own a moment later. Both
// are right: each group draws exactly as many places as it has lanes, so no place is drawn twice
// and none is left out. Nobody needs to know who is missing.
//
// `here` is asked once. All of its lanes hold the same word, so they agree on the leader, and each
// of them goes on to the shuffle that names exactly them. A second __activemask() might see fewer.
//
// Atomic operations: one for each group.

__device__ int draw_place(int *found) {
  int lane = threadIdx.x % 32;
  unsigned here = __activemask();
  int leader = __ffs(here) - 1; // the lowest lane that is here; lane 0 need not be

  int first = 0;
  if (lane == leader) first = atomicAdd(found, __popc(here));
  first = __shfl_sync(here, first, leader);

  return first + __popc(here & ((1u << lane) - 1)); // as many as are below me
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
