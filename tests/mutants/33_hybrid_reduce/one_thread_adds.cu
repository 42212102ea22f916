// expect: RULE
// Thread 0 adds up the items of its block.

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

  return sum;
}

__global__ void block_sums(const int *in, int *sum, int *below, int n) {
  if (threadIdx.x) return;
  int s = 0, b = 0;
  for (int i = blockIdx.x * blockDim.x; i < min(n, (int)((blockIdx.x + 1) * blockDim.x)); i++) {
    s += in[i];
    b += in[i] < 0;
  }
  sum[blockIdx.x] = s;
  below[blockIdx.x] = b;
}
