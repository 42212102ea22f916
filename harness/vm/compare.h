/* compare.h - comparisons of all 32 lanes at once, each to one bit a lane. Only ops_cmp.c includes
 * it.
 *
 * Vector extensions of gcc and clang, 8 (4 for 64 bits) lanes a step; the masks are gathered with
 * movemask where the host has AVX2. Three relations a type are enough: the others are these swapped
 * or negated. */
#ifndef WL_VM_COMPARE_H
#define WL_VM_COMPARE_H
#include "vm/lanes.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef u32 v8u32 __attribute__((vector_size(32)));
typedef i32 v8s32 __attribute__((vector_size(32)));
typedef float v8f32 __attribute__((vector_size(32)));
typedef u64 v4u64 __attribute__((vector_size(32)));
typedef i64 v4s64 __attribute__((vector_size(32)));
typedef double v4f64 __attribute__((vector_size(32)));
typedef u16 v8u16 __attribute__((vector_size(16)));
typedef int16_t v8s16 __attribute__((vector_size(16)));

/* The top bit of each lane of a mask. */
static inline u32 gather8(const v8s32 *m) {
#ifdef __AVX2__
  return (u32)_mm256_movemask_ps((__m256)*m);
#else
  u32 bits = 0;
  for (u32 i = 0; i < 8; i++) bits |= ((*m)[i] < 0 ? 1u : 0u) << i;
  return bits;
#endif
}
static inline u32 gather4(const v4s64 *m) {
#ifdef __AVX2__
  return (u32)_mm256_movemask_pd((__m256d)*m);
#else
  u32 bits = 0;
  for (u32 i = 0; i < 4; i++) bits |= ((*m)[i] < 0 ? 1u : 0u) << i;
  return bits;
#endif
}

/* expr: a mask from the vectors a and b. */
#define COMPARE8(name, V, expr)                                                                    \
  static u32 name(const u8 *first, const u8 *second) {                                             \
    u32 bits = 0;                                                                                  \
    for (u32 i = 0; i < 4; i++) {                                                                  \
      V a = ((const V *)(const void *)first)[i], b = ((const V *)(const void *)second)[i];         \
      v8s32 m = (v8s32)(expr);                                                                     \
      bits |= gather8(&m) << i * 8;                                                                \
    }                                                                                              \
    return bits;                                                                                   \
  }
#define COMPARE4(name, V, expr)                                                                    \
  static u32 name(const u8 *first, const u8 *second) {                                             \
    u32 bits = 0;                                                                                  \
    for (u32 i = 0; i < 8; i++) {                                                                  \
      V a = ((const V *)(const void *)first)[i], b = ((const V *)(const void *)second)[i];         \
      v4s64 m = (v4s64)(expr);                                                                     \
      bits |= gather4(&m) << i * 4;                                                                \
    }                                                                                              \
    return bits;                                                                                   \
  }
#define WIDER(v) __builtin_convertvector(v, v8s32) /* 16 bits: compared as 32 */

COMPARE8(eq_u16, v8u16, WIDER(a) == WIDER(b))
COMPARE8(lt_u16, v8u16, WIDER(a) < WIDER(b))
COMPARE8(le_u16, v8u16, WIDER(a) <= WIDER(b))
COMPARE8(lt_s16, v8s16, WIDER(a) < WIDER(b))
COMPARE8(le_s16, v8s16, WIDER(a) <= WIDER(b))
COMPARE8(eq_u32, v8u32, a == b)
COMPARE8(lt_u32, v8u32, a < b)
COMPARE8(le_u32, v8u32, a <= b)
COMPARE8(lt_s32, v8s32, a < b)
COMPARE8(le_s32, v8s32, a <= b)
COMPARE4(eq_u64, v4u64, a == b)
COMPARE4(lt_u64, v4u64, a < b)
COMPARE4(le_u64, v4u64, a <= b)
COMPARE4(lt_s64, v4s64, a < b)
COMPARE4(le_s64, v4s64, a <= b)
/* Floats: false where an operand is a NaN. lg: less or greater; num: neither is a NaN. */
COMPARE8(eq_f32, v8f32, a == b)
COMPARE8(lt_f32, v8f32, a < b)
COMPARE8(le_f32, v8f32, a <= b)
COMPARE8(lg_f32, v8f32, (a < b) | (a > b))
COMPARE8(num_f32, v8f32, (a == a) & (b == b))
COMPARE4(eq_f64, v4f64, a == b)
COMPARE4(lt_f64, v4f64, a < b)
COMPARE4(le_f64, v4f64, a <= b)
COMPARE4(lg_f64, v4f64, (a < b) | (a > b))
COMPARE4(num_f64, v4f64, (a == a) & (b == b))

/* f32 with .ftz, f16, bf16: as f32, which holds them exactly. Shift: 16 for the upper half of a
 * pair. */
struct as_f32 {
  float lane[VM_LANES] __attribute__((aligned(32)));
};
static inline float widen_one(u32 bits, enum ptx_type t, bool flush) {
  enum vm_format f = VM_FMT_F32;
  vm_format_of(t, &f);
  float v = t == T_F32 ? vm_float(bits) : (float)vm_widen(bits & 0xffff, f);
  /* Subnormal halves are normal floats: below 2^-14 in f16. */
  if (flush && f == VM_FMT_F16 && v < 0x1p-14f && v > -0x1p-14f) return 0;
  return flush ? vm_flush(v) : v;
}
static inline void widen_lanes(struct as_f32 *to, const u8 *from, enum ptx_type t, u32 shift,
                               bool flush) {
  u32 width = t == T_F16 || t == T_BF16 ? 2 : 4;
  for (u32 i = 0; i < VM_LANES; i++)
    to->lane[i] = widen_one((u32)vm_get(from, width, i) >> shift, t, flush);
}
#endif
