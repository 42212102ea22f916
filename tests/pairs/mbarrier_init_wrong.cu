// expect: RACE|TRAP
// run: --kernel k --grid 1 --block 64 --arg buf:i32:64
// nothing orders the initialisation of the mbarrier before the others' use of it
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void k(int *out) {
  __shared__ int data;
  __shared__ __align__(8) unsigned long long full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
    data = 7;
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&full)) : "memory");
  }
  unsigned done = 0;
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(at(&full)) : "memory");
  out[threadIdx.x] = data;
}
