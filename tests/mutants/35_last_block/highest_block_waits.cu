// expect: DEADLOCK
// The block with the highest number waits until all others are counted. Where it is the only one that the
// GPU holds, the others never start.

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

  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(done, 1);
  }
  bool last = blockIdx.x == blocks - 1;
  if (last && threadIdx.x == 0) {
    while (atomicAdd(done, 0) < blocks) {}
    __threadfence();
    *done = 0;
  }
  __syncthreads();

  if (last) {
    int all = 0;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x) all += partial[b];
    all = block_sum(all);
    if (threadIdx.x == 0) *sum = all;
  }
}
