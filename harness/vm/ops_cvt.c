/* ops_cvt.c - cvt: which handler a conversion gets, and the frequent ones that are loops of their
 * own. The general conversion of one lane is in convert.c. */
#include "vm/convert.h"
#include "vm/half.h"
#include <math.h>
#include "vm/lone.h"

/* ---- between integers ----
 * A value is cut to the source's type, extended, cut to the destination's type and extended to its
 * register: registers may be wider than the types. Cutting and extending is ((v & mask) ^ sign) -
 * sign. */
const struct vm_cut vm_cuts[T_COUNT] = {
    [T_U8] = {0xff, 0},         [T_S8] = {0xff, 0x80},         [T_U16] = {0xffff, 0},
    [T_S16] = {0xffff, 0x8000}, [T_U32] = {0xffffffffu, 0},    [T_S32] = {0xffffffffu, 0x80000000u},
    [T_U64] = {~0ull, 0},       [T_S64] = {~0ull, 1ull << 63},
};
/* in->a: destination type, in->b: source type. */
#define WIDTHS(name, D, S)                                                                         \
  static void name(struct vm_exec *x, const struct vm_insn *in) {                                  \
    struct vm_cut from = vm_cuts[in->b], to = vm_cuts[in->a];                                      \
    vm_result1(x, in);                                                                             \
    D *d = VM_REG(D, x, in->dst);                                                                  \
    const S *s = VM_REG(const S, x, in->src[0]);                                                   \
    VM_STORE_LANES(x, D, d, (D)vm_recut(s[i], from, to))                                           \
  }
WIDTHS(ints_16_16, u16, u16)
WIDTHS(ints_16_32, u16, u32)
WIDTHS(ints_16_64, u16, u64)
WIDTHS(ints_32_16, u32, u16)
WIDTHS(ints_32_32, u32, u32)
WIDTHS(ints_32_64, u32, u64)
WIDTHS(ints_64_16, u64, u16)
WIDTHS(ints_64_32, u64, u32)
WIDTHS(ints_64_64, u64, u64)
static vm_fn *int_handler(u32 d_bytes, u32 s_bytes) {
  static vm_fn *const fn[9][9] = {[2] = {[2] = ints_16_16, [4] = ints_16_32, [8] = ints_16_64},
                                  [4] = {[2] = ints_32_16, [4] = ints_32_32, [8] = ints_32_64},
                                  [8] = {[2] = ints_64_16, [4] = ints_64_32, [8] = ints_64_64}};
  return fn[d_bytes][s_bytes];
}

/* ---- frequent forms, registers as wide as the types ---- */
LANES1T(s64_s32, i64, i32, a)
LANES1T(u64_u32, u64, u32, a)
LANES1T(u32_u64, u32, u64, a)
LANES1T(u32_u16, u32, u16, a)
LANES1T(s32_s16, i32, int16_t, a)
LANES1T(u16_u32, u16, u32, a)
LANES1T(f32_s32, float, i32, a)
LANES1T(f32_u32, float, u32, a)
LANES1T(f64_s32, double, i32, a)
LANES1T(f64_u32, double, u32, a)
LANES1T(f64_f32, double, float, (double)a)
LANES1T(f32_f64, float, double, (float)a)
LANES1T(s32_f32_rz, i32, float, vm_to_s32(a))
LANES1T(u32_f32_rz, u32, float, vm_to_u32(a))
LANES1(f32_rni, float, vm_nan32(rintf(a)))
LANES1(f32_rzi, float, vm_nan32(truncf(a)))
LANES1(f32_rmi, float, vm_nan32(floorf(a)))
LANES1(f32_rpi, float, vm_nan32(ceilf(a)))
LANES1(f32_sat, float, vm_sat32(a))

LANES1T(f32_f16, float, u16, vm_nan32(vm_from_f16(a)))
LANES1T(f32_bf16, float, u16, vm_nan32(vm_from_bf16(a)))
LANES1T(f16_f32, u16, float, vm_to_f16(a))
LANES1T(bf16_f32, u16, float, vm_to_bf16(a))

