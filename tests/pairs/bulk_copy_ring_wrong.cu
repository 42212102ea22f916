// expect: RACE line 41
// run: --grid 1 --block 64 --arg buf:i32:512:iota --arg buf:i32:64 --arg i32:8
// One-dimensional bulk copies into a ring of two, mbarriers full and empty, one thread issues.
typedef unsigned long long u64;
__device__ unsigned addr(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void mbInit(u64 *b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(addr(b)), "r"(n) : "memory"); }
__device__ void mbExpect(u64 *b, int bytes) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(addr(b)), "r"(bytes) : "memory"); }
__device__ void mbArrive(u64 *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(addr(b)) : "memory"); }
__device__ void mbWait(u64 *b, int parity) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@p bra DONE;\n"
      "bra WAIT;\n"
      "DONE:\n"
      "}" ::"r"(addr(b)), "r"(parity) : "memory");
}
__device__ void bulk(void *dst, const void *src, int bytes, u64 *b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(addr(dst)), "l"(src), "r"(bytes), "r"(addr(b)) : "memory");
}
__global__ void ring(const int *in, int *out, int steps) {
  __shared__ alignas(128) int buf[2][64];
  __shared__ u64 full[2], empty[2];
  int t = threadIdx.x;
  if (t == 0) {
    for (int i = 0; i < 2; i++) { mbInit(&full[i], 1); mbInit(&empty[i], blockDim.x); }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  auto issue = [&](int s) {
    mbExpect(&full[s % 2], 256);
    bulk(buf[s % 2], in + s * 64, 256, &full[s % 2]);
  };
  if (t == 0) { issue(0); issue(1); }
  int sum = 0;
  for (int s = 0; s < steps; s++) {
    mbWait(&full[s % 2], s / 2 & 1);
    sum += buf[s % 2][63 - t];
    mbArrive(&empty[s % 2]);
    if (t == 0 && s + 2 < steps) {
      issue(s + 2);
    }
  }
  out[t] = sum;
}
