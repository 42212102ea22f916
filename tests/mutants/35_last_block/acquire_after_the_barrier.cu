// expect: RACE
// Thread 0 has counted, but passes that on by the barrier before it has fenced. The fences of
// the other threads, behind the barrier, do not help: they have not seen the count themselves.
// Many GPUs forgive it; the memory model does not promise it.

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

  int mine = block_sum(i < n ? in[i] : 0);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(done, 1) == blocks - 1;
  }
  __syncthreads();
  __threadfence();

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
