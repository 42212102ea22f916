// expect: PASS
// Right: each thread counts its own heavy items first. A scan over the whole warp, outside of all
// branches, and one draw for each warp; then each row is read again.
#define FULL 0xffffffffu

__global__ void list_heavy(const int *begin, const int *weight, int *where, int *found, int *busy,
                           int rows, int limit) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int from = row < rows ? begin[row] : 0;
  int to = row < rows ? begin[row + 1] : 0;
  int mine = 0;
  for (int i = from; i < to; i++) mine += weight[i] > limit;

  int upto = mine;
  for (int step = 1; step < 32; step *= 2) {
    int other = __shfl_up_sync(FULL, upto, step);
    if (lane >= step) upto += other;
  }
  int first = 0;
  if (lane == 31) first = atomicAdd(found, upto);
  int place = __shfl_sync(FULL, first, 31) + upto - mine;
  for (int i = from; i < to; i++)
    if (weight[i] > limit) where[place++] = i;

  int busy_rows = __syncthreads_count(mine > 0);
  if (threadIdx.x == 0) busy[blockIdx.x] = busy_rows;
}
