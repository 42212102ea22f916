// expect: PASS
// Right: no opportunistic group at all. The whole warp makes as many trips as its longest row has
// items, and in each of them a ballot tells everyone who has a heavy item.
#define FULL 0xffffffffu

__global__ void list_heavy(const int *begin, const int *weight, int *where, int *found, int *busy,
                           int rows, int limit) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int i = row < rows ? begin[row] : 0;
  int end = row < rows ? begin[row + 1] : 0;
  int mine = 0;
  for (; __any_sync(FULL, i < end); i++) {
    bool heavy = i < end && weight[i] > limit;
    unsigned hands = __ballot_sync(FULL, heavy);
    int first = 0;
    if (lane == 0) first = atomicAdd(found, __popc(hands));
    first = __shfl_sync(FULL, first, 0);
    if (heavy) where[first + __popc(hands & ((1u << lane) - 1))] = i;
    mine += heavy;
  }
  int busy_rows = __syncthreads_count(mine > 0);
  if (threadIdx.x == 0) busy[blockIdx.x] = busy_rows;
}
