// TOOLS nvrtc,clang
#include <cuda/barrier>
// The barrier expects one thread more than there are.
__global__ void k(int *d) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, blockDim.x + 1);
  __syncthreads();
  b.arrive_and_wait();
  d[threadIdx.x] = 1;
}
