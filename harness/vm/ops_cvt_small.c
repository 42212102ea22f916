/* ops_cvt_small.c - cvt to and from packs of 8-, 6- and 4-bit floats, stochastic rounding (.rs),
 * and cvt.pack, which packs saturated integers. The first source becomes the uppermost part. */
#include "vm/convert.h"
#include <math.h>

/* in->a, in->b: types of destination and source, in->c: enum vm_round or BY_CHANCE, in->d: flags,
 * in->vec: values, in->size: bits from one part of the result to the next, in->imm: rbits. */
enum { BY_CHANCE = 16 };

/* The magnitude is cut off; it grows by one unit where adding the random bits to the bits that were
 * cut off gives a carry (PTX ISA, cvt, rounding modifier .rs). Of more cut-off bits than random
 * ones the upper ones count. */
static u32 narrow_by_chance(double magnitude, enum vm_format f, u32 random, u32 random_bits) {
  if (isinf(magnitude)) return vm_largest(f) + 1;
  u32 kept = vm_narrow(magnitude, f, VM_RZ);
  double below = vm_widen(kept, f), unit = kept ? below - vm_widen(kept - 1, f) : vm_widen(1, f);
  if (kept == vm_largest(f) && magnitude >= below + unit) return kept + 1;
  if (kept != vm_largest(f)) unit = vm_widen(kept + 1, f) - below;
  u32 cut_off = (u32)floor(ldexp((magnitude - below) / unit, (i32)random_bits));
  return kept + (cut_off + random >= 1u << random_bits);
}

static u32 narrow_one(const struct vm_insn *in, double v, u32 random, u32 random_bits) {
  enum vm_format f = VM_FMT_F16;
  vm_format_of((enum ptx_type)in->a, &f);
  if (in->d & VM_RELU && !isnan(v) && !(v > 0)) v = 0;
  if (isnan(v)) return vm_narrow(v, f, VM_RN);
  u32 bits = in->c == BY_CHANCE ? narrow_by_chance(fabs(v), f, random, random_bits)
                                : vm_narrow(fabs(v), f, (enum vm_round)in->c);
  if (in->d & VM_SATFINITE && bits > vm_largest(f)) bits = vm_largest(f);
  return bits | vm_narrow(copysign(0.0, v), f, VM_RN);
}

/* The random bits of part k: PTX ISA, cvt, "rbits". */
static u32 random_of(const struct vm_insn *in, u32 rbits, u32 k, u32 *count) {
  u32 half = k < in->vec / 2u ? rbits >> 16 : rbits & 0xffff;
  *count = in->a == T_F16X2 ? 13 : in->a == T_E2M1X4 ? 8 : 16;
  if (in->a == T_F16X2) return half & 0x1fff;
  if (in->a != T_E2M1X4) return half;
  u32 halves[2] = {rbits >> 16, rbits & 0xffff};
  return k < 2 ? halves[k] >> 8 : halves[k - 2] & 0xff;
}

static double value_of(struct vm_exec *x, const struct vm_insn *in, u32 lane, u32 k) {
  enum vm_format f = VM_FMT_F32;
  vm_format_of((enum ptx_type)in->b, &f);
  if (in->b == T_F32) return (double)vm_f32(x, in->src[k])[lane];
  return vm_widen(vm_u32(x, in->src[0])[lane] >> (k ? 0 : 16) & 0xffff, f);
}

static void to_small(struct vm_exec *x, const struct vm_insn *in) {
  u32 valid = VM_FULL, sources = in->b == T_F32 ? in->vec : 1;
  for (u32 k = 0; k < sources; k++) valid &= vm_valid(x, in->src[k]);
  const u32 *rbits = in->c == BY_CHANCE ? vm_u32(x, (i32)in->imm) : NULL;
  if (rbits) valid &= vm_valid(x, (i32)in->imm);
  u8 *d = vm_data(x, in->dst);
  vm_result(x, in, d, valid, (int)sources);
  u32 width = in->vec * in->size <= 16u ? 2 : 4;
  VM_EACH(l, x->mask) {
    u32 packed = 0;
    for (u32 k = 0; k < in->vec; k++) {
      u32 count = 0, random = rbits ? random_of(in, rbits[l], k, &count) : 0;
      packed = packed << in->size | narrow_one(in, value_of(x, in, l, k), random, count);
    }
    vm_put(d, width, l, packed);
  }
}

