// TIER advanced TOOLS nvrtc,clang
#include <cuda_fp16.h>
#include <cuda_bf16.h>
/* Everything here is exact or rounded once, so that all ways to compute it agree. */
template <class H> __device__ unsigned bits(H v) {
  unsigned short b;
  memcpy(&b, &v, 2);
  return b;
}
template <class H2> __device__ unsigned bits2(H2 v) {
  unsigned b;
  memcpy(&b, &v, 4);
  return b;
}
template <class H> __device__ void both(H a, H b, unsigned *o) {
  o[0] = bits(a + b), o[1] = bits(a - b), o[2] = bits(a * b), o[3] = bits(__hfma(a, b, a));
  o[4] = bits(__hmax(a, b)), o[5] = bits(__hmin(a, b)), o[6] = bits(-a), o[7] = bits(__habs(a));
  o[8] = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5 | __hltu(a, b) << 6 | __hisnan(a) << 7;
  o[9] = (unsigned)(int)a, o[10] = bits((H)(short)-77), o[11] = bits((H)123457), o[12] = bits((H)3.3);
  o[13] = bits(hfloor(a)) | bits(hceil(a)) << 16, o[14] = bits(htrunc(b)) | bits(hrint(b)) << 16, o[15] = bits(hsqrt(__habs(a)));
  H c = a;
  c += b;
  c *= a;
  o[16] = bits(c), o[17] = bits(__shfl_xor_sync(~0u, a, 1));
}
__global__ void k(const float *f, unsigned *h, unsigned *q) {
  int t = threadIdx.x;
  float x = f[t], y = f[t + 1];
  both(__float2half(x), __float2half(y), h + t * 28);
  both(__float2bfloat16(x), __float2bfloat16(y), q + t * 28);
  h += t * 28 + 18, q += t * 28 + 18;
  __half2 a = __floats2half2_rn(x, y), b = __low2half2(a);
  h[0] = bits2(__hadd2(a, b)), h[1] = bits2(__hfma2(a, b, a)), h[2] = bits2(__hgt2(a, b)), h[3] = bits2(__lowhigh2highlow(a));
  h[4] = bits2(__hmax2(a, __high2half2(a))), h[5] = __hbeq2(a, b), h[6] = bits2(a * b), h[7] = (unsigned)__half2int_rd(a.x), h[8] = bits(__hadd_sat(a.x, a.y)), h[9] = bits(__float2half_rz(x));
  __nv_bfloat162 c = __floats2bfloat162_rn(x, y), d = __high2bfloat162(c);
  q[0] = bits2(__hadd2(c, d)), q[1] = bits2(__hfma2(c, d, c)), q[2] = bits2(__hle2(c, d)), q[3] = bits2(__lowhigh2highlow(c));
  q[4] = bits2(__hneg2(c)), q[5] = __hbne2(c, d), q[6] = bits2(c - d), q[7] = (unsigned)__bfloat162int_rn(c.x), q[8] = bits(__low2bfloat16(c)), q[9] = bits(__float2bfloat16_rz(x));
}
