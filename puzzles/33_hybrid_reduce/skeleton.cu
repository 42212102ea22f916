// expect: WRONG
// 33_hybrid_reduce - the sum of a block: shuffles inside the warps, shared memory between them.
//
// For each block: sum[b] is the sum of its items, below[b] says how many of them are below zero.
// The kernel uses block_sum for both, one right after the other; only thread 0 needs the result.
//
// Your task: block_sum knows the sum of its own warp only. Let the warps put their sums together,
// with at most two barriers a call.
#define FULL 0xffffffffu // all 32 lanes take part

__device__ int warp_sum(int x) { // the butterfly: every lane gets the sum of the warp
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(FULL, x, step);
  return x;
}

__device__ int block_sum(int mine) {
  __shared__ int slot[32]; // one for each warp: a block has at most 32
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  int warps = blockDim.x / 32;
  int sum = warp_sum(mine);

  // TODO (about 5 lines): one slot for each warp, then one warp for all slots

  return sum;
}

__global__ void block_sums(const int *in, int *sum, int *below, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = i < n ? in[i] : 0;

  int total = block_sum(mine);
  int negative = block_sum(mine < 0);

  if (threadIdx.x == 0) {
    sum[blockIdx.x] = total;
    below[blockIdx.x] = negative;
  }
}
