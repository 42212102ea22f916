// expect: PASS
// Why: the block counts in shared memory with atomics; barriers separate zeroing, counting and
// the one atomic by which each block hands its number on.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  __shared__ int here;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (threadIdx.x == 0) here = 0;
  __syncthreads();
  if (i < n && reading[i] > limit) atomicAdd(&here, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, here);
}