/* To pairs of halves: always exact. */
static void from_small(struct vm_exec *x, const struct vm_insn *in) {
  enum vm_format f = VM_FMT_E4M3;
  vm_format_of((enum ptx_type)in->b, &f);
  vm_result1(x, in);
  u32 *d = vm_u32(x, in->dst), mask = (vm_narrow(-0.0, f, VM_RN) << 1) - 1;
  const u16 *s = vm_u16(x, in->src[0]);
  VM_EACH(l, x->mask) {
    u32 packed = 0;
    for (u32 k = 0; k < 2; k++) {
      double v = vm_widen((u32)s[l] >> (k ? 0 : in->size) & mask, f);
      if (in->d & VM_RELU && !isnan(v) && !(v > 0)) v = 0;
      packed = packed << 16 | vm_narrow(v, VM_FMT_F16, VM_RN);
    }
    d[l] = packed;
  }
}

/* ---- ue8m0: powers of two, 2^(bits - 127); 0xff is a NaN. The sign is dropped ---- */
static u32 power_of(const struct vm_insn *in, u32 f32) {
  u32 magnitude = f32 & 0x7fffffffu, e = magnitude >> 23;
  bool is_nan = magnitude > 0x7f800000u;
  if (in->c == VM_RP && magnitude & 0x7fffff && magnitude > 0x400000 && !is_nan) e++;
  return e == 255 && !is_nan && in->d & VM_SATFINITE ? 254 : e;
}
static void to_power(struct vm_exec *x, const struct vm_insn *in) {
  u16 *d = vm_u16(x, in->dst);
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]);
  vm_result2(x, in);
  VM_EACH(l, x->mask) {
    u32 upper = in->b == T_F32 ? a[l] : a[l] & 0xffff0000u,
        lower = in->b == T_F32 ? b[l] : a[l] << 16;
    d[l] = (u16)(power_of(in, upper) << 8 | power_of(in, lower));
  }
}
static u32 bf16_of_power(u32 e) { return e == 255 ? 0x7fff : e ? e << 7 : 0x40; }
static void from_power(struct vm_exec *x, const struct vm_insn *in) {
  vm_result1(x, in);
  u32 *d = vm_u32(x, in->dst);
  const u16 *s = vm_u16(x, in->src[0]);
  VM_EACH(l, x->mask) d[l] = bf16_of_power((u32)s[l] >> 8) << 16 | bf16_of_power(s[l] & 0xff);
}

/* ---- cvt.pack: two saturated integers below the bits of c that remain ---- */
static void pack_ints(struct vm_exec *x, const struct vm_insn *in) {
  u32 bits = in->size, whole = bits == 16 ? 0 : 1, low = (1u << bits) - 1;
  i32 most = in->a ? (i32)(low >> 1) : (i32)low, least = in->a ? -most - 1 : 0;
  const i32 *a = vm_s32(x, in->src[0]), *b = vm_s32(x, in->src[1]);
  const u32 *c = vm_u32(x, in->src[2]);
  u32 *d = vm_u32(x, in->dst);
  vm_result3(x, in);
  VM_EACH(l, x->mask) {
    i32 p = a[l] < least  ? least
            : a[l] > most ? most
                          : a[l],
        q = b[l] < least  ? least
            : b[l] > most ? most
                          : b[l];
    u32 r = ((u32)p & low) << bits | ((u32)q & low);
    d[l] = whole ? c[l] << 2 * bits | r : r;
  }
}
static bool pick_ints(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  bool words = t == T_U16 || t == T_S16,
       parts = t == T_U8 || t == T_S8 || t == T_U4 || t == T_S4 || t == T_U2 || t == T_S2;
  if (!words && !parts) return vm_no(p, "there is no such form");
  if (!ptx_has(p->in, MOD_SAT) || vm_type(p, 1) != T_S32 || (parts && vm_type(p, 2) != T_B32))
    return vm_no(p,
                 "cvt.pack.sat with .s32 sources, and .b32 for what is packed already, is needed");
  if (!vm_form(p, words ? 2 : 3, words ? 3 : 4, MOD_PACK, MOD_SAT, VM_END)) return false;
  p->out->size = (u8)ptx_type_bits(t);
  p->out->a = t == T_S16 || t == T_S8 || t == T_S4 || t == T_S2;
  if (parts) return vm_use3(p, pack_ints, T_B32, T_S32, T_S32, T_B32);
  bool ok = vm_use2(p, pack_ints, T_B32, T_S32, T_S32);
  p->out->src[2] = p->out->src[0];
  return ok;
}

/* ---- picking ---- */
static bool is_pair(enum ptx_type t) { return t >= T_E4M3X2 && t <= T_E2M1X2; }
static bool is_four(enum ptx_type t) { return t >= T_E4M3X4 && t <= T_E2M1X4; }
static enum ptx_type register_of(enum ptx_type t) {
  switch (ptx_type_bytes(t)) {
  case 1: return T_B8;
  case 2: return T_B16;
  default: return T_B32;
  }
}

