// expect: RULE
// Right: the tree in shared memory. But it meets the whole block in each step.
#define FULL 0xffffffffu

__device__ int block_sum(int mine) {
  __shared__ int cell[1024];
  int t = threadIdx.x;
  cell[t] = mine;
  __syncthreads();
  for (int width = blockDim.x; width > 1;) {
    int half = (width + 1) / 2;
    if (t + half < width) cell[t] += cell[t + half];
    __syncthreads();
    width = half;
  }
  int sum = cell[0];
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
