/* ops_float.c - f32 and f64 arithmetic in round-to-nearest without .ftz or .sat (the usual forms),
 * min, max, abs, neg, copysign, testp. Everything else goes to ops_round.c; approximations are in
 * ops_approx.c. */
#include "vm/lanes.h"
#include <math.h>
#include "vm/lone.h"

LANES2(add_f32, float, vm_nan32(a + b))
LANES2(sub_f32, float, vm_nan32(a - b))
LANES2(mul_f32, float, vm_nan32((a * b)))
LANES2(div_f32, float, vm_nan32(a / b))
LANES3(fma_f32, float, vm_nan32(__builtin_fmaf(a, b, c)))
LANES2(add_f64, double, a + b)
LANES2(sub_f64, double, a - b)
LANES2(mul_f64, double, (a * b))
LANES2(div_f64, double, a / b)
LANES3(fma_f64, double, __builtin_fma(a, b, c))
/* .ftz is what -use_fast_math asks for everywhere. */
LANES2(add_ftz_f32, float, vm_flush(vm_nan32(vm_flush(a) + vm_flush(b))))
LANES2(sub_ftz_f32, float, vm_flush(vm_nan32(vm_flush(a) - vm_flush(b))))
static inline float mul_ftz(float a, float b) { return vm_flush_tiny(a * b, vm_mul_tiny(a, b)); }
static inline float fma_ftz(float a, float b, float c) {
  float r = __builtin_fmaf(a, b, c);
  return vm_flush_tiny(r, vm_fma_tiny(a, b, c, r));
}
LANES2(mul_ftz_f32, float, vm_nan32(mul_ftz(vm_flush(a), vm_flush(b))))
LANES3(fma_ftz_f32, float, vm_nan32(fma_ftz(vm_flush(a), vm_flush(b), vm_flush(c))))

/* ---- min, max: -0 is below +0, a NaN loses. Compared as integers in the order of the numbers.
 * ---- */
static inline i64 order64(double v) {
  i64 b = (i64)vm_bits64(v);
  return b ^ (b >> 63 & INT64_MAX);
}
static inline bool is_nan64(double v) { return (vm_bits64(v) & INT64_MAX) > 0x7ff0000000000000ull; }
static inline double min_of64(double a, double b) {
  double least = order64(a) < order64(b) ? a : b;
  least = is_nan64(a) ? b : least;
  return vm_nan64(is_nan64(b) ? a : least);
}
static inline double max_of64(double a, double b) {
  double most = order64(a) > order64(b) ? a : b;
  most = is_nan64(a) ? b : most;
  return vm_nan64(is_nan64(b) ? a : most);
}
LANES2(min_f32, float, vm_min_of(a, b))
LANES2(max_f32, float, vm_max_of(a, b))
LANES2(min_f64, double, min_of64(a, b))
LANES2(max_f64, double, max_of64(a, b))

