// 35_last_block - a reference answer.

__device__ int block_sum(int mine) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, mine);
  __syncthreads();
  int result = sum;
  __syncthreads(); // all have read it: the next call may clear it
  return result;
}

__global__ void total(const int *in, int *partial, int *done, int *sum, int n) {
  __shared__ bool last;
  int blocks = gridDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  int mine = block_sum(i < n ? in[i] : 0);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;

    // Release: what stands above is written before this block is counted.
    __threadfence();
    // The counts are 0, 1, 2, ... in some order of the blocks; one block gets the last of them.
    last = atomicAdd(done, 1) == blocks - 1;
    // Acquire: what stands below is read after the block was counted. All other blocks were
    // counted before the last one, so it now knows all of partial.
    __threadfence();
  }
  // Passes on two things to the other threads: `last`, and what thread 0 knows of other blocks.
  __syncthreads();

  if (last) {
    int all = 0;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x) all += partial[b];
    all = block_sum(all);
    if (threadIdx.x == 0) {
      *sum = all;
      *done = 0; // nobody else will count in this launch
    }
  }
}
