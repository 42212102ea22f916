// What <cuda/ptx> offers: barrier objects, fences, clusters, registers, bulk copies. See tests/unit/test_stand_ins.c.
#include <cuda/ptx>
namespace ptx = cuda::ptx;
using ptx::scope_cluster;
using ptx::scope_cta;
using ptx::sem_acquire;
using ptx::sem_relaxed;
using ptx::sem_release;
using ptx::space_cluster;
using ptx::space_global;
using ptx::space_shared;
using u32 = cuda::std::uint32_t;
using u64 = cuda::std::uint64_t;
__global__ void arrive(u64 *o, u32 n) {
  __shared__ u64 b;
  ptx::mbarrier_init(&b, n);
  o[0] = ptx::mbarrier_arrive(&b);
  o[1] = ptx::mbarrier_arrive(&b, n);
  o[2] = ptx::mbarrier_arrive_no_complete(&b, n);
  o[3] = ptx::mbarrier_arrive(sem_release, scope_cta, space_shared, &b);
  o[4] = ptx::mbarrier_arrive(sem_release, scope_cluster, space_shared, &b, n);
  o[5] = ptx::mbarrier_arrive(sem_relaxed, scope_cta, space_shared, &b, n);
  o[6] = ptx::mbarrier_arrive(sem_relaxed, scope_cluster, space_shared, &b);
  ptx::mbarrier_arrive(sem_release, scope_cluster, space_cluster, &b);
  ptx::mbarrier_arrive(sem_release, scope_cluster, space_cluster, &b, n);
  ptx::mbarrier_arrive(sem_relaxed, scope_cluster, space_cluster, &b, n);
  o[7] = ptx::mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, &b, n);
  o[8] = ptx::mbarrier_arrive_expect_tx(sem_relaxed, scope_cluster, space_shared, &b, n);
  ptx::mbarrier_arrive_expect_tx(sem_release, scope_cluster, space_cluster, &b, n);
  ptx::mbarrier_expect_tx(sem_relaxed, scope_cta, space_shared, &b, n);
  ptx::mbarrier_expect_tx(sem_relaxed, scope_cluster, space_cluster, &b, n);
}
__global__ void wait(u32 *o, u64 token, u32 n) {
  __shared__ u64 b;
  o[0] = ptx::mbarrier_test_wait(&b, token);
  o[1] = ptx::mbarrier_test_wait(sem_acquire, scope_cta, &b, token);
  o[2] = ptx::mbarrier_test_wait(sem_relaxed, scope_cluster, &b, token);
  o[3] = ptx::mbarrier_test_wait_parity(&b, n);
  o[4] = ptx::mbarrier_test_wait_parity(sem_acquire, scope_cluster, &b, n);
  o[5] = ptx::mbarrier_try_wait(&b, token);
  o[6] = ptx::mbarrier_try_wait(&b, token, n);
  o[7] = ptx::mbarrier_try_wait(sem_acquire, scope_cta, &b, token);
  o[8] = ptx::mbarrier_try_wait(sem_acquire, scope_cluster, &b, token, n);
  o[9] = ptx::mbarrier_try_wait(sem_relaxed, scope_cta, &b, token);
  o[10] = ptx::mbarrier_try_wait_parity(&b, n);
  o[11] = ptx::mbarrier_try_wait_parity(&b, n, n);
  o[12] = ptx::mbarrier_try_wait_parity(sem_acquire, scope_cluster, &b, n);
  o[13] = ptx::mbarrier_try_wait_parity(sem_relaxed, scope_cta, &b, n, n);
}
__global__ void fences() {
  ptx::fence(ptx::sem_sc, scope_cta);
  ptx::fence(ptx::sem_sc, scope_cluster);
  ptx::fence(ptx::sem_acq_rel, ptx::scope_gpu);
  ptx::fence(ptx::sem_acq_rel, ptx::scope_sys);
  ptx::fence(sem_acquire, scope_cta);
  ptx::fence(sem_release, ptx::scope_gpu);
  ptx::fence_mbarrier_init(sem_release, scope_cluster);
  ptx::fence_proxy_alias();
  ptx::fence_proxy_async();
  ptx::fence_proxy_async(space_global);
  ptx::fence_proxy_async(space_cluster);
  ptx::fence_proxy_async(space_shared);
  ptx::fence_sync_restrict(sem_acquire, space_cluster, scope_cluster);
  ptx::fence_proxy_async_generic_sync_restrict(sem_release, space_shared, scope_cluster);
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  ptx::barrier_cluster_arrive(sem_release);
  ptx::barrier_cluster_arrive(sem_relaxed);
  ptx::barrier_cluster_wait(sem_acquire);
}
__global__ void registers(u32 *o, u64 *q) {
  __shared__ int s;
  o[0] = ptx::get_sreg_tid_x() + ptx::get_sreg_ntid_y() + ptx::get_sreg_ctaid_z() + ptx::get_sreg_nctaid_x();
  o[1] = ptx::get_sreg_laneid() + ptx::get_sreg_warpid() + ptx::get_sreg_smid() + ptx::get_sreg_nsmid();
  o[2] = ptx::get_sreg_cluster_ctarank() + ptx::get_sreg_cluster_nctarank() + ptx::get_sreg_clusterid_x() + ptx::get_sreg_cluster_ctaid_y() + ptx::get_sreg_cluster_nctaid_z();
  o[3] = ptx::get_sreg_lanemask_lt() + ptx::get_sreg_lanemask_ge() + ptx::get_sreg_clock() + ptx::get_sreg_globaltimer_lo();
  o[4] = ptx::get_sreg_dynamic_smem_size() + ptx::get_sreg_total_smem_size() + ptx::get_sreg_is_explicit_cluster();
  o[5] = ptx::getctarank(space_cluster, &s);
  q[0] = ptx::get_sreg_clock64() + ptx::get_sreg_globaltimer() + ptx::get_sreg_gridid();
}
__global__ void copies(int *g, double *h, u32 n, unsigned short blocks) {
  __shared__ u64 b;
  __shared__ alignas(128) int s[64];
  ptx::cp_async_bulk(space_cluster, space_global, s, g, n, &b);
  ptx::cp_async_bulk(space_shared, space_global, s, g, n, &b);
  ptx::cp_async_bulk(space_cluster, space_shared, s, s + 32, n, &b);
  ptx::cp_async_bulk(space_global, space_shared, g, s, n);
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<1>());
  ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  ptx::cp_reduce_async_bulk(space_cluster, space_shared, ptx::op_add, (int *)s, (const int *)s, n, &b);
  ptx::cp_reduce_async_bulk(space_cluster, space_shared, ptx::op_xor_op, s, (const int *)s, n, &b);
  ptx::cp_reduce_async_bulk(space_cluster, space_shared, ptx::op_inc, (u32 *)s, (const u32 *)s, n, &b);
  ptx::cp_reduce_async_bulk(space_global, space_shared, ptx::op_max, g, (const int *)s, n);
  ptx::cp_reduce_async_bulk(space_global, space_shared, ptx::op_and_op, h, (const double *)s, n);
  ptx::cp_reduce_async_bulk(space_global, space_shared, ptx::op_add, h, (const double *)s, n);
  ptx::cp_reduce_async_bulk(space_global, space_shared, ptx::op_min, (cuda::std::int64_t *)h, (const cuda::std::int64_t *)s, n);
}
__global__ void stores(float v, double w) {
  __shared__ u64 b;
  __shared__ alignas(16) int s[64];
  ptx::st_async((float *)s, v, &b);
  ptx::st_async((double *)s, w, &b);
  float two[2] = {v, v}, four[4] = {v, v, v, v};
  double wide[2] = {w, w};
  ptx::st_async((float *)s, two, &b);
  ptx::st_async((double *)s, wide, &b);
  ptx::st_async((float *)s, four, &b);
  ptx::red_async(ptx::op_add, s, 1, &b);
  ptx::red_async(ptx::op_max, (u32 *)s, 1u, &b);
  ptx::red_async(ptx::op_dec, (u32 *)s, 1u, &b);
  ptx::red_async(ptx::op_or_op, s, 1, &b);
  ptx::red_async(ptx::op_add, (u64 *)s, (u64)1, &b);
}
