// expect: UNINIT|WRONG
// Volatile instead of fences. Nothing keeps the write in front of the count: where stores are
// delayed, the last block reads what was in partial before, which in the first launch is nothing.
// (Two volatile accesses without an order are a note, not a race.)

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
  int blocks = gridDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  volatile int *part = partial;
  int mine = block_sum(i < n ? in[i] : 0);
  if (threadIdx.x == 0) {
    part[blockIdx.x] = mine;
    last = atomicAdd(done, 1) == blocks - 1;
  }
  __syncthreads();

  if (last) {
    int all = 0;
    for (int b = threadIdx.x; b < blocks; b += blockDim.x) all += part[b];
    all = block_sum(all);
    if (threadIdx.x == 0) {
      *sum = all;
      *done = 0;
    }
  }
}
