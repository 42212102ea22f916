// 34_hybrid_scan - a reference answer.
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

  // Rounded up: a short warp at the end counts, too.
  int warps = (blockDim.x + 31) / 32;

  // The last lane that the warp has holds its total: lane 31, or in a short warp the last thread
  // of the block.
  if (lane == 31 || t == blockDim.x - 1) slot[warp] = upto;
  __syncthreads();

  // Each lane of warp 0 reads and writes its own slot only, so it can be done in place. All lanes
  // that warp 0 has run the scan, as shuffles need them; and it has at least as many lanes as
  // there are warps, since a block with a second warp has a full first one.
  if (warp == 0) {
    int sum = warp_scan(lane < warps ? slot[lane] : 0);
    if (lane < warps) slot[lane] = sum;
  }

  // The others read what warp 0 has written. There is no third barrier: the slots are not used
  // again.
  __syncthreads();
  if (warp > 0) before = slot[warp - 1];
  total = slot[warps - 1];

  if (i < n) {
    inclusive[i] = before + upto;
    exclusive[i] = before + upto - mine;
  }
  if (t == 0) totals[blockIdx.x] = total;
}
