// expect: RACE line 17
// run: --grid 4 --block 64 --arg buf:i32:512:iota --arg buf:i32:64:zero --arg i32:512
// Histogram of 64 bins spread over the shared memory of a cluster of two blocks.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) histogram(const int *in, int *hist, int n) {
  __shared__ int bins[32];
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int b = in[i] % 64;
    int *remote = cluster.map_shared_rank(bins, b / 32);
    atomicAdd(remote + b % 32, 1);
  }
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&hist[cluster.block_rank() * 32 + threadIdx.x], bins[threadIdx.x]);
}
