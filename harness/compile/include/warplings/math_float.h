/* math_float.h - the float versions (computed in double and rounded once), and the C++ overloads, so that
 * sin(x) has the type of x. An integer argument counts as a double, as in C++. Part of math.h. */
#pragma once

/* ---- float ---- */
WL_CALL float expf(float x) { return (float)exp((double)x); }
WL_CALL float exp2f(float x) { return (float)exp2((double)x); }
WL_CALL float exp10f(float x) { return (float)exp10((double)x); }
WL_CALL float expm1f(float x) { return (float)expm1((double)x); }
WL_CALL float logf(float x) { return (float)log((double)x); }
WL_CALL float log2f(float x) { return (float)log2((double)x); }
WL_CALL float log10f(float x) { return (float)log10((double)x); }
WL_CALL float log1pf(float x) { return (float)log1p((double)x); }
WL_CALL float cbrtf(float x) { return (float)cbrt((double)x); }
WL_CALL float sinf(float x) { return (float)sin((double)x); }
WL_CALL float cosf(float x) { return (float)cos((double)x); }
WL_CALL float tanf(float x) { return (float)tan((double)x); }
WL_CALL float sinpif(float x) { return (float)sinpi((double)x); }
WL_CALL float cospif(float x) { return (float)cospi((double)x); }
WL_CALL float asinf(float x) { return (float)asin((double)x); }
WL_CALL float acosf(float x) { return (float)acos((double)x); }
WL_CALL float atanf(float x) { return (float)atan((double)x); }
WL_CALL float sinhf(float x) { return (float)sinh((double)x); }
WL_CALL float coshf(float x) { return (float)cosh((double)x); }
WL_CALL float tanhf(float x) { return (float)tanh((double)x); }
WL_CALL float asinhf(float x) { return (float)asinh((double)x); }
WL_CALL float acoshf(float x) { return (float)acosh((double)x); }
WL_CALL float atanhf(float x) { return (float)atanh((double)x); }
WL_CALL float erff(float x) { return (float)erf((double)x); }
WL_CALL float erfcf(float x) { return (float)erfc((double)x); }
WL_CALL float powf(float x, float y) { return (float)pow((double)x, (double)y); }
WL_CALL float fmodf(float x, float y) { return (float)fmod((double)x, (double)y); }
WL_CALL float remainderf(float x, float y) { return (float)remainder((double)x, (double)y); }
WL_CALL float hypotf(float x, float y) { return (float)hypot((double)x, (double)y); }
WL_CALL float atan2f(float x, float y) { return (float)atan2((double)x, (double)y); }
WL_CALL float ldexpf(float x, int n) { return (float)ldexp((double)x, n); }
WL_CALL float scalbnf(float x, int n) { return (float)ldexp((double)x, n); }
WL_CALL float frexpf(float x, int *n) { return (float)frexp((double)x, n); }
WL_CALL float logbf(float x) { return (float)logb((double)x); }
WL_CALL int ilogbf(float x) { return ilogb((double)x); }
WL_CALL float modff(float x, float *whole) { *whole = truncf(x); return copysignf(isinf(x) ? 0.f : x - *whole, x); }
WL_CALL void sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
WL_CALL void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }

/* ---- overloads ---- */
template <bool condition, class type> struct wl_when {};
template <class type> struct wl_when<true, type> { typedef type then; };
/* ::then is double for an integer; for two numbers that are not both float or both double. */
template <class T> struct wl_integer : wl_when<__is_integral(T), double> {};
template <class T, class U> struct wl_mixed : wl_when<__is_integral(T) ? __is_arithmetic(U) : __is_arithmetic(T) && __is_arithmetic(U) && !__is_same(T, U), double> {};

#define WL_ONE(name)                                                                               \
  WL_FN float name(float x) { return name##f(x); }                                                 \
  template <class T> WL_FN typename wl_integer<T>::then name(T x) { return name((double)x); }
#define WL_TWO(name)                                                                               \
  WL_FN float name(float x, float y) { return name##f(x, y); }                                     \
  template <class T, class U> WL_FN typename wl_mixed<T, U>::then name(T x, U y) { return name((double)x, (double)y); }
WL_ONE(exp)
WL_ONE(exp2)
WL_ONE(exp10)
WL_ONE(expm1)
WL_ONE(log)
WL_ONE(log2)
WL_ONE(log10)
WL_ONE(log1p)
WL_ONE(cbrt)
WL_ONE(sin)
WL_ONE(cos)
WL_ONE(tan)
WL_ONE(sinpi)
WL_ONE(cospi)
WL_ONE(asin)
WL_ONE(acos)
WL_ONE(atan)
WL_ONE(sinh)
WL_ONE(cosh)
WL_ONE(tanh)
WL_ONE(asinh)
WL_ONE(acosh)
WL_ONE(atanh)
WL_ONE(erf)
WL_ONE(erfc)
WL_ONE(fabs)
WL_ONE(floor)
WL_ONE(ceil)
WL_ONE(trunc)
WL_ONE(round)
WL_ONE(rint)
WL_ONE(nearbyint)
WL_ONE(sqrt)
WL_ONE(rsqrt)
WL_ONE(logb)
WL_TWO(pow)
WL_TWO(fmod)
WL_TWO(remainder)
WL_TWO(hypot)
WL_TWO(atan2)
WL_TWO(fmin)
WL_TWO(fmax)
WL_TWO(fdim)
WL_TWO(copysign)
WL_FN float fma(float a, float b, float c) { return fmaf(a, b, c); }
WL_FN float ldexp(float x, int n) { return ldexpf(x, n); }
WL_FN float frexp(float x, int *n) { return frexpf(x, n); }
WL_FN float modf(float x, float *whole) { return modff(x, whole); }
WL_FN float abs(float x) { return fabsf(x); }
WL_FN double abs(double x) { return fabs(x); }
WL_FN float min(float a, float b) { return fminf(a, b); }
WL_FN double min(double a, double b) { return fmin(a, b); }
WL_FN double min(float a, double b) { return fmin((double)a, b); }
WL_FN double min(double a, float b) { return fmin(a, (double)b); }
WL_FN float max(float a, float b) { return fmaxf(a, b); }
WL_FN double max(double a, double b) { return fmax(a, b); }
WL_FN double max(float a, double b) { return fmax((double)a, b); }
WL_FN double max(double a, float b) { return fmax(a, (double)b); }
