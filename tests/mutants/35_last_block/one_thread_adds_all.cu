// expect: WRONG|RULE
// Thread 0 of block 0 adds up everything. No order is needed, and no block does its part.

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
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  int s = 0;
  for (int i = 0; i < n; i++) s += in[i];
  *sum = s;
}
