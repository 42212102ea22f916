// expect: WRONG
// Right, but in the wrong place: the last warp has the sum of the block, and thread 0 reports that
// of its own warp.
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

  if (lane == 0) slot[warp] = sum;
  __syncthreads();
  if (warp == warps - 1) sum = warp_sum(lane < warps ? slot[lane] : 0);
  __syncthreads();
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
