/* lanes.h - loops over the 32 lanes of a register, for the arithmetic handlers (ops_*.c), and how
 * their pickers check a form.
 *
 * LANES1(name, type, expr) makes two functions: name_lane, which computes one lane from a (b, c),
 * and the handler `name`, which applies it to the active lanes. A destination may be the very slot
 * of a source, never part of one: the loops may be vectorised without looking for overlaps.
 * Inactive lanes are computed too and thrown away, so an expression must not trap; EACH1 and its
 * like visit active lanes only and are for rare or slow operations. Validity is settled first,
 * while the sources are still there. Private to vm/. */
#ifndef WL_VM_LANES_H
#define WL_VM_LANES_H
#include "vm/machine.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* what cannot be vectorised runs lane by lane */
#define VM_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define VM_IVDEP _Pragma("GCC ivdep")
#endif

/* Stores `value`, an expression in i, in the active lanes of d. */
#define VM_STORE_LANES(x, D, d, value)                                                             \
  if ((x)->mask == VM_FULL) {                                                                      \
    VM_IVDEP for (u32 i = 0; i < VM_LANES; i++)(d)[i] = (value);                                   \
  } else if (vm_few((x)->mask)) {                                                                  \
    VM_EACH(i, (x)->mask)(d)[i] = (value);                                                         \
  } else {                                                                                         \
    VM_IVDEP for (u32 i = 0; i < VM_LANES; i++) {                                                  \
      D result = (value);                                                                          \
      (d)[i] = (x)->lane_mask[i] ? result : (d)[i];                                                \
    }                                                                                              \
  }

#define VM_REG(T, x, ref) ((T *)__builtin_assume_aligned(vm_data((x), (ref)), 32))

/* A handler is name; where some active lane of a source is undefined, name_rare does the same work
 * with `validity` first. Keeping that apart leaves the usual case without a call and its frame. */
#define VM_RARE(name, validity, D, d, value)                                                       \
  static __attribute__((noinline, cold)) void name##_rare(struct vm_exec *x,                       \
                                                          const struct vm_insn *in) {              \
    validity;                                                                                      \
    D *d = VM_REG(D, x, in->dst);                                                                  \
    VM_EACH(i, x->mask)(d)[i] = (value);                                                           \
  }
#define VM_UNLESS_RARE(name, x, in, known, d)                                                      \
  if (__builtin_expect(((x)->mask & ~(known)) != 0, 0)) {                                          \
    name##_rare(x, in);                                                                            \
    return;                                                                                        \
  }                                                                                                \
  vm_head((u8 *)(d))->valid |= (x)->mask;

