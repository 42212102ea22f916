// expect: PASS
// The block counts with a barrier that carries an answer; one atomic for each block.

__global__ void count_above(const int *reading, int n, int limit, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = __syncthreads_count(i < n && reading[i] > limit);
  if (threadIdx.x == 0 && c) atomicAdd(count, c);
}
