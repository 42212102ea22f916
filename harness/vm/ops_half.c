/* ops_half.c - f16, bf16 and their pairs: add, sub, mul, fma, min, max, abs, neg. Each half is
 * rounded once, so results are exact; comparisons are in ops_cmp.c, conversions in ops_cvt.c.
 *
 * The usual forms run as vectors, the others (.ftz, .sat, .relu, min, max) half by half in double.
 */
#include "vm/half.h"
#include <math.h>

enum { OOB_NAN = 0x7ff7 };

static u32 flush_half(u32 h, enum vm_format f) {
  u32 exponent = f == VM_FMT_F16 ? 0x7c00 : 0x7f80;
  return h & exponent ? h : h & 0x8000;
}
/* -0 is below +0. Neither is a NaN. */
static bool is_below(double a, double b) { return a < b || (a == b && signbit(a) && !signbit(b)); }

/* A NaN loses, or wins with .NaN; .xorsign.abs chooses by magnitude and multiplies the signs of
 * both. */
static double min_max(const struct vm_insn *in, double a, double b) {
  bool signs = in->c & VM_XORSIGN, negative = !signbit(a) != !signbit(b);
  if (signs) a = fabs(a), b = fabs(b);
  double r = is_below(a, b) == (in->a == VM_MIN) ? a : b;
  if (isnan(a) || isnan(b)) r = in->c & VM_NAN_WINS ? (double)NAN : isnan(a) ? b : a;
  return signs && negative ? -r : r;
}

/* in->a: enum vm_arith, in->b: enum vm_format, in->c: enum vm_flag, in->size: bytes, 4 = a pair. */
static u32 compute(const struct vm_insn *in, u32 ha, u32 hb, u32 hc) {
  enum vm_format f = (enum vm_format)in->b;
  if (in->c & VM_FTZ) {
    ha = flush_half(ha, f);
    hb = flush_half(hb, f);
    hc = flush_half(hc, f);
  }
  /* .oob: a product with what tensor copies put outside of a tensor is 0 (PTX ISA, "OOB-NaN"). The
   * pattern, of either sign and in both formats, and that c does not count, are from an H200. */
  if (in->c & VM_OOB && ((ha & 0x7fff) == OOB_NAN || (hb & 0x7fff) == OOB_NAN)) return 0;
  if (in->a == VM_ABS) return ha & 0x7fff;
  if (in->a == VM_NEG) return ha ^ 0x8000;
  double a = vm_widen(ha, f), b = vm_widen(hb, f), c = vm_widen(hc, f), r = 0;
  switch (in->a) {
  case VM_ADD: r = vm_add_odd(a, b); break;
  case VM_SUB: r = vm_add_odd(a, -b); break;
  case VM_MUL: r = a * b; break; /* exact: at most 22 bits */
  case VM_FMA: r = vm_add_odd(a * b, c); break;
  default: r = min_max(in, a, b);
  }
  if (in->c & VM_SAT) r = vm_sat64(r);
  if (in->c & VM_RELU && !isnan(r)) r = r > 0 ? r : 0;
  if (in->c & VM_FTZ && vm_tiny(r, f, VM_RN)) r = copysign(0, r);
  return vm_narrow(r, f, VM_RN);
}

static void half(struct vm_exec *x, const struct vm_insn *in) {
  u32 valid = vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]) & vm_valid(x, in->src[2]);
  u8 *d = vm_data(x, in->dst);
  const u8 *a = vm_data(x, in->src[0]), *b = vm_data(x, in->src[1]), *c = vm_data(x, in->src[2]);
  vm_result(x, in, d, valid, 3);
  VM_EACH(i, x->mask) {
    u64 va = vm_get(a, in->size, i), vb = vm_get(b, in->size, i), vc = vm_get(c, in->size, i),
        r = 0;
    for (u32 shift = 0; shift < in->size * 8u; shift += 16)
      r |= (u64)compute(in, (u32)(va >> shift) & 0xffff, (u32)(vb >> shift) & 0xffff,
                        (u32)(vc >> shift) & 0xffff)
           << shift;
    vm_put(d, in->size, i, r);
  }
}

/* ---- the usual forms ----
 * f32 has 24 bits, more than twice the 11 of f16 and the 8 of bf16, plus two: a sum rounded to f32
 * and then again comes out as if rounded once (Figueroa 1995). Products of two f16 are exact in
 * f32, those of bf16 in double. Sums of three need rounding to odd. */
