// expect: PASS
// Right: one atomic operation that is a release and an acquire itself.
#include <cuda/atomic>

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
    cuda::atomic_ref<int, cuda::thread_scope_device> counter(*done);
    last = counter.fetch_add(1, cuda::memory_order_acq_rel) == blocks - 1;
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
