/* Pairs of halves, by name: no header is needed. */
__global__ void half_pairs(unsigned *x) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i] & 0x3bff3bff, s = 0x3c003c00;
  for (int k = 0; k < 256; k++) {
    asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(s) : "r"(v), "r"(0x34003400));
    asm volatile("mul.rn.f16x2 %0, %1, %2;" : "=r"(v) : "r"(v), "r"(0x3bff3bff));
  }
  x[i] = s;
}