/* With .ftz, .NaN, .xorsign.abs. in->a: VM_MIN or VM_MAX, in->c: flags. */
static float min_max(const struct vm_insn *in, float a, float b) {
  if (in->c & VM_FTZ) a = vm_flush(a), b = vm_flush(b);
  if (in->c & VM_NAN_WINS && (vm_is_nan32(a) || vm_is_nan32(b))) return vm_float(VM_NAN32);
  u32 sign = (vm_bits32(a) ^ vm_bits32(b)) & 0x80000000u;
  if (!(in->c & VM_XORSIGN)) return in->a == VM_MIN ? vm_min_of(a, b) : vm_max_of(a, b);
  float r = in->a == VM_MIN ? vm_min_of(fabsf(a), fabsf(b)) : vm_max_of(fabsf(a), fabsf(b));
  return vm_is_nan32(r) ? r : vm_float(vm_bits32(r) | sign);
}
static void min_max_f32(struct vm_exec *x, const struct vm_insn *in) {
  vm_result2(x, in);
  float *d = vm_f32(x, in->dst);
  const float *a = vm_f32(x, in->src[0]), *b = vm_f32(x, in->src[1]);
  VM_EACH(i, x->mask) d[i] = min_max(in, a[i], b[i]);
}
/* The form with three sources: of magnitudes with .abs. */
static void min_max_3(struct vm_exec *x, const struct vm_insn *in) {
  vm_result3(x, in);
  float *d = vm_f32(x, in->dst);
  const float *a = vm_f32(x, in->src[0]), *b = vm_f32(x, in->src[1]), *c = vm_f32(x, in->src[2]);
  VM_EACH(i, x->mask) {
    float p = a[i], q = b[i], r = c[i];
    if (in->b) p = fabsf(p), q = fabsf(q), r = fabsf(r);
    d[i] = min_max(in, min_max(in, p, q), r);
  }
}
static bool pick_min_max(struct vm_pick *p, enum vm_arith kind) {
  enum ptx_type t = vm_type(p, 0);
  bool is_min = kind == VM_MIN;
  if (t == T_F32 && p->in->operand_count == 4) {
    p->out->a = (u8)kind;
    p->out->b = ptx_has(p->in, MOD_ABS);
    p->out->c = vm_flags(p);
    return vm_form(p, 1, 4, MOD_FTZ, MOD_NAN, MOD_ABS, VM_END) && vm_use3(p, min_max_3, t, t, t, t);
  }
  if (t == T_F64)
    return vm_form(p, 1, 3, VM_END) && vm_use2(p, is_min ? min_f64 : max_f64, t, t, t);
  p->out->a = (u8)kind;
  p->out->c = vm_flags(p);
  vm_fn *fn = p->out->c ? min_max_f32 : is_min ? min_f32 : max_f32;
  return vm_form(p, 1, 3, MOD_FTZ, MOD_NAN, MOD_XORSIGN_ABS, VM_END) && vm_use2(p, fn, t, t, t);
}

/* ---- the sign alone: abs, neg, copysign ---- */
LANES1(abs_f32, u32, a & 0x7fffffffu)
LANES1(neg_f32, u32, a ^ 0x80000000u)
LANES1(abs_f64, u64, (a & INT64_MAX))
LANES1(neg_f64, u64, a ^ 1ull << 63)
LANES1(abs_ftz_f32, float, fabsf(vm_flush(a)))
LANES1(neg_ftz_f32, float, -vm_flush(a))
LANES2(copysign_f32, u32, (a & 0x80000000u) | (b & 0x7fffffffu)) /* the sign of a, the rest of b */
LANES2(copysign_f64, u64, (a & 1ull << 63) | (b & INT64_MAX))

static bool pick_sign(struct vm_pick *p, enum vm_arith kind) {
  enum ptx_type t = vm_type(p, 0);
  bool is_abs = kind == VM_ABS;
  if (t == T_F64) return vm_form(p, 1, 2, VM_END) && vm_use1(p, is_abs ? abs_f64 : neg_f64, t, t);
  if (ptx_has(p->in, MOD_FTZ))
    return vm_form(p, 1, 2, MOD_FTZ, VM_END) &&
           vm_use1(p, is_abs ? abs_ftz_f32 : neg_ftz_f32, t, t);
  return vm_form(p, 1, 2, VM_END) && vm_use1(p, is_abs ? abs_f32 : neg_f32, t, t);
}
bool vm_pick_copysign(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {[T_F32] = copysign_f32, [T_F64] = copysign_f64};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, t);
}

