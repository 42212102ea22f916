/* convert.c - cvt of one value between any two scalar types, by the book; ops_cvt.c has loops for
 * the frequent pairs. */
#include "vm/convert.h"
#include <math.h>

typedef __int128 i128;
static i128 power(u32 bits) { return (i128)1 << bits; }
static u32 bits_of(enum ptx_type t) { return ptx_type_bytes(t) * 8; }
static i128 smallest(enum ptx_type t) { return vm_is_signed(t) ? -power(bits_of(t) - 1) : 0; }
static i128 largest(enum ptx_type t) { return power(bits_of(t) - (vm_is_signed(t) ? 1 : 0)) - 1; }

static i128 int_value(u64 bits, enum ptx_type t) {
  u64 v = bits_of(t) == 64 ? bits : bits & ((1ull << bits_of(t)) - 1);
  return vm_is_signed(t) && v >> (bits_of(t) - 1) ? (i128)v - power(bits_of(t)) : (i128)v;
}

/* ---- to integers ---- */
static u64 int_to_int(const struct vm_conversion *how, i128 v) {
  if (how->flags & VM_SAT) {
    if (v < smallest(how->to)) v = smallest(how->to);
    if (v > largest(how->to)) v = largest(how->to);
  }
  return (u64)int_value((u64)v, how->to);
}
static double round_integral(double v, enum vm_round mode) {
  switch (mode) {
  case VM_RZ: return trunc(v);
  case VM_RM: return floor(v);
  case VM_RP: return ceil(v);
  default: return rint(v);
  }
}
/* Always clamped. NaN: 0, but the top bit alone where the source is f64 or the result has 64 bits
 * (PTX ISA, cvt). */
static u64 float_to_int(const struct vm_conversion *how, double v) {
  if (isnan(v)) {
    bool top = how->from == T_F64 || bits_of(how->to) == 64;
    return top ? (u64)int_value(1ull << (bits_of(how->to) - 1), how->to) : 0;
  }
  v = round_integral(v, how->mode);
  if (v <= (double)smallest(how->to)) return (u64)smallest(how->to);
  if (v >= (double)power(bits_of(how->to) - (vm_is_signed(how->to) ? 1 : 0)))
    return (u64)largest(how->to);
  return (u64)(i128)v;
}

/* ---- to floats ---- */
/* A 64-bit magnitude in a double: exact, or with the last bit set where bits were lost (rounded to
 * odd), so that one more rounding to a narrower format is the right one. */
static double odd_double(u64 magnitude) {
  if (magnitude < 1ull << 53) return (double)magnitude;
  u64 lost = magnitude & 0x7ff;
  return (double)((magnitude & ~0x7ffull) | (lost ? 0x800 : 0));
}
static double int_to_f64(i128 v, enum vm_round mode) {
  double nearest = (double)v;
  i128 back = (i128)nearest;
  bool down = mode == VM_RM || (mode == VM_RZ && v > 0),
       up = mode == VM_RP || (mode == VM_RZ && v < 0);
  if (down && back > v) return nextafter(nearest, -INFINITY);
  if (up && back < v) return nextafter(nearest, INFINITY);
  return nearest;
}
/* NaNs from f64 keep their sign and the upper bits of their payload in f32 and f16; all others are
 * canonical. */
static bool nan_kept(const struct vm_conversion *how, double v, enum vm_format f, u32 *bits) {
  u64 b = vm_bits64(v);
  if (how->from != T_F64 || f == VM_FMT_BF16) return false;
  *bits = f == VM_FMT_F32 ? vm_bits32((float)v)
                          : (u32)(b >> 48 & 0x8000) | 0x7e00 | (u32)(b >> 42 & 0x1ff);
  return true;
}
/* A NaN to tf32 with .rna is cut like a number, and .satfinite takes its last bit away: as an H200
 * does it, where NaNs with little payload become infinities or large numbers. */
static u32 tf32_nan(const struct vm_conversion *how, u32 bits) {
  return (bits & ~0x1fffu) - (how->flags & VM_SATFINITE ? 0x2000 : 0);
}
static u64 to_format(const struct vm_conversion *how, double v, enum vm_format f) {
  u32 bits;
  if (how->flags & VM_FTZ && f == VM_FMT_F32 && vm_tiny(v, f, how->mode)) v = copysign(0, v);
  if (!isnan(v) || !nan_kept(how, v, f, &bits)) bits = vm_narrow(v, f, how->mode);
  if (how->flags & VM_SATFINITE && isinf(vm_widen(bits, f)))
    bits -= f == VM_FMT_TF32 ? 1u << 13 : 1; /* the largest finite number */
  return bits;
}
static u64 float_to_float(const struct vm_conversion *how, double v) {
  enum vm_format f;
  if (how->flags & VM_TO_INT) v = round_integral(v, how->mode);
  if (how->flags & VM_SAT) v = vm_sat64(v);
  if (how->flags & VM_RELU && !isnan(v) && !(v > 0)) v = 0;
  return vm_format_of(how->to, &f) ? to_format(how, v, f) : vm_bits64(v);
}
static u64 int_to_float(const struct vm_conversion *how, i128 v) {
  if (how->to == T_F64) {
    double d = int_to_f64(v, how->mode);
    return vm_bits64(how->flags & VM_SAT ? vm_sat64(d) : d);
  }
  double d = v < 0 ? -odd_double((u64)-v) : odd_double((u64)v);
  return float_to_float(how, d);
}

u64 vm_convert(const struct vm_conversion *how, u64 bits) {
  enum vm_format f;
  bool to_int = vm_is_int(how->to);
  if (vm_is_int(how->from)) {
    i128 v = int_value(bits, how->from);
    return to_int ? int_to_int(how, v) : int_to_float(how, v);
  }
  double v;
  if (how->to == T_TF32 && how->mode == VM_RNA && (bits & 0x7fffffff) > 0x7f800000)
    return tf32_nan(how, (u32)bits);
  if (!vm_format_of(how->from, &f))
    v = vm_double(bits);
  else if (how->flags & VM_FTZ && f == VM_FMT_F32 && how->to != T_F16)
    v = (double)vm_flush(vm_float((u32)bits)); /* an H200 does not flush sources of f16 */
  else
    v = vm_widen((u32)bits, f);
  return to_int ? float_to_int(how, v) : float_to_float(how, v);
}
