/* half.h - f16 and bf16 to f32 and back without branches, so that loops over lanes become vectors.
 * The same results as vm_widen and vm_narrow to nearest (narrow.c), which serve every format and
 * rounding mode. Private to vm/. */
#ifndef WL_VM_HALF_H
#define WL_VM_HALF_H
#include "vm/lanes.h"

/* `yes` where the condition is 1, `no` where it is 0; both are computed. */
static inline u32 vm_select(u32 condition, u32 yes, u32 no) {
  u32 keep = -condition;
  return (yes & keep) | (no & ~keep);
}

/* Exact. A NaN stays one. */
static inline float vm_from_f16(u32 h) {
  u32 magnitude = h & 0x7fff, sign = (h & 0x8000) << 16;
  u32 finite = vm_bits32(vm_float(magnitude << 13) * 0x1p112f); /* subnormals too */
  return vm_float(sign | vm_select(magnitude >= 0x7c00, magnitude << 13 | 0x7f800000, finite));
}
static inline float vm_from_bf16(u32 h) { return vm_float(h << 16); }

/* To nearest, ties to even; a NaN becomes 0x7fff. */
static inline u16 vm_to_f16(float v) {
  u32 bits = vm_bits32(v), magnitude = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
  u32 normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  /* The last bit of 0.5 + x is worth 2^-24, as that of a subnormal f16. */
  u32 is_small = magnitude < 0x38800000;
  u32 small = vm_bits32(vm_float(vm_select(is_small, magnitude, 0)) + 0.5f) - 0x3f000000;
  u32 r = vm_select(magnitude < 0x47800000, vm_select(is_small, small, normal), 0x7c00) | sign;
  return (u16)vm_select(magnitude > 0x7f800000, 0x7fff, r);
}
static inline u16 vm_to_bf16(float v) {
  u32 bits = vm_bits32(v), rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return (u16)vm_select((bits & 0x7fffffff) > 0x7f800000, 0x7fff, rounded);
}

/* a + b and v rounded to odd: rounding that once more to fewer bits (two less at least) gives what
 * one rounding would. */
static inline float vm_add_odd32(float a, float b) {
  float sum = a + b, part = sum - a;
  float error = (a - (sum - part)) + (b - part); /* exact: Knuth's two-sum; NaN beyond the finite */
  u32 bits = vm_bits32(sum), off = vm_bits32(error);
  u32 inexact = -(u32)((off & 0x7fffffff) - 1 < 0x7f800000), even = -(~bits & 1);
  u32 inward = (bits ^ off) >> 31; /* the exact sum is the smaller one */
  return vm_float(bits + (inexact & even & (1 - inward * 2)));
}
static inline double vm_add_odd64(double a, double b) {
  double sum = a + b, part = sum - a;
  double error = (a - (sum - part)) + (b - part);
  u64 bits = vm_bits64(sum), off = vm_bits64(error), inward = (bits ^ off) >> 63;
  i64 size = (i64)(off & 0x7fffffffffffffff);
  u64 inexact = -(u64)(size > 0) & -(u64)(size < 0x7ff0000000000000), even = -(~bits & 1);
  return vm_double(bits + (inexact & even & (1 - inward * 2)));
}
static inline float vm_odd32(double v) {
  float near = (float)v;
  i64 size = (i64)(vm_bits64(v) & 0x7fffffffffffffff);
  i64 got = (i64)(vm_bits64((double)near) & 0x7fffffffffffffff);
  u32 bits = vm_bits32(near), even = ~bits & 1;
  u32 shrunk = (u32)((u64)(got - size) >> 63), grown = (u32)((u64)(size - got) >> 63);
  return vm_float(bits + (even & shrunk) - (even & grown));
}
#endif
