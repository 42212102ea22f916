/* float.h - floating point at the level of single instructions: casts of bits, conversions, arithmetic
 * with a chosen rounding (rn nearest, rz to zero, ru up, rd down), the fast approximations. */
#pragma once

/* ---- the same bits as another type ---- */
WL_FN float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
WL_FN float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
WL_FN int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
WL_FN unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
WL_FN double __longlong_as_double(wl_i64 x) { return __builtin_bit_cast(double, x); }
WL_FN wl_i64 __double_as_longlong(double x) { return __builtin_bit_cast(wl_i64, x); }
WL_FN int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
WL_FN int __double2loint(double x) { return (int)__double_as_longlong(x); }
WL_FN double __hiloint2double(int high, int low) { return __longlong_as_double((wl_i64)((wl_u64)(unsigned)high << 32 | (unsigned)low)); }

/* ---- float to integer ---- */
WL_FN int __float2int_rn(float x) { int v; asm("cvt.rni.s32.f32 %0, %1;" : "=r"(v) : "f"(x)); return v; }
WL_FN int __float2int_rz(float x) { int v; asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(v) : "f"(x)); return v; }
WL_FN int __float2int_ru(float x) { int v; asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(v) : "f"(x)); return v; }
WL_FN int __float2int_rd(float x) { int v; asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(v) : "f"(x)); return v; }
WL_FN unsigned __float2uint_rn(float x) { unsigned v; asm("cvt.rni.u32.f32 %0, %1;" : "=r"(v) : "f"(x)); return v; }
WL_FN unsigned __float2uint_rz(float x) { unsigned v; asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(v) : "f"(x)); return v; }
WL_FN unsigned __float2uint_ru(float x) { unsigned v; asm("cvt.rpi.u32.f32 %0, %1;" : "=r"(v) : "f"(x)); return v; }
WL_FN unsigned __float2uint_rd(float x) { unsigned v; asm("cvt.rmi.u32.f32 %0, %1;" : "=r"(v) : "f"(x)); return v; }
WL_FN wl_i64 __float2ll_rn(float x) { wl_i64 v; asm("cvt.rni.s64.f32 %0, %1;" : "=l"(v) : "f"(x)); return v; }
WL_FN wl_i64 __float2ll_rz(float x) { wl_i64 v; asm("cvt.rzi.s64.f32 %0, %1;" : "=l"(v) : "f"(x)); return v; }
WL_FN wl_i64 __float2ll_ru(float x) { wl_i64 v; asm("cvt.rpi.s64.f32 %0, %1;" : "=l"(v) : "f"(x)); return v; }
WL_FN wl_i64 __float2ll_rd(float x) { wl_i64 v; asm("cvt.rmi.s64.f32 %0, %1;" : "=l"(v) : "f"(x)); return v; }
WL_FN wl_u64 __float2ull_rn(float x) { wl_u64 v; asm("cvt.rni.u64.f32 %0, %1;" : "=l"(v) : "f"(x)); return v; }
WL_FN wl_u64 __float2ull_rz(float x) { wl_u64 v; asm("cvt.rzi.u64.f32 %0, %1;" : "=l"(v) : "f"(x)); return v; }
WL_FN wl_u64 __float2ull_ru(float x) { wl_u64 v; asm("cvt.rpi.u64.f32 %0, %1;" : "=l"(v) : "f"(x)); return v; }
WL_FN wl_u64 __float2ull_rd(float x) { wl_u64 v; asm("cvt.rmi.u64.f32 %0, %1;" : "=l"(v) : "f"(x)); return v; }
WL_FN int __double2int_rn(double x) { int v; asm("cvt.rni.s32.f64 %0, %1;" : "=r"(v) : "d"(x)); return v; }
WL_FN int __double2int_rz(double x) { int v; asm("cvt.rzi.s32.f64 %0, %1;" : "=r"(v) : "d"(x)); return v; }
WL_FN int __double2int_ru(double x) { int v; asm("cvt.rpi.s32.f64 %0, %1;" : "=r"(v) : "d"(x)); return v; }
WL_FN int __double2int_rd(double x) { int v; asm("cvt.rmi.s32.f64 %0, %1;" : "=r"(v) : "d"(x)); return v; }
WL_FN unsigned __double2uint_rn(double x) { unsigned v; asm("cvt.rni.u32.f64 %0, %1;" : "=r"(v) : "d"(x)); return v; }
WL_FN unsigned __double2uint_rz(double x) { unsigned v; asm("cvt.rzi.u32.f64 %0, %1;" : "=r"(v) : "d"(x)); return v; }
WL_FN unsigned __double2uint_ru(double x) { unsigned v; asm("cvt.rpi.u32.f64 %0, %1;" : "=r"(v) : "d"(x)); return v; }
WL_FN unsigned __double2uint_rd(double x) { unsigned v; asm("cvt.rmi.u32.f64 %0, %1;" : "=r"(v) : "d"(x)); return v; }
WL_FN wl_i64 __double2ll_rn(double x) { wl_i64 v; asm("cvt.rni.s64.f64 %0, %1;" : "=l"(v) : "d"(x)); return v; }
WL_FN wl_i64 __double2ll_rz(double x) { wl_i64 v; asm("cvt.rzi.s64.f64 %0, %1;" : "=l"(v) : "d"(x)); return v; }
WL_FN wl_i64 __double2ll_ru(double x) { wl_i64 v; asm("cvt.rpi.s64.f64 %0, %1;" : "=l"(v) : "d"(x)); return v; }
WL_FN wl_i64 __double2ll_rd(double x) { wl_i64 v; asm("cvt.rmi.s64.f64 %0, %1;" : "=l"(v) : "d"(x)); return v; }
WL_FN wl_u64 __double2ull_rn(double x) { wl_u64 v; asm("cvt.rni.u64.f64 %0, %1;" : "=l"(v) : "d"(x)); return v; }
WL_FN wl_u64 __double2ull_rz(double x) { wl_u64 v; asm("cvt.rzi.u64.f64 %0, %1;" : "=l"(v) : "d"(x)); return v; }
WL_FN wl_u64 __double2ull_ru(double x) { wl_u64 v; asm("cvt.rpi.u64.f64 %0, %1;" : "=l"(v) : "d"(x)); return v; }
WL_FN wl_u64 __double2ull_rd(double x) { wl_u64 v; asm("cvt.rmi.u64.f64 %0, %1;" : "=l"(v) : "d"(x)); return v; }

