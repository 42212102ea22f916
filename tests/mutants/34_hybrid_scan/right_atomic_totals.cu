// expect: PASS
// The totals of the warps by atomics; nobody has to be the last lane.

#define FULL 0xffffffffu // all 32 lanes, or as many as the warp has

__device__ int warp_scan(int x) { // inclusive: the sum of the lanes up to this one
  int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    int below = __shfl_up_sync(FULL, x, step);
    if (lane >= step) x += below;
  }
  return x;
}

__global__ void block_scan(const int *in, int *inclusive, int *exclusive, int *totals, int n) {
  __shared__ int slot[32]; // one for each warp: a block has at most 32
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = t % 32;
  int warp = t / 32;
  int mine = i < n ? in[i] : 0;
  int upto = warp_scan(mine); // within the warp
  int before = 0;             // what all warps before this one have
  int total = 0;              // what the block has; thread 0 needs it

  for (int w = t; w < 32; w += blockDim.x) slot[w] = 0;
  __syncthreads();
  atomicAdd(&slot[warp], mine);
  __syncthreads();
  for (int w = 0; w < 32; w++) {
    if (w < warp) before += slot[w];
    total += slot[w];
  }

  if (i < n) {
    inclusive[i] = before + upto;
    exclusive[i] = before + upto - mine;
  }
  if (t == 0) totals[blockIdx.x] = total;
}