struct frequent {
  enum ptx_type d, s;
  enum vm_round mode;
  u8 flags;
  vm_fn *fn;
};
static const struct frequent frequents[] = {
    {T_S64, T_S32, VM_RN, 0, s64_s32},
    {T_U64, T_S32, VM_RN, 0, s64_s32},
    {T_U64, T_U32, VM_RN, 0, u64_u32},
    {T_S64, T_U32, VM_RN, 0, u64_u32},
    {T_U32, T_U64, VM_RN, 0, u32_u64},
    {T_U32, T_S64, VM_RN, 0, u32_u64},
    {T_S32, T_S64, VM_RN, 0, u32_u64},
    {T_S32, T_U64, VM_RN, 0, u32_u64},
    {T_U32, T_U16, VM_RN, 0, u32_u16},
    {T_S32, T_U16, VM_RN, 0, u32_u16},
    {T_S32, T_S16, VM_RN, 0, s32_s16},
    {T_U32, T_S16, VM_RN, 0, s32_s16},
    {T_U16, T_U32, VM_RN, 0, u16_u32},
    {T_U16, T_S32, VM_RN, 0, u16_u32},
    {T_S16, T_U32, VM_RN, 0, u16_u32},
    {T_S16, T_S32, VM_RN, 0, u16_u32},
    {T_F32, T_S32, VM_RN, 0, f32_s32},
    {T_F32, T_U32, VM_RN, 0, f32_u32},
    {T_F64, T_S32, VM_RN, 0, f64_s32},
    {T_F64, T_U32, VM_RN, 0, f64_u32},
    {T_F64, T_F32, VM_RN, 0, f64_f32},
    {T_F32, T_F64, VM_RN, 0, f32_f64},
    {T_S32, T_F32, VM_RZ, VM_TO_INT, s32_f32_rz},
    {T_U32, T_F32, VM_RZ, VM_TO_INT, u32_f32_rz},
    {T_F32, T_F32, VM_RN, VM_TO_INT, f32_rni},
    {T_F32, T_F32, VM_RZ, VM_TO_INT, f32_rzi},
    {T_F32, T_F32, VM_RM, VM_TO_INT, f32_rmi},
    {T_F32, T_F32, VM_RP, VM_TO_INT, f32_rpi},
    {T_F32, T_F32, VM_RN, VM_SAT, f32_sat},
    {T_F32, T_F16, VM_RN, 0, f32_f16},
    {T_F32, T_BF16, VM_RN, 0, f32_bf16},
    {T_F16, T_F32, VM_RN, 0, f16_f32},
    {T_BF16, T_F32, VM_RN, 0, bf16_f32},
};

/* ---- everything else, lane by lane. in->a, in->b: types, in->c: enum vm_round, in->d: flags,
 * in->size and in->vec: bytes of the registers ---- */
static void general(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_conversion how = {(enum ptx_type)in->a, (enum ptx_type)in->b, (enum vm_round)in->c,
                              in->d};
  vm_result1(x, in);
  u8 *d = vm_data(x, in->dst);
  const u8 *s = vm_data(x, in->src[0]);
  VM_EACH(i, x->mask) vm_put(d, in->size, i, vm_convert(&how, vm_get(s, in->vec, i)));
}
/* cvt.rn.f16x2.f32 d, a, b: a becomes the upper half. */
static void pack(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_conversion how = {(enum ptx_type)in->a, T_F32, (enum vm_round)in->c, in->d};
  vm_result2(x, in);
  u32 *d = vm_u32(x, in->dst);
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]);
  VM_EACH(i, x->mask) d[i] = (u32)(vm_convert(&how, a[i]) << 16 | vm_convert(&how, b[i]));
}

/* ---- picking ---- */
static bool is_scalar(enum ptx_type t) {
  return (vm_cuts[t].mask != 0) || vm_is_float(t) || t == T_F16 || t == T_BF16;
}
/* Which modifiers this pair of types takes; a rounding is required exactly where information may be
 * lost. */
