// expect: PASS
// Right, with one barrier a call: each call has slots of its own, so nothing is used again.
#define FULL 0xffffffffu

__device__ int warp_sum(int x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(FULL, x, step);
  return x;
}

__device__ int block_sum(int mine, int *slot) {
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  int warps = blockDim.x / 32;
  int sum = warp_sum(mine);
  if (lane == 0) slot[warp] = sum;
  __syncthreads();
  return warp_sum(lane < warps ? slot[lane] : 0); // each warp for itself: all have the result
}

__global__ void block_sums(const int *in, int *sum, int *below, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = i < n ? in[i] : 0;
  __shared__ int slot[2][32];

  int total = block_sum(mine, slot[0]);
  int negative = block_sum(mine < 0, slot[1]);

  if (threadIdx.x == 0) {
    sum[blockIdx.x] = total;
    below[blockIdx.x] = negative;
  }
}
