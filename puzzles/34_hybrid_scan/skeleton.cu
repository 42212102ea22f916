// expect: WRONG
// 34_hybrid_scan - running totals of a block: scans inside the warps, one scan of their totals.
//
// inclusive[i] is the sum of the block's items up to and including in[i], exclusive[i] the same
// without in[i]; each block starts afresh. totals[b] is the sum of block b. Past the end of the
// data a thread has 0. The block may have any number of threads, so its last warp may be short.
//
// Your task: upto begins again with each warp. Find what the warps before have in total, and what
// the whole block has. At most three barriers.
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

  // TODO (about 10 lines): before and total, by way of slot. You will need lane and warp.

  if (i < n) {
    inclusive[i] = before + upto;
    exclusive[i] = before + upto - mine;
  }
  if (t == 0) totals[blockIdx.x] = total;
}
