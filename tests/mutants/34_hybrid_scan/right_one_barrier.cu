// expect: PASS
// Right, with one barrier: each thread adds the slots before its warp on its own. They are at most
// 31, and nobody writes to them any more.
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
  for (int w = 0; w < warps; w++) {
    if (w < warp) before += slot[w];
    total += slot[w];
  }

  if (i < n) {
    inclusive[i] = before + upto;
    exclusive[i] = before + upto - mine;
  }
  if (t == 0) totals[blockIdx.x] = total;
}
