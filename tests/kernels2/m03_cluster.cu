// TOOLS nvrtc
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Each thread adds up what the four blocks of its cluster hold for it.
__global__ void __cluster_dims__(4, 1, 1) sum(int *d) {
  __shared__ int s[64];
  auto c = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x + 100 * c.block_rank();
  c.sync();
  int v = 0;
  for (unsigned r = 0; r < c.num_blocks(); r++) v += c.map_shared_rank(s, r)[threadIdx.x];
  c.sync();
  d[blockIdx.x * 64 + threadIdx.x] = v;
}
// A histogram over the shared memory of two blocks: bins 0 to 31 in block 0, the others in block 1.
__global__ void __cluster_dims__(2, 1, 1) bins(const int *in, int *out) {
  __shared__ int s[32];
  auto c = cg::this_cluster();
  if (threadIdx.x < 32) s[threadIdx.x] = 0;
  c.sync();
  int b = in[blockIdx.x * 64 + threadIdx.x] & 63;
  atomicAdd(c.map_shared_rank(s, b / 32) + b % 32, 1);
  c.sync();
  if (threadIdx.x < 32) out[c.block_rank() * 32 + threadIdx.x] = s[threadIdx.x];
}
// A block may end while the other still reads its shared memory.
__global__ void __cluster_dims__(2, 1, 1) leaves(int *d) {
  __shared__ int s[64];
  auto c = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  c.sync();
  d[blockIdx.x * 64 + threadIdx.x] = c.map_shared_rank(s, c.block_rank() ^ 1)[threadIdx.x];
}
// No barrier between the stores and the loads.
__global__ void __cluster_dims__(2, 1, 1) early(int *d) {
  __shared__ int s[64];
  auto c = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  d[blockIdx.x * 64 + threadIdx.x] = c.map_shared_rank(s, c.block_rank() ^ 1)[threadIdx.x];
  c.sync();
}
