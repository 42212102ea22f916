// expect: RACE line 17
// run: --grid 1 --block 64 --arg buf:i32:64:iota --arg buf:i32:64
// a bulk copy through cuda::ptx, and nobody waits for the barrier that counts its bytes
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void k(const int *g, int *o) {
  __shared__ alignas(128) int s[64];
  __shared__ cuda::std::uint64_t b;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&b, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, g, sizeof s, &b);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &b, sizeof s);
  }
  __syncthreads();
  /* here */
  o[threadIdx.x] = s[63 - threadIdx.x];
}
