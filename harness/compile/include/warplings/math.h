/* math.h - the mathematical functions. There is no libdevice without the toolkit, so they are computed
 * here: doubles to a few units in the last place (erfc and erf to about 1e-10), floats through doubles,
 * which makes them right to the last bit but for rare ties. Trigonometry loses accuracy, but stays in
 * range, beyond |x| = 2^30. */
#pragma once

/* ---- one instruction, or nearly ---- */
WL_FN float fabsf(float x) { return __nvvm_fabs_f(x); }
WL_FN double fabs(double x) { return __nvvm_fabs_d(x); }
WL_FN float floorf(float x) { return __nvvm_floor_f(x); }
WL_FN double floor(double x) { return __nvvm_floor_d(x); }
WL_FN float ceilf(float x) { return __nvvm_ceil_f(x); }
WL_FN double ceil(double x) { return __nvvm_ceil_d(x); }
WL_FN float truncf(float x) { return __nvvm_trunc_f(x); }
WL_FN double trunc(double x) { return __nvvm_trunc_d(x); }
WL_FN float rintf(float x) { float r; asm("cvt.rni.f32.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
WL_FN double rint(double x) { double r; asm("cvt.rni.f64.f64 %0, %1;" : "=d"(r) : "d"(x)); return r; }
WL_FN float nearbyintf(float x) { return rintf(x); }
WL_FN double nearbyint(double x) { return rint(x); }
WL_FN float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
WL_FN double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
WL_FN float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
WL_FN double rsqrt(double x) { return 1.0 / sqrt(x); }
WL_FN float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
WL_FN double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
WL_FN float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
WL_FN double fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
WL_FN float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
WL_FN double fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
WL_FN float copysignf(float size, float sign) { return __uint_as_float((__float_as_uint(size) & 0x7fffffffu) | (__float_as_uint(sign) & 0x80000000u)); }
WL_FN double copysign(double size, double sign) { return __longlong_as_double((__double_as_longlong(size) & 0x7fffffffffffffffll) | (__double_as_longlong(sign) & (wl_i64)0x8000000000000000ull)); }
WL_FN float fdimf(float a, float b) { return a <= b ? 0.f : a - b; }
WL_FN double fdim(double a, double b) { return a <= b ? 0.0 : a - b; }
WL_FN float fdividef(float a, float b) { return a / b; }

WL_FN bool isnan(float x) { return x != x; }
WL_FN bool isnan(double x) { return x != x; }
WL_FN bool isinf(float x) { return fabsf(x) == __int_as_float(0x7f800000); }
WL_FN bool isinf(double x) { return fabs(x) == __longlong_as_double(0x7ff0000000000000ll); }
WL_FN bool isfinite(float x) { return fabsf(x) < __int_as_float(0x7f800000); }
WL_FN bool isfinite(double x) { return fabs(x) < __longlong_as_double(0x7ff0000000000000ll); }
WL_FN bool signbit(float x) { return __float_as_int(x) < 0; }
WL_FN bool signbit(double x) { return __double_as_longlong(x) < 0; }
WL_FN float nanf(const char *) { return __int_as_float(0x7fffffff); }
WL_FN double nan(const char *) { return __longlong_as_double(0x7fffffffffffffffll); }

/* Halves go away from zero. The constants are the largest below one half: 0.5 would round 0.49999997 up. */
WL_FN float roundf(float x) { return copysignf(truncf(fabsf(x) + (fabsf(x) < 8388608.f ? 0.49999997f : 0.f)), x); }
WL_FN double round(double x) { return copysign(trunc(fabs(x) + (fabs(x) < 4503599627370496.0 ? 0.49999999999999994 : 0.0)), x); }
WL_FN long lrintf(float x) { return (long)__float2ll_rn(x); }
WL_FN long lrint(double x) { return (long)__double2ll_rn(x); }
WL_FN wl_i64 llrintf(float x) { return __float2ll_rn(x); }
WL_FN wl_i64 llrint(double x) { return __double2ll_rn(x); }
WL_FN long lroundf(float x) { return (long)roundf(x); }
WL_FN long lround(double x) { return (long)round(x); }
WL_FN wl_i64 llroundf(float x) { return (wl_i64)roundf(x); }
WL_FN wl_i64 llround(double x) { return (wl_i64)round(x); }

/* ---- exponents ---- */

/* 2^n for -1022 <= n <= 1023. */
WL_FN double wl_power2(int n) { return __longlong_as_double((wl_i64)(n + 1023) << 52); }

WL_CALL double ldexp(double x, int n) {
  if (n > 2100) n = 2100;
  if (n < -2100) n = -2100;
  for (; n > 1000; n -= 1000) x *= wl_power2(1000);
  for (; n < -900; n += 900) x *= wl_power2(-900);
  return x * wl_power2(n);
}

/* x = m * 2^*n with 1/2 <= |m| < 1. */
WL_CALL double frexp(double x, int *n) {
  *n = 0;
  if (x == 0 || !isfinite(x)) return x;
  int shift = 0;
  if (fabs(x) < 2.2250738585072014e-308) x *= wl_power2(60), shift = -60;
  wl_i64 bits = __double_as_longlong(x);
  *n = (int)((bits >> 52) & 0x7ff) - 1022 + shift;
  return __longlong_as_double((bits & (wl_i64)0x800fffffffffffffull) | 0x3fe0000000000000ll);
}

WL_FN double scalbn(double x, int n) { return ldexp(x, n); }
WL_CALL double modf(double x, double *whole) { *whole = trunc(x); return copysign(isinf(x) ? 0.0 : x - *whole, x); }
WL_CALL int ilogb(double x) { int n; frexp(x, &n); return x == 0 ? -2147483647 - 1 : isfinite(x) ? n - 1 : 2147483647; }
WL_CALL double logb(double x) { return x == 0 ? -1 / fabs(x) : isfinite(x) ? (double)ilogb(x) : x * x; }

/* Long division in binary: every step is exact. */
WL_CALL double fmod(double x, double y) {
  double a = fabs(x), b = fabs(y);
  if (!(a < __longlong_as_double(0x7ff0000000000000ll)) || !(b > 0)) return (x * y) / (x * y);
  while (a >= b) {
    int na, nb;
    frexp(a, &na);
    frexp(b, &nb);
    double t = ldexp(b, na - nb);
    a -= t > a ? ldexp(b, na - nb - 1) : t;
  }
  return copysign(a, x);
}

/* fmod by twice the divisor tells whether the quotient is even, which decides a tie. */
WL_CALL double remainder(double x, double y) {
  double b = fabs(y), half = 0.5 * b, r = fmod(x, 2 * b), a = fabs(r);
  if (a > half) {
    a -= b;
    if (a >= half) a -= b;
  }
  return signbit(x) ? -a : a;
}

/* e^r - 1 for |r| <= 0.35: Taylor's series, to r^14. */
WL_CALL double wl_expm1_series(double r) {
  double p = 1.1470745597729725e-11;
  p = fma(p, r, 1.6059043836821613e-10);
  p = fma(p, r, 2.08767569878681e-9);
  p = fma(p, r, 2.505210838544172e-8);
  p = fma(p, r, 2.755731922398589e-7);
  p = fma(p, r, 2.7557319223985893e-6);
  p = fma(p, r, 2.48015873015873e-5);
  p = fma(p, r, 1.984126984126984e-4);
  p = fma(p, r, 1.388888888888889e-3);
  p = fma(p, r, 8.333333333333333e-3);
  p = fma(p, r, 4.1666666666666664e-2);
  p = fma(p, r, 1.6666666666666666e-1);
  p = fma(p, r, 0.5);
  return fma(p * r, r, r);
}

/* e^(x + low): x = n ln 2 + r, so the result is 2^n e^r. */
WL_CALL double wl_exp(double x, double low) {
  if (!(x < 710)) return x != x ? x : __longlong_as_double(0x7ff0000000000000ll);
  if (x < -746) return 0;
  double n = rint(x * 1.4426950408889634);
  double r = fma(-n, 1.9082149292705877e-10, fma(-n, 0.6931471803691238, x)) + low;
  return ldexp(1 + wl_expm1_series(r), (int)n);
}

WL_CALL double exp(double x) { return wl_exp(x, 0); }
WL_CALL double exp2(double x) {
  if (!(fabs(x) < 1100)) return x != x ? x : x > 0 ? __longlong_as_double(0x7ff0000000000000ll) : 0.0;
  double n = rint(x);
  return ldexp(1 + wl_expm1_series((x - n) * 0.6931471805599453), (int)n);
}
WL_CALL double expm1(double x) { return x == 0 ? x : fabs(x) < 0.35 ? wl_expm1_series(x) : exp(x) - 1; }

/* ---- logarithms ---- */

/* x > 0 as 2^*n * m with m around 1; returns log m, with what did not fit in *low.
 * log m = 2 artanh f, f = (m - 1) / (m + 1). */
WL_CALL double wl_log_parts(double x, int *n, double *low) {
  double m = frexp(x, n);
  if (m < 0.7071067811865476) m *= 2, *n -= 1;
  double above = m - 1, sum = m + 1, f = above / sum;
  double f_low = fma(-f, m - (sum - 1), fma(-f, sum, above)) / sum;
  double s = f * f, p = 4.7619047619047616e-2;
  p = fma(p, s, 5.2631578947368418e-2);
  p = fma(p, s, 5.8823529411764705e-2);
  p = fma(p, s, 6.6666666666666666e-2);
  p = fma(p, s, 7.6923076923076927e-2);
  p = fma(p, s, 9.0909090909090912e-2);
  p = fma(p, s, 1.1111111111111111e-1);
  p = fma(p, s, 1.4285714285714285e-1);
  p = fma(p, s, 2.0e-1);
  p = fma(p, s, 3.3333333333333331e-1);
  double rest = 2 * (fma(p * s, f, f_low)), top = 2 * f + rest;
  *low = rest - (top - 2 * f);
  return top;
}

/* What log gives for arguments without a logarithm; true when it did. */
WL_FN bool wl_log_special(double x, double *result) {
  if (x > 0 && x < __longlong_as_double(0x7ff0000000000000ll)) return false;
  *result = x == 0 ? __longlong_as_double((wl_i64)0xfff0000000000000ull) : x < 0 ? nan("") : x;
  return true;
}

/* log x as a sum of two doubles. The first constant has few bits, so n times it is exact. */
WL_CALL double wl_log_wide(double x, double *low) {
  int n;
  double m_low, m = wl_log_parts(x, &n, &m_low);
  double a = n * 0.6931471803691238, sum = a + m;
  double back = sum - a;
  *low = (a - (sum - back)) + (m - back) + fma((double)n, 1.9082149292705877e-10, m_low);
  return sum;
}

WL_CALL double log(double x) {
  double low, special;
  if (wl_log_special(x, &special)) return special;
  double top = wl_log_wide(x, &low);
  return top + low;
}
WL_CALL double log2(double x) {
  int n;
  double low, special;
  if (wl_log_special(x, &special)) return special;
  double m = wl_log_parts(x, &n, &low);
  return fma(m, 1.4426950408889634, fma(m, 2.0355273740931033e-17, low * 1.4426950408889634)) + n;
}
WL_CALL double log10(double x) {
  double low, special;
  if (wl_log_special(x, &special)) return special;
  double top = wl_log_wide(x, &low), r = top * 0.4342944819032518;
  return r + (fma(top, 0.4342944819032518, -r) + fma(top, 1.098319650216765e-17, low * 0.4342944819032518));
}
WL_CALL double log1p(double x) {
  double u = 1 + x;
  return u == 1 || !isfinite(u) || u <= 0 ? (u == 1 ? x : log(u)) : log(u) * (x / (u - 1));
}

/* ---- powers ---- */
WL_FN bool wl_is_odd(double y) { return fabs(y) < 9007199254740992.0 && ((wl_i64)y & 1); }

WL_CALL double pow(double x, double y) {
  const double infinity = __longlong_as_double(0x7ff0000000000000ll);
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  bool whole = trunc(y) == y, negative = signbit(x) && whole && wl_is_odd(y);
  double a = fabs(x), result;
  if (isinf(y)) return a == 1 ? 1.0 : (a > 1) == (y > 0) ? infinity : 0.0;
  if (a == 0 || a == infinity) {
    result = (a == 0) == (y < 0) ? infinity : 0.0;
  } else {
    if (x < 0 && !whole) return nan("");
    double low, top = wl_log_wide(a, &low), product = y * top;
    result = wl_exp(product, fabs(product) < 800 ? fma(y, top, -product) + y * low : 0.0);
  }
  return negative ? -result : result;
}
WL_CALL double exp10(double x) { return pow(10, x); }
WL_CALL double cbrt(double x) {
  if (x == 0 || !isfinite(x)) return x;
  double a = fabs(x), r = pow(a, 1.0 / 3);
  r -= (r * r * r - a) / (3 * r * r);
  return copysign(r, x);
}
WL_CALL double hypot(double x, double y) {
  double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
  if (isinf(x) || isinf(y)) return __longlong_as_double(0x7ff0000000000000ll);
  if (!(a > 0)) return a;
  int n;
  frexp(a, &n);
  a = ldexp(a, -n), b = ldexp(b, -n);
  return ldexp(sqrt(fma(a, a, b * b)), n);
}

/* ---- trigonometry ---- */

/* x less the nearest multiple of pi/2, which is taken off in three parts; the quadrant. */
WL_CALL double wl_quarter(double x, int *quadrant) {
  if (fabs(x) > 1073741824.0) x = fmod(x, 6.283185307179586);
  double n = rint(x * 0.6366197723675814);
  *quadrant = (int)((wl_i64)n & 3);
  double r = fma(-n, 1.5707963267948966, x);
  r = fma(-n, 6.123233995736766e-17, r);
  return fma(-n, -1.4973849048591833e-33, r);
}

/* For |r| <= pi/4. */
WL_CALL double wl_sin_series(double r) {
  double s = r * r, p = 2.8114572543455206e-15;
  p = fma(p, s, -7.6471637318198164e-13);
  p = fma(p, s, 1.6059043836821613e-10);
  p = fma(p, s, -2.505210838544172e-8);
  p = fma(p, s, 2.7557319223985893e-6);
  p = fma(p, s, -1.984126984126984e-4);
  p = fma(p, s, 8.333333333333333e-3);
  p = fma(p, s, -1.6666666666666666e-1);
  return fma(p * s, r, r);
}
WL_CALL double wl_cos_series(double r) {
  double s = r * r, p = -1.5619206968586226e-16;
  p = fma(p, s, 4.7794773323873853e-14);
  p = fma(p, s, -1.1470745597729725e-11);
  p = fma(p, s, 2.08767569878681e-9);
  p = fma(p, s, -2.755731922398589e-7);
  p = fma(p, s, 2.48015873015873e-5);
  p = fma(p, s, -1.388888888888889e-3);
  p = fma(p, s, 4.1666666666666664e-2);
  double half = 0.5 * s, top = 1 - half;
  return top + fma(p * s, s, (1 - top) - half);
}

WL_CALL double wl_sin_at(double x, int more_quadrants) {
  if (!isfinite(x)) return x - x;
  int q;
  double r = wl_quarter(x, &q);
  q += more_quadrants;
  double v = q & 1 ? wl_cos_series(r) : wl_sin_series(r);
  return q & 2 ? -v : v;
}
WL_CALL double sin(double x) { return x == 0 ? x : wl_sin_at(x, 0); }
WL_CALL double cos(double x) { return wl_sin_at(x, 1); }
WL_CALL double tan(double x) { return sin(x) / cos(x); }
WL_CALL double sinpi(double x) { return sin(fmod(x, 2) * 3.141592653589793); }
WL_CALL double cospi(double x) { return cos(fmod(x, 2) * 3.141592653589793); }

/* Near 0, pi/8 or pi/4, whichever is nearest; then the series in what is left, at most tan(pi/16). */
WL_CALL double wl_atan_unit(double x) {
  double base = 0, y = x;
  if (x > 0.6681786379192989) base = 0.7853981633974483, y = (x - 1) / (x + 1);
  else if (x > 0.198912367379658) base = 0.39269908169872414, y = (x - 0.41421356237309503) / fma(x, 0.41421356237309503, 1);
  double s = y * y, p = 0;
  for (int n = 25; n >= 3; n -= 2) p = fma(p, -s, 1.0 / n);
  return base + fma(-p * s, y, y);
}
WL_CALL double atan(double x) {
  double a = fabs(x);
  double r = a > 1 ? 1.5707963267948966 - (wl_atan_unit(1 / a) - 6.123233995736766e-17) : wl_atan_unit(a);
  return x != x ? x : copysign(r, x);
}
WL_CALL double atan2(double y, double x) {
  double ay = fabs(y), ax = fabs(x);
  if (x != x || y != y) return x + y;
  if (ax == ay) ax = ay = ax == 0 && !signbit(x) ? 0.0 : 1.0;
  if (y == 0) return signbit(x) ? copysign(3.141592653589793, y) : y;
  double r = ax == 0 && ay == 0 ? 0.0 : ay <= ax ? wl_atan_unit(ay / ax) : 1.5707963267948966 - wl_atan_unit(ax / ay);
  return copysign(signbit(x) ? 3.141592653589793 - (r - 1.2246467991473532e-16) : r, y);
}
WL_CALL double asin(double x) { return fabs(x) > 1 ? nan("") : x == 0 ? x : atan2(x, sqrt((1 - x) * (1 + x))); }
WL_CALL double acos(double x) { return fabs(x) > 1 ? nan("") : atan2(sqrt((1 - x) * (1 + x)), x); }

/* ---- hyperbolic ---- */
/* e^a overflows before e^a / 2 does. */
WL_FN double wl_half_exp(double a) { double h = exp(0.5 * a); return 0.5 * h * h; }
WL_CALL double sinh(double x) {
  double a = fabs(x), t = expm1(a);
  return copysign(a > 40 ? wl_half_exp(a) : (t + t / (t + 1)) / 2, x);
}
WL_CALL double cosh(double x) {
  double a = fabs(x), e = exp(a);
  return a > 40 ? wl_half_exp(a) : (e + 1 / e) / 2;
}
WL_CALL double tanh(double x) {
  double a = fabs(x), t = expm1(2 * (a < 30 ? a : 30));
  return x != x ? x : copysign(t / (t + 2), x);
}
WL_CALL double asinh(double x) {
  double a = fabs(x);
  return copysign(a > 1e8 ? log(a) + 0.6931471805599453 : log1p(a + a * a / (1 + sqrt(a * a + 1))), x);
}
WL_CALL double acosh(double x) { return x > 1e8 ? log(x) + 0.6931471805599453 : log1p((x - 1) + sqrt((x - 1) * (x + 1))); }
WL_CALL double atanh(double x) { double a = fabs(x); return copysign(0.5 * log1p(2 * a / (1 - a)), x); }

/* ---- the error function ---- */

/* e^(-a^2), with what the square lost. */
WL_FN double wl_bell(double a) { double s = a * a; return wl_exp(-s, -fma(a, a, -s)); }

/* Below 3 a series of positive terms; above, the continued fraction of erfc, from its far end. */
WL_CALL double erfc(double x);
WL_CALL double erf(double x) {
  double a = fabs(x);
  if (a >= 3) return copysign(1 - erfc(a), x);
  double term = a, sum = a;
  for (int n = 1; term > sum * 1e-17; n++) {
    term *= 2 * a * a / (2 * n + 1);
    sum += term;
  }
  return x != x ? x : copysign(1.1283791670955126 * wl_bell(a) * sum, x);
}
WL_CALL double erfc(double x) {
  if (!(x >= 3)) return 1 - erf(x);
  double f = 0;
  for (int n = 60; n >= 1; n--) f = 0.5 * n / (x + f);
  return x > 27.3 ? 0.0 : wl_bell(x) * 0.5641895835477563 / (x + f);
}

#include "warplings/math_float.h"
