/* half_list.h - every function of a 16-bit float once. half.h sets WL_H (the type), WL_H2 (a pair of it), WL_HR and
 * WL_H2R (their bare forms), WL_S and WL_S2 (their suffixes in PTX) and includes this for each; no guard, for that reason. */

/* ---- the types ---- */
struct __attribute__((aligned(2))) WL_HR { unsigned short x; };
struct __attribute__((aligned(4))) WL_H2R { unsigned short x, y; };
struct __attribute__((aligned(2))) WL_H {
  unsigned short __x;
  WL_H() = default;
  WL_MEMBER constexpr WL_H(const WL_HR &r) : __x(r.x) {}
  WL_MEMBER WL_H(float v) { asm("cvt.rn." WL_S ".f32 %0, %1;" : "=h"(__x) : "f"(v)); }
#define WL_FROM(type, form, letter)                                                                \
  WL_MEMBER WL_H(type v) { asm("cvt.rn." WL_S "." form " %0, %1;" : "=h"(__x) : letter(v)); }
  WL_FROM(double, "f64", "d") WL_FROM(short, "s16", "h") WL_FROM(unsigned short, "u16", "h") WL_FROM(int, "s32", "r")
  WL_FROM(unsigned, "u32", "r") WL_FROM(long, "s64", "l") WL_FROM(unsigned long, "u64", "l") WL_FROM(wl_i64, "s64", "l") WL_FROM(wl_u64, "u64", "l")
#undef WL_FROM
  WL_MEMBER operator WL_HR() const { return {__x}; }
  WL_MEMBER operator float() const { return wl_to_float(WL_HR{__x}); }
  WL_MEMBER operator bool() const { return (__x & 0x7fff) != 0; }
#define WL_TO(type, form, word, letter)                                                            \
  WL_MEMBER operator type() const {                                                                \
    word v;                                                                                        \
    asm("cvt.rzi." form ".f32 %0, %1;" : letter(v) : "f"((float)*this));                           \
    return (type)v;                                                                                \
  }
  WL_TO(char, "s16", short, "=h") WL_TO(signed char, "s16", short, "=h") WL_TO(unsigned char, "u16", unsigned short, "=h")
  WL_TO(short, "s16", short, "=h") WL_TO(unsigned short, "u16", unsigned short, "=h") WL_TO(int, "s32", int, "=r") WL_TO(unsigned, "u32", unsigned, "=r")
  WL_TO(long, "s64", long, "=l") WL_TO(unsigned long, "u64", unsigned long, "=l") WL_TO(wl_i64, "s64", wl_i64, "=l") WL_TO(wl_u64, "u64", wl_u64, "=l")
#undef WL_TO
#define WL_ASSIGN(type)                                                                            \
  WL_MEMBER WL_H &operator=(type v) { return *this = WL_H(v); }
  WL_ASSIGN(float) WL_ASSIGN(double) WL_ASSIGN(short) WL_ASSIGN(unsigned short) WL_ASSIGN(int) WL_ASSIGN(unsigned) WL_ASSIGN(wl_i64) WL_ASSIGN(wl_u64)
#undef WL_ASSIGN
};
struct __attribute__((aligned(4))) WL_H2 {
  WL_H x, y;
  WL_H2() = default;
  WL_MEMBER constexpr WL_H2(const WL_H &a, const WL_H &b) : x(a), y(b) {}
  WL_MEMBER WL_H2(const WL_H2R &r) : x(WL_HR{r.x}), y(WL_HR{r.y}) {}
};

/* ---- arithmetic ---- */
#define WL_BITS(v)  __builtin_bit_cast(unsigned short, v)
#define WL_BITS2(v) __builtin_bit_cast(unsigned, v)
#define WL_ONE(name, op)                                                                           \
  WL_FN WL_H name(WL_H a) { WL_H r; asm(op "." WL_S " %0, %1;" : "=h"(r.__x) : "h"(a.__x)); return r; }
#define WL_ONE2(name, op)                                                                          \
  WL_FN WL_H2 name(WL_H2 a) { unsigned r; asm(op "." WL_S2 " %0, %1;" : "=r"(r) : "r"(WL_BITS2(a))); return __builtin_bit_cast(WL_H2, r); }
