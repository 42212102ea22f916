// expect: RACE
// To be safe, block 0 clears the counter at the start of the launch: others may have been counted.

__device__ int block_sum(int mine) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, mine);
  __syncthreads();
  int result = sum;
  __syncthreads();
  return result;
}

__global__ void total(const int *in, int *partial, int *done, int *sum, int n) {
  __shared__ bool last;
  if (blockIdx.x == 0 && threadIdx.x == 0) *done = 0;
  int blocks = gridDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  int mine = block_sum(i < n ? in[i] : 0);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(done, 1) == blocks - 1;
    __threadfence();
  }
  __syncthreads();

  if (last) {
    int all = 0;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x) all += partial[b];
    all = block_sum(all);
    if (threadIdx.x == 0) {
      *sum = all;
      *done = 0;
    }
  }
}