static bool check(struct vm_pick *p, enum ptx_type d, enum ptx_type s) {
  const struct ptx_insn *in = p->in;
  bool to_int = vm_cuts[d].mask != 0, from_int = vm_cuts[s].mask != 0;
  bool integral = p->out->d & VM_TO_INT;
  bool rounds =
      ptx_has(in, MOD_RN) || ptx_has(in, MOD_RZ) || ptx_has(in, MOD_RM) || ptx_has(in, MOD_RP);
  if (!vm_form(p, 2, 2, MOD_RN, MOD_RZ, MOD_RM, MOD_RP, MOD_RNI, MOD_RZI, MOD_RMI, MOD_RPI, MOD_FTZ,
               MOD_SAT, MOD_RELU, MOD_SATFINITE, VM_END))
    return false;
  if (from_int && to_int)
    return !rounds && !integral ? true : vm_no(p, "integers need no rounding");
  if (to_int)
    return integral && !rounds ? true
                               : vm_no(p, "an integer rounding is needed (.rzi, .rni, .rmi, .rpi)");
  if (integral && d != s) return vm_no(p, "an integer rounding needs equal types here");
  bool narrows = from_int || ptx_type_bytes(d) < ptx_type_bytes(s) ||
                 (d != s && ptx_type_bytes(d) == 2 && ptx_type_bytes(s) == 2);
  if (narrows && !rounds) return vm_no(p, "a rounding is needed (.rn, .rz, .rm, .rp)");
  return true;
}
static bool operands(struct vm_pick *p, enum ptx_type d, enum ptx_type s) {
  u32 d_bytes, s_bytes;
  if (!vm_item(p, &p->in->operands[0], d, true, &p->out->dst, &d_bytes)) return false;
  if (!vm_item(p, &p->in->operands[1], s, false, &p->out->src[0], &s_bytes)) return false;
  if (p->out->dst == -1) return vm_no(p, "the destination must be a register");
  bool fits = vm_cuts[d].mask ? d_bytes >= ptx_type_bytes(d) : d_bytes == ptx_type_bytes(d);
  fits = fits && (vm_cuts[s].mask ? s_bytes >= ptx_type_bytes(s) : s_bytes == ptx_type_bytes(s));
  if (!fits || d_bytes > 8 || s_bytes > 8)
    return vm_no(p, "a register has another width than its type");
  p->out->size = (u8)d_bytes;
  p->out->vec = (u8)s_bytes;
  return true;
}
static bool pick_pack(struct vm_pick *p, enum ptx_type d) {
  if (!vm_form(p, 2, 3, MOD_RN, MOD_RZ, MOD_RELU, MOD_SATFINITE, VM_END)) return false;
  p->out->a = d == T_F16X2 ? T_F16 : T_BF16;
  return vm_use2(p, vm_type(p, 1) == T_F32 ? pack : NULL, d, T_F32, T_F32);
}
static bool pick_tf32(struct vm_pick *p) {
  if (!vm_form(p, 2, 2, MOD_RNA, MOD_RN, MOD_RZ, MOD_RELU, MOD_SATFINITE, VM_END)) return false;
  p->out->a = T_TF32;
  p->out->b = T_F32;
  p->out->size = p->out->vec = 4;
  return vm_use1(p, vm_type(p, 1) == T_F32 ? general : NULL, T_B32, T_F32);
}

bool vm_pick_cvt(struct vm_pick *p) {
  enum ptx_type d = vm_type(p, 0), s = vm_type(p, 1);
  if (vm_is_small_cvt(p)) return vm_pick_small_cvt(p);
  p->out->a = (u8)d;
  p->out->b = (u8)s;
  p->out->c = (u8)vm_rounding(p);
  p->out->d = vm_flags(p);
  if (d == T_F16X2 || d == T_BF16X2) return pick_pack(p, d);
  if (d == T_TF32) return pick_tf32(p);
  if (!is_scalar(d) || !is_scalar(s)) return vm_no(p, "there is no such form");
  if (!check(p, d, s) || !operands(p, d, s)) return false;
  bool exact = p->out->size == ptx_type_bytes(d) && p->out->vec == ptx_type_bytes(s);
  for (u32 i = 0; exact && i < COUNT_OF(frequents); i++) {
    const struct frequent *f = &frequents[i];
    if (f->d == d && f->s == s && f->mode == (enum vm_round)p->out->c && f->flags == p->out->d)
      return vm_use(p, f->fn);
  }
  bool ints = vm_cuts[d].mask && vm_cuts[s].mask && !(p->out->d & VM_SAT);
  return vm_use(p, ints ? int_handler(p->out->size, p->out->vec) : general);
}

VM_LONE_TABLE(cvt, VM_LONE_ROW(s32_f32_rz), VM_LONE_ROW(u32_f32_rz), VM_LONE_ROW(ints_16_16),
              VM_LONE_ROW(ints_16_32), VM_LONE_ROW(ints_16_64), VM_LONE_ROW(ints_32_16),
              VM_LONE_ROW(ints_32_32), VM_LONE_ROW(ints_32_64), VM_LONE_ROW(ints_64_16),
              VM_LONE_ROW(ints_64_32), VM_LONE_ROW(ints_64_64), VM_LONE_ROW(s64_s32),
              VM_LONE_ROW(u64_u32), VM_LONE_ROW(u32_u64), VM_LONE_ROW(u32_u16),
              VM_LONE_ROW(s32_s16), VM_LONE_ROW(u16_u32), VM_LONE_ROW(f32_s32),
              VM_LONE_ROW(f32_u32), VM_LONE_ROW(f64_s32), VM_LONE_ROW(f64_u32),
              VM_LONE_ROW(f64_f32), VM_LONE_ROW(f32_f64))
