// expect: PASS
// run: --kernel k --grid 2 --block 64 --arg buf:i32:128 --expect 0=0..63,0..63
// each thread puts a proxy fence behind its stores; then the barrier, then the copy
__device__ void copy_out(int *to, const int *from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"((unsigned)__cvta_generic_to_shared(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
__global__ void k(int *out) {
  __shared__ __align__(128) int s[64];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) copy_out(out + blockIdx.x * 64, s, sizeof s);
}
