/* ops_approx.c - approximations: rcp, sqrt, rsqrt, sin, cos, ex2, lg2, tanh, div.approx and
 * div.full, and the pickers of these opcodes. Computed in double and rounded once: within the
 * errors that the PTX ISA states, though not the bits of any GPU. */
#include "vm/lanes.h"
#include <math.h>

static double rcp_of(double v) { return 1 / v; }
static double rsqrt_of(double v) { return 1 / sqrt(v); }

typedef double function(double v);
enum { F_RCP, F_SQRT, F_RSQRT, F_SIN, F_COS, F_EX2, F_LG2, F_TANH };
static function *const functions[] = {
    [F_RCP] = rcp_of, [F_SQRT] = sqrt, [F_RSQRT] = rsqrt_of, [F_SIN] = sin,
    [F_COS] = cos,    [F_EX2] = exp2,  [F_LG2] = log2,       [F_TANH] = tanh};

/* in->a: which function, in->c: enum vm_flag. */
static void approx_f32(struct vm_exec *x, const struct vm_insn *in) {
  vm_result1(x, in);
  function *f = functions[in->a];
  float *d = vm_f32(x, in->dst);
  const float *a = vm_f32(x, in->src[0]);
  VM_EACH(i, x->mask) {
    bool flush = in->c & VM_FTZ;
    double v = f((double)(flush ? vm_flush(a[i]) : a[i]));
    d[i] = vm_nan32(vm_flush_tiny((float)v, flush && fabs(v) < 0x1p-126));
  }
}
/* The same on halves. in->b: enum vm_format, in->size: bytes of a register, 4 = a pair. */
static void approx_half(struct vm_exec *x, const struct vm_insn *in) {
  vm_result1(x, in);
  function *f = functions[in->a];
  u8 *d = vm_data(x, in->dst);
  const u8 *a = vm_data(x, in->src[0]);
  VM_EACH(i, x->mask) {
    u64 v = vm_get(a, in->size, i), r = 0;
    for (u32 shift = 0; shift < in->size * 8u; shift += 16) {
      double result = f(vm_widen((u32)(v >> shift) & 0xffff, (enum vm_format)in->b));
      if (in->c & VM_FTZ && fabs(result) < 0x1p-126) result = copysign(0, result); /* bf16 only */
      r |= (u64)vm_narrow(result, (enum vm_format)in->b, VM_RN) << shift;
    }
    vm_put(d, in->size, i, r);
  }
}
/* .approx.ftz.f64 looks at the upper half of its operand only (a NaN whose payload lies in the
 * lower half counts as an infinity), and the lower half of the result is zero. */
static void approx_f64(struct vm_exec *x, const struct vm_insn *in) {
  vm_result1(x, in);
  double *d = vm_f64(x, in->dst);
  const double *a = vm_f64(x, in->src[0]);
  const u64 upper = 0xffffffff00000000ull;
  VM_EACH(i, x->mask) {
    u64 b = vm_bits64(a[i]) & upper;
    if (!(b >> 52 & 0x7ff)) b &= 1ull << 63;
    u64 r = vm_bits64(vm_nan64(functions[in->a](vm_double(b)))) & upper;
    if (!(r >> 52 & 0x7ff)) r &= 1ull << 63;
    d[i] = vm_double(r);
  }
}
/* rsqrt.approx.f64 takes the whole operand, subnormal ones too. */
EACH1(rsqrt_f64, double, vm_nan64(rsqrt_of(a)))

static bool pick(struct vm_pick *p, u32 which, bool in_f64, bool in_half) {
  enum ptx_type t = vm_type(p, 0);
  enum vm_format format = VM_FMT_F32;
  vm_fn *fn = NULL;
  if (!vm_form(p, 1, 2, MOD_APPROX, MOD_FTZ, VM_END)) return false;
  if (!ptx_has(p->in, MOD_APPROX)) return vm_no(p, ".approx is needed");
  if (t == T_F32) fn = approx_f32;
  if (t == T_F64 && in_f64 && ptx_has(p->in, MOD_FTZ)) fn = approx_f64;
  if (t == T_F64 && which == F_RSQRT && !ptx_has(p->in, MOD_FTZ)) fn = rsqrt_f64;
  if (vm_is_half(t) && in_half && vm_format_of(t, &format)) fn = approx_half;
  p->out->a = (u8)which;
  p->out->b = (u8)format;
  p->out->c = vm_flags(p);
  p->out->size = (u8)ptx_type_bytes(t);
  return vm_use1(p, fn, t, t);
}
static bool is_approx(const struct vm_pick *p) { return ptx_has(p->in, MOD_APPROX); }

bool vm_pick_rcp(struct vm_pick *p) {
  return is_approx(p) ? pick(p, F_RCP, true, false) : vm_pick_rounded(p, VM_RCP);
}
bool vm_pick_sqrt(struct vm_pick *p) {
  return is_approx(p) ? pick(p, F_SQRT, false, false) : vm_pick_rounded(p, VM_SQRT);
}
bool vm_pick_rsqrt(struct vm_pick *p) { return pick(p, F_RSQRT, true, false); }
bool vm_pick_sin(struct vm_pick *p) { return pick(p, F_SIN, false, false); }
bool vm_pick_cos(struct vm_pick *p) { return pick(p, F_COS, false, false); }
bool vm_pick_ex2(struct vm_pick *p) { return pick(p, F_EX2, false, true); }
bool vm_pick_lg2(struct vm_pick *p) { return pick(p, F_LG2, false, false); }
bool vm_pick_tanh(struct vm_pick *p) { return pick(p, F_TANH, false, true); }

/* ---- div.approx: divisors above 2^126 give 0, or NaN under an infinity; div.full has no such gap
 * ---- */
static float quotient(const struct vm_insn *in, float a, float b) {
  bool flush = in->c & VM_FTZ, full = in->a;
  if (flush) a = vm_flush(a), b = vm_flush(b);
  if (!full && isfinite(b) && fabsf(b) > 0x1p126f)
    return isfinite(a) ? copysignf(0, a) * copysignf(1, b) : vm_float(VM_NAN32);
  bool tiny = fabs((double)a) < fabs((double)b) * 0x1p-126;
  return vm_nan32(vm_flush_tiny(a / b, flush && tiny));
}
static void div_approx(struct vm_exec *x, const struct vm_insn *in) {
  vm_result2(x, in);
  float *d = vm_f32(x, in->dst);
  const float *a = vm_f32(x, in->src[0]), *b = vm_f32(x, in->src[1]);
  VM_EACH(i, x->mask) d[i] = quotient(in, a[i], b[i]);
}
bool vm_pick_div_approx(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  p->out->a = ptx_has(p->in, MOD_FULL);
  p->out->c = vm_flags(p);
  return vm_form(p, 1, 3, MOD_APPROX, MOD_FULL, MOD_FTZ, VM_END) &&
         vm_use2(p, t == T_F32 ? div_approx : NULL, t, t, t);
}
