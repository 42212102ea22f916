// expect: PASS
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64 --arg i32:3 --expect 0=2..65
// the thread that copies knows of all stores, so that its own fence covers them
__device__ void copy_out(int *to, const int *from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"((unsigned)__cvta_generic_to_shared(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
__global__ void k(int *out, int rounds) {
  __shared__ __align__(128) int s[64];
  for (int r = 0; r < rounds; r++) {
    s[threadIdx.x] = threadIdx.x + r;
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      copy_out(out, s, sizeof s);
    }
    __syncthreads();
  }
}