/* With every type and the validity rule given. */
#define LANES1T(name, D, A, expr)                                                                  \
  static inline D name##_lane(A a) { return (D)(expr); }                                           \
  VM_RARE(name, vm_result1(x, in), D, d, name##_lane(VM_REG(const A, x, in->src[0])[i]))           \
  static void name(struct vm_exec *x, const struct vm_insn *in) {                                  \
    D *d = VM_REG(D, x, in->dst);                                                                  \
    const A *a = VM_REG(const A, x, in->src[0]);                                                   \
    VM_UNLESS_RARE(name, x, in, vm_lanes_valid(a), d)                                              \
    VM_STORE_LANES(x, D, d, name##_lane(a[i]))                                                     \
  }
#define LANES2R(name, D, A, B, expr, validity)                                                     \
  static inline D name##_lane(A a, B b) { return (D)(expr); }                                      \
  VM_RARE(name, validity, D, d,                                                                    \
          name##_lane(VM_REG(const A, x, in->src[0])[i], VM_REG(const B, x, in->src[1])[i]))       \
  static void name(struct vm_exec *x, const struct vm_insn *in) {                                  \
    D *d = VM_REG(D, x, in->dst);                                                                  \
    const A *a = VM_REG(const A, x, in->src[0]);                                                   \
    const B *b = VM_REG(const B, x, in->src[1]);                                                   \
    VM_UNLESS_RARE(name, x, in, vm_lanes_valid(a) & vm_lanes_valid(b), d)                          \
    VM_STORE_LANES(x, D, d, name##_lane(a[i], b[i]))                                               \
  }
#define LANES3T(name, D, A, B, C, expr)                                                            \
  static inline D name##_lane(A a, B b, C c) { return (D)(expr); }                                 \
  VM_RARE(name, vm_result3(x, in), D, d,                                                           \
          name##_lane(VM_REG(const A, x, in->src[0])[i], VM_REG(const B, x, in->src[1])[i],        \
                      VM_REG(const C, x, in->src[2])[i]))                                          \
  static void name(struct vm_exec *x, const struct vm_insn *in) {                                  \
    D *d = VM_REG(D, x, in->dst);                                                                  \
    const A *a = VM_REG(const A, x, in->src[0]);                                                   \
    const B *b = VM_REG(const B, x, in->src[1]);                                                   \
    const C *c = VM_REG(const C, x, in->src[2]);                                                   \
    VM_UNLESS_RARE(name, x, in, vm_lanes_valid(a) & vm_lanes_valid(b) & vm_lanes_valid(c), d)      \
    VM_STORE_LANES(x, D, d, name##_lane(a[i], b[i], c[i]))                                         \
  }
#define LANES2T(name, D, A, B, expr) LANES2R(name, D, A, B, expr, vm_result2(x, in))
#define LANES1(name, T, expr)        LANES1T(name, T, T, expr)
#define LANES2(name, T, expr)        LANES2T(name, T, T, T, expr)
#define LANES3(name, T, expr)        LANES3T(name, T, T, T, T, expr)
/* Products and `and`: a defined zero decides the result. `or`: defined ones do. */
#define LANES2_ZERO(name, D, T, expr) LANES2R(name, D, T, T, expr, vm_result_zero(x, in, sizeof(T)))
#define LANES2_ONES(name, T, expr)    LANES2R(name, T, T, T, expr, vm_result_ones(x, in, sizeof(T)))

/* Active lanes only. */
#define EACH1T(name, D, A, expr)                                                                   \
  static inline D name##_lane(A a) { return (D)(expr); }                                           \
  static void name(struct vm_exec *x, const struct vm_insn *in) {                                  \
    vm_result1(x, in);                                                                             \
    D *d = VM_REG(D, x, in->dst);                                                                  \
    const A *a = VM_REG(const A, x, in->src[0]);                                                   \
    VM_EACH(i, x->mask) d[i] = name##_lane(a[i]);                                                  \
  }
#define EACH2T(name, D, A, B, expr)                                                                \
  static inline D name##_lane(A a, B b) { return (D)(expr); }                                      \
  static void name(struct vm_exec *x, const struct vm_insn *in) {                                  \
    vm_result2(x, in);                                                                             \
    D *d = VM_REG(D, x, in->dst);                                                                  \
    const A *a = VM_REG(const A, x, in->src[0]);                                                   \
    const B *b = VM_REG(const B, x, in->src[1]);                                                   \
    VM_EACH(i, x->mask) d[i] = name##_lane(a[i], b[i]);                                            \
  }
#define EACH3T(name, D, A, B, C, expr)                                                             \
  static inline D name##_lane(A a, B b, C c) { return (D)(expr); }                                 \
  static void name(struct vm_exec *x, const struct vm_insn *in) {                                  \
    vm_result3(x, in);                                                                             \
    D *d = VM_REG(D, x, in->dst);                                                                  \
    const A *a = VM_REG(const A, x, in->src[0]);                                                   \
    const B *b = VM_REG(const B, x, in->src[1]);                                                   \
    const C *c = VM_REG(const C, x, in->src[2]);                                                   \
    VM_EACH(i, x->mask) d[i] = name##_lane(a[i], b[i], c[i]);                                      \
  }
#define EACH1(name, T, expr) EACH1T(name, T, T, expr)
#define EACH2(name, T, expr) EACH2T(name, T, T, T, expr)
#define EACH3(name, T, expr) EACH3T(name, T, T, T, T, expr)

/* ---- validity where one source can decide the result (lanes.c) ---- */
u32 vm_valid_by(const struct vm_exec *x, const struct vm_insn *in, u32 width, u64 decides);
static inline void vm_result_decided(struct vm_exec *x, const struct vm_insn *in, u32 width,
                                     u64 decides) {
  u32 valid = vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]);
  if (__builtin_expect((~valid & x->mask) != 0, 0)) valid |= vm_valid_by(x, in, width, decides);
  vm_result(x, in, vm_data(x, in->dst), valid, 2);
}
static inline void vm_result_zero(struct vm_exec *x, const struct vm_insn *in, u32 width) {
  vm_result_decided(x, in, width, 0);
}
static inline void vm_result_ones(struct vm_exec *x, const struct vm_insn *in, u32 width) {
  vm_result_decided(x, in, width, ~0ull);
}
/* A predicate result: bits of the active lanes, validity given. */
static inline void vm_put_pred(struct vm_exec *x, const struct vm_insn *in, i32 ref, u32 bits,
                               u32 valid, int nsrc) {
  u32 *d = vm_pred(x, ref);
  vm_result(x, in, (u8 *)d, valid, nsrc);
  *d = (*d & ~x->mask) | (bits & x->mask);
}

/* ---- one lane of a register of 2, 4 or 8 bytes, for handlers that serve several widths ---- */
static inline u64 vm_get(const u8 *data, u32 width, u32 lane) {
  u64 v = 0;
  switch (width) {
  case 2: return ((const u16 *)(const void *)data)[lane];
  case 4: return ((const u32 *)(const void *)data)[lane];
  default: memcpy(&v, data + lane * 8, 8); return v;
  }
}
static inline void vm_put(u8 *data, u32 width, u32 lane, u64 v) {
  switch (width) {
  case 2: ((u16 *)(void *)data)[lane] = (u16)v; break;
  case 4: ((u32 *)(void *)data)[lane] = (u32)v; break;
  default: memcpy(data + lane * 8, &v, 8);
  }
}

/* One value for all active lanes. */
static inline void vm_fill(const struct vm_exec *x, u8 *data, u32 width, u64 v) {
  if (width == 4) {
    u32 *d = (u32 *)(void *)data;
    VM_STORE_LANES(x, u32, d, (u32)v)
  } else if (width == 8) {
    u64 *d = (u64 *)(void *)data;
    VM_STORE_LANES(x, u64, d, v)
  } else {
    VM_EACH(i, x->mask) vm_put(data, width, i, v);
  }
}

/* ---- floats as bits ---- */
static inline u32 vm_bits32(float v) {
  u32 b;
  memcpy(&b, &v, 4);
  return b;
}
static inline float vm_float(u32 b) {
  float v;
  memcpy(&v, &b, 4);
  return v;
}
static inline u64 vm_bits64(double v) {
  u64 b;
  memcpy(&b, &v, 8);
  return b;
}
static inline double vm_double(u64 b) {
  double v;
  memcpy(&v, &b, 8);
  return v;
}
/* f32 results that are NaN carry no payload: 0x7fffffff (PTX ISA, floating-point NaN payload). In
 * f64 the hardware makes 0xfff8000000000000 and hands an operand's payload on, as x86 does: nothing
 * to correct in arithmetic; vm_nan64 is for operations that build their result otherwise. */
#define VM_NAN32 0x7fffffffu
#define VM_NAN64 0xfff8000000000000ull
static inline float vm_nan32(float v) { return v == v ? v : vm_float(VM_NAN32); }
static inline double vm_nan64(double v) { return v == v ? v : vm_double(VM_NAN64); }
/* .ftz: subnormals count as zero, the sign stays. */
static inline float vm_flush(float v) {
  u32 b = vm_bits32(v);
  return vm_float(b & ((b & 0x7f800000u) ? 0xffffffffu : 0x80000000u));
}
/* .ftz of results: zero where `tiny`. A result is that when it lies below 2^-126 after rounding to
 * 24 digits with no bound on the exponent: seen on an H200, and what x86 does. So (1 - 2^-24)
 * 2^-126 is flushed, although rounding in place would give 2^-126, and (1 - 2^-25) 2^-126 is not.
 */
static inline float vm_flush_tiny(float r, bool tiny) {
  return vm_float(vm_bits32(r) & (tiny ? 0x80000000u : 0xffffffffu));
}
#define VM_TINY32 0x1.ffffffp-127 /* (1 - 2^-25) 2^-126: what rounding to nearest takes up */
static inline bool vm_mul_tiny(float a, float b) { /* the product is exact in f64 */
  double p = (double)a * (double)b;
  return (p < VM_TINY32) & (p > -VM_TINY32);
}
/* r: a * b + c, rounded to nearest. Only 2^-126 itself can have come from below. Where the
 * difference on the right is not exact, sums near 2^-126 are too far apart for that to matter. */
static inline bool vm_fma_tiny(float a, float b, float c, float r) {
  double p = (double)a * (double)b, z = (double)c;
  bool from_below =
      ((r == 0x1p-126f) & (p < VM_TINY32 - z)) | ((r == -0x1p-126f) & (p > -VM_TINY32 - z));
  return ((r < 0x1p-126f) & (r > -0x1p-126f)) | from_below;
}
/* min, max: -0 is below +0, a NaN loses. Compared as integers in the order of the numbers. */
static inline i32 vm_order32(float v) {
  i32 b = (i32)vm_bits32(v);
  return b ^ (b >> 31 & 0x7fffffff);
}
static inline bool vm_is_nan32(float v) { return (vm_bits32(v) & 0x7fffffffu) > 0x7f800000u; }
static inline float vm_min_of(float a, float b) {
  float least = vm_order32(a) < vm_order32(b) ? a : b;
  least = vm_is_nan32(a) ? b : least;
  return vm_nan32(vm_is_nan32(b) ? a : least);
}
static inline float vm_max_of(float a, float b) {
  float most = vm_order32(a) > vm_order32(b) ? a : b;
  most = vm_is_nan32(a) ? b : most;
  return vm_nan32(vm_is_nan32(b) ? a : most);
}
/* .sat: into [0, 1]; NaN becomes +0. */
static inline float vm_sat32(float v) { return v > 0 ? (v < 1 ? v : 1.0f) : 0.0f; }
static inline double vm_sat64(double v) { return v > 0 ? (v < 1 ? v : 1.0) : 0.0; }

enum vm_round { VM_RN, VM_RZ, VM_RM, VM_RP, VM_RNA };
enum vm_flag {
  VM_FTZ = 1,
  VM_SAT = 2,
  VM_NAN_WINS = 4,
  VM_XORSIGN = 8,
  VM_RELU = 16,
  VM_SATFINITE = 32,
  VM_TO_INT = 64,
  VM_OOB = 128
};
/* The rounding of the instruction's .rn .rz .rm .rp .rna or their integer forms; nearest when
 * absent. */
enum vm_round vm_rounding(const struct vm_pick *p);
u8 vm_flags(const struct vm_pick *p); /* enum vm_flag, from its modifiers */

/* ---- narrow.c: small floating-point formats ---- */
enum vm_format {
  VM_FMT_F16,
  VM_FMT_BF16,
  VM_FMT_F32,
  VM_FMT_TF32,
  VM_FMT_E5M2,
  VM_FMT_E4M3,
  VM_FMT_E3M2,
  VM_FMT_E2M3,
  VM_FMT_E2M1
};
/* v rounded once to the format; the bits. Overflow gives infinity or the largest finite value, by
 * mode. */
u32 vm_narrow(double v, enum vm_format f, enum vm_round mode);
double vm_widen(u32 bits, enum vm_format f); /* exact; a NaN keeps its sign and payload */
u32 vm_largest(enum vm_format f);            /* the bits of the largest finite number; not TF32 */
/* a + b rounded to odd: rounding that once more to a format of at most 51 bits gives the correctly
 * rounded sum. */
double vm_add_odd(double a, double b);
/* Does .ftz make this result zero (vm_flush_tiny)? v: exact, or rounded to odd. */
bool vm_tiny(double v, enum vm_format f, enum vm_round mode);
bool vm_format_of(enum ptx_type t, enum vm_format *f); /* halves, small floats and packs of them */

/* ---- pickers ---- */
#define VM_END (-1)
/* True when so many types and operands were written and no modifiers but the listed (VM_END ends
 * the list). */
bool vm_form(struct vm_pick *p, u32 types, u32 operands, ...);
/* Resolve the destination (type d) and sources, and use fn; NULL: there is no such form. */
bool vm_use1(struct vm_pick *p, vm_fn *fn, enum ptx_type d, enum ptx_type a);
bool vm_use2(struct vm_pick *p, vm_fn *fn, enum ptx_type d, enum ptx_type a, enum ptx_type b);
bool vm_use3(struct vm_pick *p, vm_fn *fn, enum ptx_type d, enum ptx_type a, enum ptx_type b,
             enum ptx_type c);
static inline bool vm_is_int(enum ptx_type t) {
  return (t >= T_B8 && t <= T_S8) || (t >= T_B16 && t <= T_S16) || (t >= T_B32 && t <= T_S32) ||
         (t >= T_B64 && t <= T_S64);
}
static inline bool vm_is_signed(enum ptx_type t) {
  return t == T_S8 || t == T_S16 || t == T_S32 || t == T_S64;
}
static inline bool vm_is_half(enum ptx_type t) {
  return t == T_F16 || t == T_BF16 || t == T_F16X2 || t == T_BF16X2;
}
static inline bool vm_is_float(enum ptx_type t) { return t == T_F32 || t == T_F64; }
enum ptx_type vm_twice(enum ptx_type t); /* U16 -> U32, S32 -> S64, ...; NONE where there is none */

/* Rows of a table by type: integers, one handler a width, or one a type. */
#define BY_WIDTH(f16, f32, f64)                                                                    \
  [T_U16] = f16, [T_S16] = f16, [T_U32] = f32, [T_S32] = f32, [T_U64] = f64, [T_S64] = f64
#define BY_TYPE(name)                                                                              \
  [T_U16] = name##_u16, [T_S16] = name##_s16, [T_U32] = name##_u32, [T_S32] = name##_s32,          \
  [T_U64] = name##_u64, [T_S64] = name##_s64

/* Floating-point halves of pickers that serve integers too. */
enum vm_arith {
  VM_ADD,
  VM_SUB,
  VM_MUL,
  VM_FMA,
  VM_DIV,
  VM_RCP,
  VM_SQRT,
  VM_MIN,
  VM_MAX,
  VM_ABS,
  VM_NEG
};
bool vm_pick_float(struct vm_pick *p, enum vm_arith kind); /* ops_float.c: f32, f64 */
bool vm_pick_rounded(struct vm_pick *p,
                     enum vm_arith kind); /* ops_round.c: any rounding, .ftz, .sat */
bool vm_pick_half(struct vm_pick *p, enum vm_arith kind); /* ops_half.c */
/* ops_pairs.c: .u16x2, .s16x2, .f32x2, .f32.f16; asked for before anything else */
bool vm_is_pair_form(const struct vm_pick *p);
bool vm_pick_pair(struct vm_pick *p, enum vm_arith kind);
/* ops_round.c: one f32 operation (in->b, in->c) in the host's rounding mode, which begin sets. */
int vm_round_begin(enum vm_round mode);
void vm_round_end(int before);
float vm_round_f32(const struct vm_insn *in, float a, float b, float c);
bool vm_pick_div_approx(struct vm_pick *p);                /* ops_approx.c */
bool vm_pick_carry(struct vm_pick *p, enum vm_arith kind); /* ops_carry.c: ADD, SUB, FMA = mad */
#endif