/* ---- integer to float ---- */
WL_FN float __int2float_rn(int x) { float v; asm("cvt.rn.f32.s32 %0, %1;" : "=f"(v) : "r"(x)); return v; }
WL_FN float __int2float_rz(int x) { float v; asm("cvt.rz.f32.s32 %0, %1;" : "=f"(v) : "r"(x)); return v; }
WL_FN float __int2float_ru(int x) { float v; asm("cvt.rp.f32.s32 %0, %1;" : "=f"(v) : "r"(x)); return v; }
WL_FN float __int2float_rd(int x) { float v; asm("cvt.rm.f32.s32 %0, %1;" : "=f"(v) : "r"(x)); return v; }
WL_FN float __uint2float_rn(unsigned x) { float v; asm("cvt.rn.f32.u32 %0, %1;" : "=f"(v) : "r"(x)); return v; }
WL_FN float __uint2float_rz(unsigned x) { float v; asm("cvt.rz.f32.u32 %0, %1;" : "=f"(v) : "r"(x)); return v; }
WL_FN float __uint2float_ru(unsigned x) { float v; asm("cvt.rp.f32.u32 %0, %1;" : "=f"(v) : "r"(x)); return v; }
WL_FN float __uint2float_rd(unsigned x) { float v; asm("cvt.rm.f32.u32 %0, %1;" : "=f"(v) : "r"(x)); return v; }
WL_FN float __ll2float_rn(wl_i64 x) { float v; asm("cvt.rn.f32.s64 %0, %1;" : "=f"(v) : "l"(x)); return v; }
WL_FN float __ll2float_rz(wl_i64 x) { float v; asm("cvt.rz.f32.s64 %0, %1;" : "=f"(v) : "l"(x)); return v; }
WL_FN float __ll2float_ru(wl_i64 x) { float v; asm("cvt.rp.f32.s64 %0, %1;" : "=f"(v) : "l"(x)); return v; }
WL_FN float __ll2float_rd(wl_i64 x) { float v; asm("cvt.rm.f32.s64 %0, %1;" : "=f"(v) : "l"(x)); return v; }
WL_FN float __ull2float_rn(wl_u64 x) { float v; asm("cvt.rn.f32.u64 %0, %1;" : "=f"(v) : "l"(x)); return v; }
WL_FN float __ull2float_rz(wl_u64 x) { float v; asm("cvt.rz.f32.u64 %0, %1;" : "=f"(v) : "l"(x)); return v; }
WL_FN float __ull2float_ru(wl_u64 x) { float v; asm("cvt.rp.f32.u64 %0, %1;" : "=f"(v) : "l"(x)); return v; }
WL_FN float __ull2float_rd(wl_u64 x) { float v; asm("cvt.rm.f32.u64 %0, %1;" : "=f"(v) : "l"(x)); return v; }
WL_FN double __int2double_rn(int x) { return x; }
WL_FN double __uint2double_rn(unsigned x) { return x; }
WL_FN double __ll2double_rn(wl_i64 x) { double v; asm("cvt.rn.f64.s64 %0, %1;" : "=d"(v) : "l"(x)); return v; }
WL_FN double __ll2double_rz(wl_i64 x) { double v; asm("cvt.rz.f64.s64 %0, %1;" : "=d"(v) : "l"(x)); return v; }
WL_FN double __ll2double_ru(wl_i64 x) { double v; asm("cvt.rp.f64.s64 %0, %1;" : "=d"(v) : "l"(x)); return v; }
WL_FN double __ll2double_rd(wl_i64 x) { double v; asm("cvt.rm.f64.s64 %0, %1;" : "=d"(v) : "l"(x)); return v; }
WL_FN double __ull2double_rn(wl_u64 x) { double v; asm("cvt.rn.f64.u64 %0, %1;" : "=d"(v) : "l"(x)); return v; }
WL_FN double __ull2double_rz(wl_u64 x) { double v; asm("cvt.rz.f64.u64 %0, %1;" : "=d"(v) : "l"(x)); return v; }
WL_FN double __ull2double_ru(wl_u64 x) { double v; asm("cvt.rp.f64.u64 %0, %1;" : "=d"(v) : "l"(x)); return v; }
WL_FN double __ull2double_rd(wl_u64 x) { double v; asm("cvt.rm.f64.u64 %0, %1;" : "=d"(v) : "l"(x)); return v; }
WL_FN float __double2float_rn(double x) { float v; asm("cvt.rn.f32.f64 %0, %1;" : "=f"(v) : "d"(x)); return v; }
WL_FN float __double2float_rz(double x) { float v; asm("cvt.rz.f32.f64 %0, %1;" : "=f"(v) : "d"(x)); return v; }
WL_FN float __double2float_ru(double x) { float v; asm("cvt.rp.f32.f64 %0, %1;" : "=f"(v) : "d"(x)); return v; }
WL_FN float __double2float_rd(double x) { float v; asm("cvt.rm.f32.f64 %0, %1;" : "=f"(v) : "d"(x)); return v; }

