/* narrow.c - values of f16, bf16, tf32, f32 and the formats of 8, 6 and 4 bits from doubles with
 * one exact rounding, and back. Integer arithmetic only: no host rounding mode is involved. */
#include "vm/lanes.h"
#include <math.h>

struct format {
  u32 mantissa; /* stored bits */
  i32 emin;     /* exponent of the smallest normal number */
  u32 infinity; /* its bits; those above are NaNs */
  u32 nan;      /* the canonical NaN */
  u32 sign;
};
static const struct format formats[] = {
    [VM_FMT_F16] = {10, -14, 0x7c00, 0x7fff, 0x8000},
    [VM_FMT_BF16] = {7, -126, 0x7f80, 0x7fff, 0x8000},
    [VM_FMT_F32] = {23, -126, 0x7f800000, 0x7fffffff, 0x80000000},
    [VM_FMT_TF32] = {10, -126, 0x3fc00, 0x3ffff, 0x40000}, /* the upper 19 bits of an f32 */
    /* Without infinities: one above the largest number stands for them, and is never stored. NaNs
     * become the largest number where the format has none. */
    [VM_FMT_E5M2] = {2, -14, 0x7c, 0x7f, 0x80},
    [VM_FMT_E4M3] = {3, -6, 0x7f, 0x7f, 0x80},
    [VM_FMT_E3M2] = {2, -2, 0x20, 0x1f, 0x20},
    [VM_FMT_E2M3] = {3, 0, 0x20, 0x1f, 0x20},
    [VM_FMT_E2M1] = {1, 0, 0x8, 0x7, 0x8},
};

static bool rounds_up(u64 kept, u64 rest, u64 half, bool negative, enum vm_round mode) {
  switch (mode) {
  case VM_RN: return rest > half || (rest == half && (kept & 1));
  case VM_RNA: return rest >= half;
  case VM_RM: return rest && negative;
  case VM_RP: return rest && !negative;
  default: return false;
  }
}

/* Bits of a finite, non-zero magnitude: `mantissa` * 2^(exponent - 52). */
static u32 narrow_magnitude(const struct format *f, u64 mantissa, i32 exponent, bool negative,
                            enum vm_round mode) {
  i32 lowest = f->emin - (i32)f->mantissa; /* exponent of a subnormal's last bit */
  i32 last = exponent - (i32)f->mantissa;  /* ... and of the result's */
  if (last < lowest) last = lowest;
  i32 shift = last - (exponent - 52);
  if (shift > 60) shift = 60; /* everything is below the last bit */
  u64 kept = mantissa >> shift, rest = mantissa & ((1ull << shift) - 1), half = 1ull << (shift - 1);
  if (rounds_up(kept, rest, half, negative, mode)) kept++;
  /* Adding lets a carry out of the mantissa raise the exponent, also from subnormal to normal. */
  u64 bits = ((u64)(last - lowest) << f->mantissa) + kept;
  if (bits < f->infinity) return (u32)bits;
  bool to_finite = mode == VM_RZ || (mode == VM_RM && !negative) || (mode == VM_RP && negative);
  return to_finite ? f->infinity - 1 : f->infinity;
}

u32 vm_narrow(double v, enum vm_format fmt, enum vm_round mode) {
  const struct format *f = &formats[fmt];
  u64 b = vm_bits64(v), mantissa = b & ((1ull << 52) - 1);
  i32 biased = (i32)(b >> 52 & 0x7ff);
  bool negative = b >> 63;
  u32 sign = negative ? f->sign : 0, bits;
  if (biased == 0x7ff)
    bits = mantissa ? f->nan : sign | f->infinity;
  else if (!biased && !mantissa)
    bits = sign;
  else if (!biased)
    bits = sign | narrow_magnitude(f, mantissa, -1022, negative, mode);
  else
    bits = sign | narrow_magnitude(f, mantissa | 1ull << 52, biased - 1023, negative, mode);
  return fmt == VM_FMT_TF32 ? bits << 13 : bits;
}

static double widen_small(u32 bits, const struct format *f) {
  u32 magnitude = bits & (f->sign - 1), exponent = magnitude >> f->mantissa,
      mantissa = magnitude & ((1u << f->mantissa) - 1);
  double v = exponent ? ldexp((double)(mantissa | 1u << f->mantissa),
                              (i32)exponent - 1 + f->emin - (i32)f->mantissa)
                      : ldexp((double)mantissa, f->emin - (i32)f->mantissa);
  if (magnitude >= f->infinity)
    v = magnitude == f->infinity && f->nan != f->infinity ? (double)INFINITY : (double)NAN;
  return bits & f->sign ? -v : v;
}
u32 vm_largest(enum vm_format fmt) { return formats[fmt].infinity - 1; }

double vm_widen(u32 bits, enum vm_format fmt) {
  if (fmt > VM_FMT_TF32) return widen_small(bits, &formats[fmt]);
  if (fmt == VM_FMT_F32 || fmt == VM_FMT_TF32) return (double)vm_float(bits);
  if (fmt == VM_FMT_BF16) return (double)vm_float(bits << 16);
  u32 exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
  u64 sign = (u64)(bits & 0x8000) << 48, payload = (u64)mantissa << 42;
  if (!exponent) return vm_double(sign | vm_bits64(mantissa * 0x1p-24));
  if (exponent < 31) return vm_double(sign | (u64)(exponent + 1023 - 15) << 52 | payload);
  return vm_double(sign | 0x7ff0000000000000ull | (mantissa ? 1ull << 51 : 0) | payload);
}

double vm_add_odd(double a, double b) {
  double sum = a + b;
  if (!isfinite(sum)) return sum;
  double b_part = sum - a, error = (a - (sum - b_part)) + (b - b_part); /* exact: Knuth's two-sum */
  u64 bits = vm_bits64(sum);
  if (error == 0 || (bits & 1)) return sum;
  return vm_double((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

bool vm_tiny(double v, enum vm_format fmt, enum vm_round mode) {
  double least = ldexp(1, formats[fmt].emin), size = fabs(v),
         step = ldexp(least, -(int)formats[fmt].mantissa - 1); /* between the numbers below it */
  if (mode == VM_RN) return size < least - step / 2;
  bool away = (mode == VM_RP && v > 0) || (mode == VM_RM && v < 0);
  return away ? size <= least - step : size < least;
}

bool vm_format_of(enum ptx_type t, enum vm_format *f) {
  switch (t) {
  case T_F16:
  case T_F16X2: *f = VM_FMT_F16; return true;
  case T_BF16:
  case T_BF16X2: *f = VM_FMT_BF16; return true;
  case T_F32: *f = VM_FMT_F32; return true;
  case T_TF32: *f = VM_FMT_TF32; return true;
  case T_E5M2:
  case T_E5M2X2:
  case T_E5M2X4: *f = VM_FMT_E5M2; return true;
  case T_E4M3:
  case T_E4M3X2:
  case T_E4M3X4: *f = VM_FMT_E4M3; return true;
  case T_E3M2:
  case T_E3M2X2:
  case T_E3M2X4: *f = VM_FMT_E3M2; return true;
  case T_E2M3:
  case T_E2M3X2:
  case T_E2M3X4: *f = VM_FMT_E2M3; return true;
  case T_E2M1:
  case T_E2M1X2:
  case T_E2M1X4: *f = VM_FMT_E2M1; return true;
  default: return false;
  }
}
