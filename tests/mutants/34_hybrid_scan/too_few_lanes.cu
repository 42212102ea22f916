// expect: DEADLOCK
// Only lanes with a slot come to the shuffles, whose mask names the whole warp. The others wait at
// the second barrier.
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
  if (t < warps) {
    int sum = warp_scan(slot[t]);
    slot[t] = sum;
  }
  __syncthreads();
  if (warp > 0) before = slot[warp - 1];
  total = slot[warps - 1];

  if (i < n) {
    inclusive[i] = before + upto;
    exclusive[i] = before + upto - mine;
  }
  if (t == 0) totals[blockIdx.x] = total;
}
