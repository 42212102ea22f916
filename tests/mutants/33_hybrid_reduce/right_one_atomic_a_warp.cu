// expect: PASS
// Right: instead of a slot for each warp there is one cell, to which each warp adds its sum. It
// has to be cleared before, and read by thread 0 before it is cleared again.
#define FULL 0xffffffffu

__device__ int warp_sum(int x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(FULL, x, step);
  return x;
}

__device__ int block_sum(int mine) {
  __shared__ int cell;
  int sum = warp_sum(mine);
  if (threadIdx.x == 0) cell = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&cell, sum);
  __syncthreads();
  return threadIdx.x == 0 ? cell : 0; // cleared again by the very thread that read it
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