/* ---- arithmetic with a rounding; never fused with its neighbours ---- */
WL_FN float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
WL_FN float __fsub_rn(float a, float b) { return __nvvm_add_rn_f(a, -b); }
WL_FN float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
WL_FN float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
WL_FN float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
WL_FN float __frcp_rn(float x) { return __nvvm_rcp_rn_f(x); }
WL_FN float __fsqrt_rn(float x) { return __nvvm_sqrt_rn_f(x); }
WL_FN float __fadd_rz(float a, float b) { return __nvvm_add_rz_f(a, b); }
WL_FN float __fsub_rz(float a, float b) { return __nvvm_add_rz_f(a, -b); }
WL_FN float __fmul_rz(float a, float b) { return __nvvm_mul_rz_f(a, b); }
WL_FN float __fdiv_rz(float a, float b) { return __nvvm_div_rz_f(a, b); }
WL_FN float __fmaf_rz(float a, float b, float c) { return __nvvm_fma_rz_f(a, b, c); }
WL_FN float __frcp_rz(float x) { return __nvvm_rcp_rz_f(x); }
WL_FN float __fsqrt_rz(float x) { return __nvvm_sqrt_rz_f(x); }
WL_FN float __fadd_ru(float a, float b) { return __nvvm_add_rp_f(a, b); }
WL_FN float __fsub_ru(float a, float b) { return __nvvm_add_rp_f(a, -b); }
WL_FN float __fmul_ru(float a, float b) { return __nvvm_mul_rp_f(a, b); }
WL_FN float __fdiv_ru(float a, float b) { return __nvvm_div_rp_f(a, b); }
WL_FN float __fmaf_ru(float a, float b, float c) { return __nvvm_fma_rp_f(a, b, c); }
WL_FN float __frcp_ru(float x) { return __nvvm_rcp_rp_f(x); }
WL_FN float __fsqrt_ru(float x) { return __nvvm_sqrt_rp_f(x); }
WL_FN float __fadd_rd(float a, float b) { return __nvvm_add_rm_f(a, b); }
WL_FN float __fsub_rd(float a, float b) { return __nvvm_add_rm_f(a, -b); }
WL_FN float __fmul_rd(float a, float b) { return __nvvm_mul_rm_f(a, b); }
WL_FN float __fdiv_rd(float a, float b) { return __nvvm_div_rm_f(a, b); }
WL_FN float __fmaf_rd(float a, float b, float c) { return __nvvm_fma_rm_f(a, b, c); }
WL_FN float __frcp_rd(float x) { return __nvvm_rcp_rm_f(x); }
WL_FN float __fsqrt_rd(float x) { return __nvvm_sqrt_rm_f(x); }
WL_FN double __dadd_rn(double a, double b) { return __nvvm_add_rn_d(a, b); }
WL_FN double __dsub_rn(double a, double b) { return __nvvm_add_rn_d(a, -b); }
WL_FN double __dmul_rn(double a, double b) { return __nvvm_mul_rn_d(a, b); }
WL_FN double __ddiv_rn(double a, double b) { return __nvvm_div_rn_d(a, b); }
WL_FN double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
WL_FN double __drcp_rn(double x) { return __nvvm_rcp_rn_d(x); }
WL_FN double __dsqrt_rn(double x) { return __nvvm_sqrt_rn_d(x); }
WL_FN double __dadd_rz(double a, double b) { return __nvvm_add_rz_d(a, b); }
WL_FN double __dsub_rz(double a, double b) { return __nvvm_add_rz_d(a, -b); }
WL_FN double __dmul_rz(double a, double b) { return __nvvm_mul_rz_d(a, b); }
WL_FN double __ddiv_rz(double a, double b) { return __nvvm_div_rz_d(a, b); }
WL_FN double __fma_rz(double a, double b, double c) { return __nvvm_fma_rz_d(a, b, c); }
WL_FN double __drcp_rz(double x) { return __nvvm_rcp_rz_d(x); }
WL_FN double __dsqrt_rz(double x) { return __nvvm_sqrt_rz_d(x); }
WL_FN double __dadd_ru(double a, double b) { return __nvvm_add_rp_d(a, b); }
WL_FN double __dsub_ru(double a, double b) { return __nvvm_add_rp_d(a, -b); }
WL_FN double __dmul_ru(double a, double b) { return __nvvm_mul_rp_d(a, b); }
WL_FN double __ddiv_ru(double a, double b) { return __nvvm_div_rp_d(a, b); }
WL_FN double __fma_ru(double a, double b, double c) { return __nvvm_fma_rp_d(a, b, c); }
WL_FN double __drcp_ru(double x) { return __nvvm_rcp_rp_d(x); }
WL_FN double __dsqrt_ru(double x) { return __nvvm_sqrt_rp_d(x); }
WL_FN double __dadd_rd(double a, double b) { return __nvvm_add_rm_d(a, b); }
WL_FN double __dsub_rd(double a, double b) { return __nvvm_add_rm_d(a, -b); }
WL_FN double __dmul_rd(double a, double b) { return __nvvm_mul_rm_d(a, b); }
WL_FN double __ddiv_rd(double a, double b) { return __nvvm_div_rm_d(a, b); }
WL_FN double __fma_rd(double a, double b, double c) { return __nvvm_fma_rm_d(a, b, c); }
WL_FN double __drcp_rd(double x) { return __nvvm_rcp_rm_d(x); }
WL_FN double __dsqrt_rd(double x) { return __nvvm_sqrt_rm_d(x); }

/* ---- fast and approximate ---- */
WL_FN float __frsqrt_rn(float x) { return __nvvm_rsqrt_approx_f(x); }
WL_FN float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
WL_FN float __saturatef(float x) { return __nvvm_saturate_f(x); }
WL_FN float __sinf(float x) { return __nvvm_sin_approx_f(x); }
WL_FN float __cosf(float x) { return __nvvm_cos_approx_f(x); }
WL_FN float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
WL_FN float __exp2f(float x) { return __nvvm_ex2_approx_f(x); }
WL_FN float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
WL_FN float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.3219280948873623f); }
WL_FN float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
WL_FN float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.69314718055994531f; }
WL_FN float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.30102999566398120f; }
WL_FN float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
WL_FN void __sincosf(float x, float *s, float *c) { *s = __sinf(x), *c = __cosf(x); }