/* ---- testp ---- */
static bool has_property(u32 property, double v, bool subnormal) {
  switch (property) {
  case MOD_FINITE: return isfinite(v);
  case MOD_INFINITE: return isinf(v);
  case MOD_NUMBER: return !isnan(v);
  case MOD_NOTANUMBER: return isnan(v);
  case MOD_NORMAL: return isfinite(v) && !subnormal; /* zeros are normal here */
  default: return subnormal;                         /* MOD_SUBNORMAL */
  }
}
static void testp(struct vm_exec *x,
                  const struct vm_insn *in) { /* in->a: property, in->size: bytes */
  u32 bits = 0;
  VM_EACH(i, x->mask) {
    double v = in->size == 4 ? (double)vm_f32(x, in->src[0])[i] : vm_f64(x, in->src[0])[i];
    bool subnormal = v != 0 && fabs(v) < (in->size == 4 ? 0x1p-126 : 0x1p-1022);
    if (has_property(in->a, v, subnormal)) bits |= vm_bit(i);
  }
  vm_put_pred(x, in, in->dst, bits, vm_valid(x, in->src[0]), 1);
}
bool vm_pick_testp(struct vm_pick *p) {
  static const enum ptx_mod properties[] = {MOD_FINITE,     MOD_INFINITE, MOD_NUMBER,
                                            MOD_NOTANUMBER, MOD_NORMAL,   MOD_SUBNORMAL};
  enum ptx_type t = vm_type(p, 0);
  for (u32 i = 0; i < COUNT_OF(properties); i++)
    if (ptx_has(p->in, properties[i])) p->out->a = (u8)properties[i];
  if (!p->out->a) return vm_no(p, "a property is needed (.finite, .normal, ...)");
  p->out->size = (u8)ptx_type_bytes(t);
  return vm_form(p, 1, 2, (int)p->out->a, VM_END) &&
         vm_use1(p, vm_is_float(t) ? testp : NULL, T_PRED, t);
}

/* ---- pickers ---- */
bool vm_pick_float(struct vm_pick *p, enum vm_arith kind) {
  static vm_fn *const plain[][2] = {[VM_ADD] = {add_f32, add_f64},
                                    [VM_SUB] = {sub_f32, sub_f64},
                                    [VM_MUL] = {mul_f32, mul_f64},
                                    [VM_FMA] = {fma_f32, fma_f64},
                                    [VM_DIV] = {div_f32, div_f64}};
  static vm_fn *const ftz[] = {[VM_ADD] = add_ftz_f32,
                               [VM_SUB] = sub_ftz_f32,
                               [VM_MUL] = mul_ftz_f32,
                               [VM_FMA] = fma_ftz_f32};
  if (kind == VM_MIN || kind == VM_MAX) return pick_min_max(p, kind);
  if (kind == VM_ABS || kind == VM_NEG) return pick_sign(p, kind);
  if (!vm_pick_rounded(p, kind)) return false; /* checks the form, resolves the operands */
  bool flushes = p->out->c & VM_FTZ;
  if (p->out->a != VM_RN || p->out->c & VM_SAT || (flushes && kind == VM_DIV)) return true;
  return vm_use(p, flushes ? ftz[kind] : plain[kind][vm_type(p, 0) == T_F64]);
}
bool vm_pick_fma(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  if (vm_is_pair_form(p)) return vm_pick_pair(p, VM_FMA);
  return vm_is_half(t) ? vm_pick_half(p, VM_FMA) : vm_pick_float(p, VM_FMA);
}

VM_LONE_TABLE(float, VM_LONE_ROW(min_f32), VM_LONE_ROW(max_f32), VM_LONE_ROW(add_f32),
              VM_LONE_ROW(sub_f32), VM_LONE_ROW(mul_f32), VM_LONE_ROW(div_f32),
              VM_LONE_ROW(fma_f32), VM_LONE_ROW(add_f64), VM_LONE_ROW(sub_f64),
              VM_LONE_ROW(mul_f64), VM_LONE_ROW(div_f64), VM_LONE_ROW(fma_f64),
              VM_LONE_ROW(abs_f32), VM_LONE_ROW(neg_f32), VM_LONE_ROW(abs_f64),
              VM_LONE_ROW(neg_f64))
