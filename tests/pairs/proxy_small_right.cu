// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:u16:64 --expect 0=0..63
// the fence.proxy.async may come long before the copy
__device__ void copy_out(unsigned short *to, const unsigned short *from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"((unsigned)__cvta_generic_to_shared(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
__global__ void k(unsigned short *out) {
  __shared__ __align__(128) unsigned short s[64];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  unsigned short mine = s[threadIdx.x ^ 1]; /* everybody has looked at it since */
  if (threadIdx.x == 0 && mine == 1) copy_out(out, s, sizeof s);
}