static bool pick_four(struct vm_pick *p) { /* d, {a, b, e, f}, rbits */
  const struct ptx_operand *v = p->in->operand_count == 3 ? &p->in->operands[1] : NULL;
  if (!v || v->kind != OPD_VEC || v->item_count != 4)
    return vm_no(p, "a vector of four sources and the random bits are needed");
  for (u32 k = 0; k < 4; k++) {
    u32 w;
    if (!vm_item(p, &v->items[k], T_F32, false, &p->out->src[k], &w)) return false;
    if (w != 4) return vm_no(p, "a source is no .f32 register");
  }
  i32 a = p->out->src[0];
  if (!vm_src(p, 0, 2, T_B32)) return false;
  p->out->imm = p->out->src[0];
  p->out->src[0] = a;
  return vm_dst(p, 0, register_of(vm_type(p, 0))) && vm_use(p, to_small);
}
static bool pick_by_chance(struct vm_pick *p, enum ptx_type d) {
  if (vm_type(p, 1) != T_F32) return vm_no(p, "there is no such form");
  p->out->c = BY_CHANCE;
  if (is_four(d)) {
    p->out->vec = 4;
    p->out->size = d == T_E2M1X4 ? 4 : 8;
    return (p->out->d & VM_SATFINITE || vm_no(p, ".satfinite is needed")) &&
           vm_form(p, 2, 3, MOD_RS, MOD_SATFINITE, MOD_RELU, VM_END) && pick_four(p);
  }
  p->out->vec = 2;
  p->out->size = 16;
  if ((d != T_F16X2 && d != T_BF16X2) ||
      !vm_form(p, 2, 4, MOD_RS, MOD_SATFINITE, MOD_RELU, VM_END) || !vm_src(p, 2, 3, T_B32))
    return vm_no(p, "there is no such form");
  p->out->imm = p->out->src[2];
  return vm_use2(p, to_small, T_B32, T_F32, T_F32);
}
static bool pick_power(struct vm_pick *p, enum ptx_type d, enum ptx_type s) {
  if (s == T_UE8M0X2)
    return d == T_BF16X2 && vm_form(p, 2, 2, MOD_RN, VM_END) ? vm_use1(p, from_power, T_B32, T_B16)
                                                             : vm_no(p, "there is no such form");
  if (p->out->c != VM_RZ && p->out->c != VM_RP) return vm_no(p, "a rounding is needed (.rz, .rp)");
  if (!vm_form(p, 2, s == T_F32 ? 3 : 2, MOD_RZ, MOD_RP, MOD_SATFINITE, VM_END)) return false;
  if (s == T_F32) return vm_use2(p, to_power, T_B16, T_F32, T_F32);
  bool ok = vm_use1(p, s == T_BF16X2 ? to_power : NULL, T_B16, T_B32);
  p->out->src[1] = p->out->src[0];
  return ok;
}

bool vm_is_small_cvt(const struct vm_pick *p) {
  enum ptx_type d = vm_type(p, 0), s = vm_type(p, 1);
  return ptx_has(p->in, MOD_PACK) || ptx_has(p->in, MOD_RS) || is_pair(d) || is_four(d) ||
         is_pair(s) || d == T_UE8M0X2 || s == T_UE8M0X2;
}
bool vm_pick_small_cvt(struct vm_pick *p) {
  enum ptx_type d = vm_type(p, 0), s = vm_type(p, 1);
  p->out->a = (u8)d;
  p->out->b = (u8)s;
  p->out->c = (u8)vm_rounding(p);
  p->out->d = vm_flags(p);
  p->out->vec = 2;
  if (ptx_has(p->in, MOD_PACK)) return pick_ints(p);
  if (ptx_has(p->in, MOD_RS)) return pick_by_chance(p, d);
  if (d == T_UE8M0X2 || s == T_UE8M0X2) return pick_power(p, d, s);
  if (!ptx_has(p->in, MOD_RN)) return vm_no(p, ".rn is needed");
  if (d == T_F16X2 && is_pair(s)) {
    p->out->size = s == T_E2M1X2 ? 4 : 8;
    return vm_form(p, 2, 2, MOD_RN, MOD_RELU, VM_END) &&
           vm_use1(p, from_small, T_B32, register_of(s));
  }
  bool eight = d == T_E4M3X2 || d == T_E5M2X2;
  if (!is_pair(d) || (s != T_F32 && !(s == T_F16X2 && eight)))
    return vm_no(p, "there is no such form");
  if (!(p->out->d & VM_SATFINITE)) return vm_no(p, ".satfinite is needed");
  p->out->size = d == T_E2M1X2 ? 4 : 8;
  if (!vm_form(p, 2, s == T_F32 ? 3 : 2, MOD_RN, MOD_SATFINITE, MOD_RELU, VM_END)) return false;
  return s == T_F32 ? vm_use2(p, to_small, register_of(d), T_F32, T_F32)
                    : vm_use1(p, to_small, register_of(d), T_B32);
}
