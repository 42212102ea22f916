/* ops_round.c - f32 and f64 arithmetic in any rounding mode, with .ftz and .sat: add, sub, mul,
 * mad, fma, div, rcp, sqrt. One general handler a width; ops_float.c replaces it in the usual
 * cases. */
#include "vm/lanes.h"
#include <fenv.h>
#include <math.h>

static const int host_mode[] = {
    [VM_RN] = FE_TONEAREST, [VM_RZ] = FE_TOWARDZERO, [VM_RM] = FE_DOWNWARD, [VM_RP] = FE_UPWARD};

/* The operands and the result are volatile, so that no compiler moves the operation out from
 * between the two calls of fesetround or computes it itself: gcc does not know #pragma STDC
 * FENV_ACCESS. */
static float compute32(u32 kind, float first, float second, float third) {
  volatile float a = first, b = second, c = third, r = 0;
  switch (kind) {
  case VM_ADD: r = a + b; break;
  case VM_SUB: r = a - b; break;
  case VM_MUL: r = a * b; break;
  case VM_FMA: r = __builtin_fmaf(a, b, c); break;
  case VM_DIV: r = a / b; break;
  case VM_RCP: r = 1.0f / a; break;
  case VM_SQRT: r = sqrtf(a); break;
  default: BUG("operation %u", kind);
  }
  return r;
}
/* r: the rounded result, `mode` its rounding, which the host is set to. Sums below 2^-126 are
 * exact, and no quotient of two floats lies between (1 - 2^-24) 2^-126 and 2^-126. */
static bool is_tiny(u32 kind, enum vm_round mode, float a, float b, float c, float r) {
  double product = (double)a * (double)b, sum; /* exact */
  switch (kind) {
  case VM_MUL: return vm_tiny(product, VM_FMT_F32, mode);
  case VM_DIV: return fabs((double)a) < fabs((double)b) * 0x1p-126;
  case VM_RCP: return 1 < fabs((double)a) * 0x1p-126;
  case VM_FMA:
    if (fabsf(r) != 0x1p-126f) break;
    fesetround(FE_TONEAREST);
    sum = vm_add_odd(product, (double)c);
    fesetround(host_mode[mode]);
    return vm_tiny(sum, VM_FMT_F32, mode);
  default: break;
  }
  return fabsf(r) < 0x1p-126f;
}
static float compute32_ftz(u32 kind, enum vm_round mode, float first, float second, float third) {
  float a = vm_flush(first), b = vm_flush(second), c = vm_flush(third),
        r = compute32(kind, a, b, c);
  return vm_flush_tiny(r, is_tiny(kind, mode, a, b, c, r));
}
static double compute64(u32 kind, double first, double second, double third) {
  volatile double a = first, b = second, c = third, r = 0;
  switch (kind) {
  case VM_ADD: r = a + b; break;
  case VM_SUB: r = a - b; break;
  case VM_MUL: r = a * b; break;
  case VM_FMA: r = __builtin_fma(a, b, c); break;
  case VM_DIV: r = a / b; break;
  case VM_RCP: r = 1.0 / a; break;
  case VM_SQRT: r = sqrt(a); break;
  default: BUG("operation %u", kind);
  }
  return r;
}

static void result_of(struct vm_exec *x, const struct vm_insn *in) {
  if (in->b == VM_FMA)
    vm_result3(x, in);
  else if (in->b == VM_RCP || in->b == VM_SQRT)
    vm_result1(x, in);
  else
    vm_result2(x, in);
}

int vm_round_begin(enum vm_round mode) {
  int before = fegetround();
  fesetround(host_mode[mode]);
  return before;
}
void vm_round_end(int before) { fesetround(before); }
float vm_round_f32(const struct vm_insn *in, float a, float b, float c) {
  float r = in->c & VM_FTZ ? compute32_ftz(in->b, (enum vm_round)in->a, a, b, c)
                           : compute32(in->b, a, b, c);
  return in->c & VM_SAT ? vm_sat32(r) : vm_nan32(r);
}

/* in->a: enum vm_round, in->b: enum vm_arith, in->c: enum vm_flag; sources that are absent repeat
 * the first. */
static void rounded_f32(struct vm_exec *x, const struct vm_insn *in) {
  result_of(x, in);
  float *d = vm_f32(x, in->dst);
  const float *a = vm_f32(x, in->src[0]), *b = vm_f32(x, in->src[1]), *c = vm_f32(x, in->src[2]);
  int before = fegetround();
  fesetround(host_mode[in->a]);
  VM_EACH(i, x->mask) d[i] = vm_round_f32(in, a[i], b[i], c[i]);
  fesetround(before);
}
static void rounded_f64(struct vm_exec *x, const struct vm_insn *in) {
  result_of(x, in);
  double *d = vm_f64(x, in->dst);
  const double *a = vm_f64(x, in->src[0]), *b = vm_f64(x, in->src[1]), *c = vm_f64(x, in->src[2]);
  int before = fegetround();
  fesetround(host_mode[in->a]);
  VM_EACH(i, x->mask) {
    double r = compute64(in->b, a[i], b[i], c[i]);
    d[i] = r; /* .sat does not exist here */
  }
  fesetround(before);
}

bool vm_pick_rounded(struct vm_pick *p, enum vm_arith kind) {
  static const u8 sources[] = {[VM_ADD] = 2, [VM_SUB] = 2, [VM_MUL] = 2, [VM_FMA] = 3,
                               [VM_DIV] = 2, [VM_RCP] = 1, [VM_SQRT] = 1};
  enum ptx_type t = vm_type(p, 0);
  bool is_f64 = t == T_F64, has_sat = !is_f64 && kind <= VM_FMA;
  if (!vm_form(p, 1, sources[kind] + 1u, MOD_RN, MOD_RZ, MOD_RM, MOD_RP,
               is_f64 ? (int)MOD_RN : (int)MOD_FTZ, has_sat ? (int)MOD_SAT : (int)MOD_RN, VM_END))
    return false;
  p->out->a = (u8)vm_rounding(p);
  p->out->b = (u8)kind;
  p->out->c = vm_flags(p);
  vm_fn *fn = is_f64 ? rounded_f64 : t == T_F32 ? rounded_f32 : NULL;
  if (sources[kind] == 3) return vm_use3(p, fn, t, t, t, t);
  bool ok = sources[kind] == 2 ? vm_use2(p, fn, t, t, t) : vm_use1(p, fn, t, t);
  if (sources[kind] == 1) p->out->src[1] = p->out->src[0];
  p->out->src[2] = p->out->src[0];
  return ok;
}
