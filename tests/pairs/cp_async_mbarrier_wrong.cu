// expect: RACE line 16
// run: --grid 1 --block 32 --arg buf:i32:128:iota --arg buf:i32:128
// cp.async tied to an mbarrier.
__device__ unsigned s32(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void copy(const int *in, int *out) {
  __shared__ __align__(16) int s[128];
  __shared__ unsigned long long bar;
  int t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(s32(&bar)) : "memory");
  __syncwarp();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(s32(&s[t * 4])), "l"(in + t * 4) : "memory");
  { unsigned long long st; asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(st) : "r"(s32(&bar)) : "memory"); }
  unsigned ok = 0;
  while (!ok)
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(ok) : "r"(s32(&bar)) : "memory");
  for (int k = 0; k < 4; k++) out[t + 32 * k] = s[127 - t - 32 * k];
}