#define WL_TWO(name, op)                                                                           \
  WL_FN WL_H name(WL_H a, WL_H b) { WL_H r; asm(op "." WL_S " %0, %1, %2;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x)); return r; }
#define WL_TWO2(name, op)                                                                          \
  WL_FN WL_H2 name(WL_H2 a, WL_H2 b) { unsigned r; asm(op "." WL_S2 " %0, %1, %2;" : "=r"(r) : "r"(WL_BITS2(a)), "r"(WL_BITS2(b))); return __builtin_bit_cast(WL_H2, r); }
#define WL_THREE(name, op)                                                                         \
  WL_FN WL_H name(WL_H a, WL_H b, WL_H c) { WL_H r; asm(op "." WL_S " %0, %1, %2, %3;" : "=h"(r.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x)); return r; }
#define WL_THREE2(name, op)                                                                        \
  WL_FN WL_H2 name(WL_H2 a, WL_H2 b, WL_H2 c) { unsigned r; asm(op "." WL_S2 " %0, %1, %2, %3;" : "=r"(r) : "r"(WL_BITS2(a)), "r"(WL_BITS2(b)), "r"(WL_BITS2(c))); return __builtin_bit_cast(WL_H2, r); }
WL_ONE(__hneg, "neg") WL_ONE(__habs, "abs") WL_ONE2(__hneg2, "neg") WL_ONE2(__habs2, "abs")
WL_TWO(__hadd, "add") WL_TWO(__hsub, "sub") WL_TWO(__hmul, "mul") WL_TWO(__hadd_rn, "add.rn") WL_TWO(__hsub_rn, "sub.rn") WL_TWO(__hmul_rn, "mul.rn")
WL_TWO2(__hadd2, "add") WL_TWO2(__hsub2, "sub") WL_TWO2(__hmul2, "mul") WL_TWO2(__hadd2_rn, "add.rn") WL_TWO2(__hsub2_rn, "sub.rn") WL_TWO2(__hmul2_rn, "mul.rn")
WL_TWO(__hmax, "max") WL_TWO(__hmin, "min") WL_TWO(__hmax_nan, "max.NaN") WL_TWO(__hmin_nan, "min.NaN")
WL_TWO2(__hmax2, "max") WL_TWO2(__hmin2, "min") WL_TWO2(__hmax2_nan, "max.NaN") WL_TWO2(__hmin2_nan, "min.NaN")
WL_THREE(__hfma, "fma.rn") WL_THREE2(__hfma2, "fma.rn") WL_THREE(__hfma_relu, "fma.rn.relu") WL_THREE2(__hfma2_relu, "fma.rn.relu")
WL_FN WL_H __hdiv(WL_H a, WL_H b) { return WL_H((float)a / (float)b); }
WL_FN WL_H2 __h2div(WL_H2 a, WL_H2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }

WL_FN WL_H operator+(const WL_H &a, const WL_H &b) { return __hadd(a, b); }
WL_FN WL_H operator-(const WL_H &a, const WL_H &b) { return __hsub(a, b); }
WL_FN WL_H operator*(const WL_H &a, const WL_H &b) { return __hmul(a, b); }
WL_FN WL_H operator/(const WL_H &a, const WL_H &b) { return __hdiv(a, b); }
WL_FN WL_H operator+(const WL_H &a) { return a; }
WL_FN WL_H operator-(const WL_H &a) { return __hneg(a); }
WL_FN WL_H &operator+=(WL_H &a, const WL_H &b) { return a = a + b; }
WL_FN WL_H &operator-=(WL_H &a, const WL_H &b) { return a = a - b; }
WL_FN WL_H &operator*=(WL_H &a, const WL_H &b) { return a = a * b; }
WL_FN WL_H &operator/=(WL_H &a, const WL_H &b) { return a = a / b; }
WL_FN WL_H2 operator+(const WL_H2 &a, const WL_H2 &b) { return __hadd2(a, b); }
WL_FN WL_H2 operator-(const WL_H2 &a, const WL_H2 &b) { return __hsub2(a, b); }
WL_FN WL_H2 operator*(const WL_H2 &a, const WL_H2 &b) { return __hmul2(a, b); }
WL_FN WL_H2 operator/(const WL_H2 &a, const WL_H2 &b) { return __h2div(a, b); }
WL_FN WL_H2 operator-(const WL_H2 &a) { return __hneg2(a); }
WL_FN WL_H2 &operator+=(WL_H2 &a, const WL_H2 &b) { return a = a + b; }
WL_FN WL_H2 &operator-=(WL_H2 &a, const WL_H2 &b) { return a = a - b; }
WL_FN WL_H2 &operator*=(WL_H2 &a, const WL_H2 &b) { return a = a * b; }

/* ---- comparisons: also those that are true of NaN (u), pair by pair as 1 and 0, and of both together ---- */
#define WL_COMPARE(name, op)                                                                       \
  WL_FN bool __h##name(WL_H a, WL_H b) {                                                           \
    unsigned r;                                                                                    \
    asm("{ .reg .pred p; setp." op "." WL_S " p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "h"(a.__x), "h"(b.__x)); \
    return r;                                                                                      \
  }                                                                                                \
  WL_FN WL_H2 __h##name##2(WL_H2 a, WL_H2 b) { return {WL_H(__h##name(a.x, b.x) ? 1.f : 0.f), WL_H(__h##name(a.y, b.y) ? 1.f : 0.f)}; } \
  WL_FN bool __hb##name##2(WL_H2 a, WL_H2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
WL_COMPARE(eq, "eq") WL_COMPARE(ne, "ne") WL_COMPARE(lt, "lt") WL_COMPARE(le, "le") WL_COMPARE(gt, "gt") WL_COMPARE(ge, "ge")
WL_COMPARE(equ, "equ") WL_COMPARE(neu, "neu") WL_COMPARE(ltu, "ltu") WL_COMPARE(leu, "leu") WL_COMPARE(gtu, "gtu") WL_COMPARE(geu, "geu")
#undef WL_COMPARE
WL_FN bool operator==(const WL_H &a, const WL_H &b) { return __heq(a, b); }
WL_FN bool operator!=(const WL_H &a, const WL_H &b) { return __hneu(a, b); }
WL_FN bool operator<(const WL_H &a, const WL_H &b) { return __hlt(a, b); }
WL_FN bool operator<=(const WL_H &a, const WL_H &b) { return __hle(a, b); }
WL_FN bool operator>(const WL_H &a, const WL_H &b) { return __hgt(a, b); }
WL_FN bool operator>=(const WL_H &a, const WL_H &b) { return __hge(a, b); }
WL_FN bool operator==(const WL_H2 &a, const WL_H2 &b) { return __hbeq2(a, b); }
WL_FN bool operator!=(const WL_H2 &a, const WL_H2 &b) { return !__hbeq2(a, b); }
WL_FN bool __hisnan(WL_H a) { return __hneu(a, a); }

/* ---- functions: by way of float, rounded once ---- */
#define WL_BY_FLOAT(name, of)                                                                      \
  WL_FN WL_H h##name(WL_H a) { return WL_H(of((float)a)); }                                        \
  WL_FN WL_H2 h2##name(WL_H2 a) { return {h##name(a.x), h##name(a.y)}; }
WL_BY_FLOAT(sqrt, sqrtf) WL_BY_FLOAT(rsqrt, rsqrtf) WL_BY_FLOAT(rcp, 1.f /) WL_BY_FLOAT(exp, expf) WL_BY_FLOAT(exp2, exp2f)
WL_BY_FLOAT(exp10, exp10f) WL_BY_FLOAT(log, logf) WL_BY_FLOAT(log2, log2f) WL_BY_FLOAT(log10, log10f) WL_BY_FLOAT(sin, sinf)
WL_BY_FLOAT(cos, cosf) WL_BY_FLOAT(tanh, tanhf) WL_BY_FLOAT(floor, floorf) WL_BY_FLOAT(ceil, ceilf) WL_BY_FLOAT(trunc, truncf) WL_BY_FLOAT(rint, rintf)
#undef WL_BY_FLOAT

/* ---- pairs ---- */
WL_FN WL_H2 WL_HALVES(WL_H a, WL_H b) { return {a, b}; }
WL_FN WL_H2 WL_TWICE(WL_H a) { return {a, a}; }
WL_FN WL_H WL_LOW(WL_H2 v) { return v.x; }
WL_FN WL_H WL_HIGH(WL_H2 v) { return v.y; }

/* ---- memory and other lanes ---- */
#define WL_SHUFFLE(name, step)                                                                     \
  WL_FN WL_H name(unsigned mask, WL_H v, step by, int width = 32) { return WL_HR{(unsigned short)name(mask, (unsigned)v.__x, by, width)}; } \
  WL_FN WL_H2 name(unsigned mask, WL_H2 v, step by, int width = 32) { return __builtin_bit_cast(WL_H2, name(mask, WL_BITS2(v), by, width)); }
WL_SHUFFLE(__shfl_sync, int) WL_SHUFFLE(__shfl_up_sync, unsigned) WL_SHUFFLE(__shfl_down_sync, unsigned) WL_SHUFFLE(__shfl_xor_sync, int)
#undef WL_SHUFFLE
#define WL_LOADED(name)                                                                            \
  WL_FN WL_H name(const WL_H *p) { return WL_HR{name((const unsigned short *)p)}; }                \
  WL_FN WL_H2 name(const WL_H2 *p) { return __builtin_bit_cast(WL_H2, name((const unsigned *)p)); }
WL_LOADED(__ldg) WL_LOADED(__ldca) WL_LOADED(__ldcg) WL_LOADED(__ldcs) WL_LOADED(__ldlu) WL_LOADED(__ldcv)
#undef WL_LOADED
WL_FN WL_H atomicAdd(WL_H *p, WL_H v) { WL_H old; asm volatile("atom.add.noftz." WL_S " %0, [%1], %2;" : "=h"(old.__x) : "l"(p), "h"(v.__x) : "memory"); return old; }
WL_FN WL_H2 atomicAdd(WL_H2 *p, WL_H2 v) { unsigned old; asm volatile("atom.add.noftz." WL_S2 " %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(WL_BITS2(v)) : "memory"); return __builtin_bit_cast(WL_H2, old); }
