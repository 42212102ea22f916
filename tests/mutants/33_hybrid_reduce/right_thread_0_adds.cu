// expect: PASS
// Right: there are at most 32 slots, so thread 0 can as well add them one by one. And the barrier
// for the next call may stand at its beginning as well as at the end of this one.
#define FULL 0xffffffffu

__device__ int warp_sum(int x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(FULL, x, step);
  return x;
}

__device__ int block_sum(int mine) {
  __shared__ int slot[32];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  int warps = blockDim.x / 32;
  int sum = warp_sum(mine);

  __syncthreads();
  if (lane == 0) slot[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (int w = 0; w < warps; w++) sum += slot[w];
  }
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
