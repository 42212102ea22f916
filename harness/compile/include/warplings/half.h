/* half.h - cuda_fp16.h and cuda_bf16.h for clang: 16-bit floats, alone and in pairs. Functions go by way of float and are
 * rounded once; NVIDIA's may differ from that in the last bit. */
#ifndef WARPLINGS_HALF
#define WARPLINGS_HALF
#include "warplings/math.h"

struct __half_raw;
struct __nv_bfloat16_raw;
WL_FN float wl_to_float(const __half_raw &v) { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(*(const unsigned short *)&v)); return f; }
WL_FN float wl_to_float(const __nv_bfloat16_raw &v) { return __builtin_bit_cast(float, (unsigned)*(const unsigned short *)&v << 16); }

#define WL_HR     __half_raw
#define WL_H2R    __half2_raw
#define WL_H      __half
#define WL_H2     __half2
#define WL_S      "f16"
#define WL_S2     "f16x2"
#define WL_HALVES __halves2half2
#define WL_TWICE  __half2half2
#define WL_LOW    __low2half
#define WL_HIGH   __high2half
#include "warplings/half_list.h"
WL_TWO(__hadd_sat, "add.sat") WL_TWO(__hsub_sat, "sub.sat") WL_TWO(__hmul_sat, "mul.sat") WL_THREE(__hfma_sat, "fma.rn.sat")
WL_TWO2(__hadd2_sat, "add.sat") WL_TWO2(__hsub2_sat, "sub.sat") WL_TWO2(__hmul2_sat, "mul.sat") WL_THREE2(__hfma2_sat, "fma.rn.sat")
WL_FN int __hisinf(__half a) { return (a.__x & 0x7fff) != 0x7c00 ? 0 : a.__x >> 15 ? -1 : 1; }
#undef WL_HR
#undef WL_H2R
#undef WL_H
#undef WL_H2
#undef WL_S
#undef WL_S2
#undef WL_HALVES
#undef WL_TWICE
#undef WL_LOW
#undef WL_HIGH

#define WL_HR     __nv_bfloat16_raw
#define WL_H2R    __nv_bfloat162_raw
#define WL_H      __nv_bfloat16
#define WL_H2     __nv_bfloat162
#define WL_S      "bf16"
#define WL_S2     "bf16x2"
#define WL_HALVES __halves2bfloat162
#define WL_TWICE  __bfloat162bfloat162
#define WL_LOW    __low2bfloat16
#define WL_HIGH   __high2bfloat16
#undef WL_ONE
#undef WL_ONE2
#undef WL_TWO
#undef WL_TWO2
#undef WL_THREE
#undef WL_THREE2
#undef WL_BITS
#undef WL_BITS2
#include "warplings/half_list.h"
WL_FN int __hisinf(__nv_bfloat16 a) { return (a.__x & 0x7fff) != 0x7f80 ? 0 : a.__x >> 15 ? -1 : 1; }
#undef WL_HR
#undef WL_H2R
#undef WL_H
#undef WL_H2
#undef WL_S
#undef WL_S2
#undef WL_HALVES
#undef WL_TWICE
#undef WL_LOW
#undef WL_HIGH
#undef WL_ONE
#undef WL_ONE2
#undef WL_TWO
#undef WL_TWO2
#undef WL_THREE
#undef WL_THREE2
#undef WL_BITS
#undef WL_BITS2

typedef __half half, nv_half;
typedef __half2 half2, nv_half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

