// expect: PASS
// Right: thread 0 goes through the slots and leaves in each what comes before it. It has the total
// in the end, and the exclusive scan is made by a shuffle.
#define FULL 0xffffffffu

__device__ int warp_scan(int x) {
  int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    int below = __shfl_up_sync(FULL, x, step);
    if (lane >= step) x += below;
  }
  return x;
}

__global__ void block_scan(const int *in, int *inclusive, int *exclusive, int *totals, int n) {
  __shared__ int slot[32];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = t % 32;
  int warp = t / 32;
  int mine = i < n ? in[i] : 0;
  int upto = warp_scan(mine);
  int before = 0;
  int total = 0;

  int warps = (blockDim.x + 31) / 32;
  if (lane == 31 || t == blockDim.x - 1) slot[warp] = upto;
  __syncthreads();
  if (t == 0) {
    for (int w = 0; w < warps; w++) {
      int part = slot[w];
      slot[w] = total;
      total += part;
    }
  }
  __syncthreads();
  before = slot[warp];
  int below = __shfl_up_sync(FULL, upto, 1);
  if (lane == 0) below = 0;

  if (i < n) {
    inclusive[i] = before + upto;
    exclusive[i] = before + below;
  }
  if (t == 0) totals[blockIdx.x] = total;
}