#define HALVES(name, expr)                                                                         \
  static void name(u16 *d, const u16 *a, const u16 *b, const u16 *c, u32 n) {                      \
    (void)c;                                                                                       \
    VM_IVDEP for (u32 i = 0; i < n; i++) d[i] = (expr);                                            \
  }
HALVES(add_f16, vm_to_f16(vm_from_f16(a[i]) + vm_from_f16(b[i])))
HALVES(sub_f16, vm_to_f16(vm_from_f16(a[i]) - vm_from_f16(b[i])))
HALVES(mul_f16, vm_to_f16(vm_from_f16(a[i]) * vm_from_f16(b[i])))
HALVES(fma_f16, vm_to_f16(vm_add_odd32(vm_from_f16(a[i]) * vm_from_f16(b[i]), vm_from_f16(c[i]))))
HALVES(add_bf16, vm_to_bf16(vm_from_bf16(a[i]) + vm_from_bf16(b[i])))
HALVES(sub_bf16, vm_to_bf16(vm_from_bf16(a[i]) - vm_from_bf16(b[i])))
HALVES(mul_bf16, vm_to_bf16(vm_odd32((double)vm_from_bf16(a[i]) * (double)vm_from_bf16(b[i]))))
HALVES(fma_bf16,
       vm_to_bf16(vm_odd32(vm_add_odd64((double)vm_from_bf16(a[i]) * (double)vm_from_bf16(b[i]),
                                        (double)vm_from_bf16(c[i])))))
typedef void halves_fn(u16 *d, const u16 *a, const u16 *b, const u16 *c, u32 n);
static halves_fn *const usual[][4] = {
    [VM_FMT_F16] = {[VM_ADD] = add_f16, [VM_SUB] = sub_f16, [VM_MUL] = mul_f16, [VM_FMA] = fma_f16},
    [VM_FMT_BF16] =
        {[VM_ADD] = add_bf16, [VM_SUB] = sub_bf16, [VM_MUL] = mul_bf16, [VM_FMA] = fma_bf16},
};

static void half_usual(struct vm_exec *x, const struct vm_insn *in) {
  u32 valid = vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]) & vm_valid(x, in->src[2]);
  u32 per = in->size / 2u;
  u16 *d = vm_u16(x, in->dst), all[VM_LANES * 2];
  const u16 *a = vm_u16(x, in->src[0]), *b = vm_u16(x, in->src[1]), *c = vm_u16(x, in->src[2]);
  halves_fn *fn = usual[in->b][in->a];
  vm_result(x, in, (u8 *)d, valid, 3);
  if (x->mask == VM_FULL) {
    fn(d, a, b, c, VM_LANES * per);
  } else if (vm_few(x->mask)) {
    VM_EACH(i, x->mask) fn(d + i * per, a + i * per, b + i * per, c + i * per, per);
  } else {
    fn(all, a, b, c, VM_LANES * per);
    VM_EACH(i, x->mask) memcpy(d + i * per, all + i * per, in->size);
  }
}

static bool form(struct vm_pick *p, enum vm_arith kind) {
  switch (kind) {
  case VM_ABS:
  case VM_NEG: return vm_form(p, 1, 2, MOD_FTZ, VM_END);
  case VM_MIN:
  case VM_MAX: return vm_form(p, 1, 3, MOD_FTZ, MOD_NAN, MOD_XORSIGN_ABS, VM_END);
  case VM_FMA: return vm_form(p, 1, 4, MOD_RN, MOD_FTZ, MOD_SAT, MOD_RELU, MOD_OOB, VM_END);
  default: return vm_form(p, 1, 3, MOD_RN, MOD_FTZ, MOD_SAT, VM_END);
  }
}
bool vm_pick_half(struct vm_pick *p, enum vm_arith kind) {
  enum ptx_type t = vm_type(p, 0);
  enum vm_format f;
  if (!vm_format_of(t, &f)) return vm_no(p, "there is no such form");
  p->out->a = (u8)kind;
  p->out->b = (u8)f;
  p->out->c = vm_flags(p);
  p->out->size = (u8)ptx_type_bytes(t);
  if (!form(p, kind)) return false;
  vm_fn *fn = kind <= VM_FMA && !p->out->c ? half_usual : half;
  if (kind == VM_FMA) return vm_use3(p, fn, t, t, t, t);
  bool unary = kind == VM_ABS || kind == VM_NEG;
  bool ok = unary ? vm_use1(p, fn, t, t) : vm_use2(p, fn, t, t, t);
  if (unary) p->out->src[1] = p->out->src[0]; /* sources that are absent repeat the first */
  p->out->src[2] = p->out->src[0];
  return ok;
}