/* ---- conversions, whose names carry the type ---- */
#define WL_CONVERSIONS(H, H2, h, h2)                                                               \
  WL_FN H __float2##h(float v) { return H(v); }                                                    \
  WL_FN H __float2##h##_rn(float v) { return H(v); }                                               \
  WL_FN H __double2##h(double v) { return H(v); }                                                  \
  WL_FN float __##h##2float(H v) { return (float)v; }                                              \
  WL_FN H2 __float2##h2##_rn(float v) { return {H(v), H(v)}; }                                     \
  WL_FN H2 __floats2##h2##_rn(float a, float b) { return {H(a), H(b)}; }                           \
  WL_FN H2 __float22##h2##_rn(float2 v) { return {H(v.x), H(v.y)}; }                               \
  WL_FN float2 __##h2##2float2(H2 v) { return make_float2((float)v.x, (float)v.y); }               \
  WL_FN float __low2float(H2 v) { return (float)v.x; }                                             \
  WL_FN float __high2float(H2 v) { return (float)v.y; }                                            \
  WL_FN H2 __low2##h2(H2 v) { return {v.x, v.x}; }                                                 \
  WL_FN H2 __high2##h2(H2 v) { return {v.y, v.y}; }                                                \
  WL_FN H2 __lows2##h2(H2 a, H2 b) { return {a.x, b.x}; }                                          \
  WL_FN H2 __highs2##h2(H2 a, H2 b) { return {a.y, b.y}; }                                         \
  WL_FN H2 __lowhigh2highlow(H2 v) { return {v.y, v.x}; }                                          \
  WL_FN H2 make_##h2(H a, H b) { return {a, b}; }                                                  \
  WL_FN short __##h##_as_short(H v) { return (short)v.__x; }                                       \
  WL_FN unsigned short __##h##_as_ushort(H v) { return v.__x; }                                    \
  WL_FN H __short_as_##h(short v) { return H##_raw{(unsigned short)v}; }                           \
  WL_FN H __ushort_as_##h(unsigned short v) { return H##_raw{v}; }                                 \
  WL_FN H __int2##h##_rn(int v) { return H(v); }                                                   \
  WL_FN H __uint2##h##_rn(unsigned v) { return H(v); }                                             \
  WL_FN H __short2##h##_rn(short v) { return H(v); }                                               \
  WL_FN H __ushort2##h##_rn(unsigned short v) { return H(v); }                                     \
  WL_FN H __ll2##h##_rn(wl_i64 v) { return H(v); }                                                 \
  WL_FN H __ull2##h##_rn(wl_u64 v) { return H(v); }                                                \
  WL_TO_INTEGERS(H, h, rz, "rzi") WL_TO_INTEGERS(H, h, rn, "rni") WL_TO_INTEGERS(H, h, rd, "rmi") WL_TO_INTEGERS(H, h, ru, "rpi")
#define WL_TO_INTEGERS(H, h, way, form)                                                            \
  WL_TO_INTEGER(H, __##h##2short_##way, form, short, "s16", "=h") WL_TO_INTEGER(H, __##h##2ushort_##way, form, unsigned short, "u16", "=h") \
  WL_TO_INTEGER(H, __##h##2int_##way, form, int, "s32", "=r") WL_TO_INTEGER(H, __##h##2uint_##way, form, unsigned, "u32", "=r") \
  WL_TO_INTEGER(H, __##h##2ll_##way, form, wl_i64, "s64", "=l") WL_TO_INTEGER(H, __##h##2ull_##way, form, wl_u64, "u64", "=l")
#define WL_TO_INTEGER(H, name, way, type, suffix, letter)                                          \
  WL_FN type name(H v) { type r; asm("cvt." way "." suffix ".f32 %0, %1;" : letter(r) : "f"((float)v)); return r; }
WL_CONVERSIONS(__half, __half2, half, half2)
WL_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)
#undef WL_CONVERSIONS
#undef WL_TO_INTEGERS
#undef WL_TO_INTEGER
#define WL_ROUNDED(way)                                                                            \
  WL_FN __half __float2half_##way(float v) { __half r; asm("cvt." #way ".f16.f32 %0, %1;" : "=h"(r.__x) : "f"(v)); return r; } \
  WL_FN __nv_bfloat16 __float2bfloat16_##way(float v) { __nv_bfloat16 r; asm("cvt." #way ".bf16.f32 %0, %1;" : "=h"(r.__x) : "f"(v)); return r; }
WL_ROUNDED(rz)
#undef WL_ROUNDED
WL_FN __half __float2half_rd(float v) { __half r; asm("cvt.rm.f16.f32 %0, %1;" : "=h"(r.__x) : "f"(v)); return r; }
WL_FN __half __float2half_ru(float v) { __half r; asm("cvt.rp.f16.f32 %0, %1;" : "=h"(r.__x) : "f"(v)); return r; }
#endif
