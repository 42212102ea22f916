// expect: PASS
// run: --grid 2 --block 32 --arg buf:i32:64:iota --arg buf:i32:128 --expect 1=0..63,0..63
// A bulk copy to both blocks of a cluster at once: the issuer's data land in each, each waits for its own mbarrier.
__device__ unsigned s32(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void __cluster_dims__(2, 1, 1) multicast(const int *in, int *out) {
  __shared__ alignas(128) int buf[64];
  __shared__ unsigned long long bar;
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(s32(&bar)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(s32(&bar)) : "memory");
  }
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  if (rank == 0 && threadIdx.x == 0)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 256, [%2], %3;" ::"r"(s32(buf)), "l"(in), "r"(s32(&bar)), "h"((short)3) : "memory");
  unsigned ok = 0;
  while (!ok) asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(s32(&bar)) : "memory");
  for (int i = threadIdx.x; i < 64; i += 32) out[blockIdx.x * 64 + i] = buf[i];
}
