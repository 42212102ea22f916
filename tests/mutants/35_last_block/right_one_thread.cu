// expect: PASS
// Right: thread 0 counts and adds up alone, so nobody else needs to know who is last.

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
  int blocks = gridDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  int mine = block_sum(i < n ? in[i] : 0);
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = mine;
  __threadfence();
  if (atomicAdd(done, 1) != blocks - 1) return;
  __threadfence();

  int all = 0;
  for (int b = 0; b < blocks; b++) all += partial[b];
  *sum = all;
  *done = 0;
}
