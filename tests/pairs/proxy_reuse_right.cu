// expect: PASS
// run: --kernel k --grid 1 --block 32 --arg buf:i32:32:iota --arg buf:i32:32
// a fence.proxy.async by each thread that stored, then the barrier, then the bulk copy
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void k(const int *in, int *out) {
  __shared__ __align__(128) int s[32];
  __shared__ __align__(8) unsigned long long full;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
  s[threadIdx.x] = -1; /* in use for something else */
  int before = s[threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(at(&full)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" ::"r"(at(s)), "l"(in), "r"(at(&full)) : "memory");
  }
  unsigned done = 0;
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(at(&full)) : "memory");
  out[threadIdx.x] = s[threadIdx.x] + before; /* the end of a copy includes the fence */
}
