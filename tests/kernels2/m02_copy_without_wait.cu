// TOOLS nvrtc,clang
#include <cuda_pipeline_primitives.h>
// A barrier does not wait for asynchronous copies.
__global__ void k(const int *g, int *o, int waits) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], g + t, 4);
  __pipeline_commit();
  if (waits) __pipeline_wait_prior(0);
  __syncthreads();
  o[t] = s[63 - t];
}
