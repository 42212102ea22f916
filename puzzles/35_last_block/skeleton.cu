// expect: RACE
// 35_last_block - the block that is done last adds up what all blocks have found.
//
// Each block writes the sum of its items to partial[blockIdx.x]; one block then adds up all of
// partial and writes *sum. Below, this is always the block with the highest number, and it does not
// wait for anybody. Blocks start and end in any order.
//
// Your task: find out which block is the last to be done, by counting in *done, and let that one
// add up. *done is 0 at the start and has to be 0 again at the end: the check launches the kernel
// several times and does not clear it. About 8 lines.

// The sum over the block, in all of its threads. Nothing to do here.
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
  int blocks = gridDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  int mine = block_sum(i < n ? in[i] : 0);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;

  // TODO (about 8 lines): be counted, and let all threads of the block know whether it is the last
  bool last = blockIdx.x == blocks - 1;

  if (last) {
    int all = 0;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x) all += partial[b];
    all = block_sum(all);
    if (threadIdx.x == 0) *sum = all;
  }
}
