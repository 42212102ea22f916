/* ops_pairs.c - .u16x2 and .s16x2 (add, min, max), .f32x2 and mixed precision (.f32.f16, .f32.bf16:
 * add, sub, fma). Each part is computed as the scalar form
 * would; see ops_int.c, ops_round.c and ops_float.c for those. */
#include "vm/lanes.h"

/* ---- two 16-bit integers in 32 bits ---- */
static inline u32 pair(u32 low, u32 high) { return (low & 0xffff) | high << 16; }
static inline i32 low_s(u32 v) { return (int16_t)v; }
static inline i32 high_s(u32 v) { return (int16_t)(v >> 16); }
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define MOST(a, b)  ((a) > (b) ? (a) : (b))
LANES2(add_x2, u32, pair(a + b, (a >> 16) + (b >> 16)))
LANES2(min_u16x2, u32, pair(LEAST(a & 0xffff, b & 0xffff), LEAST(a >> 16, b >> 16)))
LANES2(max_u16x2, u32, pair(MOST(a & 0xffff, b & 0xffff), MOST(a >> 16, b >> 16)))
LANES2(min_s16x2, u32, pair((u32)LEAST(low_s(a), low_s(b)), (u32)LEAST(high_s(a), high_s(b))))
LANES2(max_s16x2, u32, pair((u32)MOST(low_s(a), low_s(b)), (u32)MOST(high_s(a), high_s(b))))
LANES2(min_relu_s16x2, u32,
       pair((u32)MOST(0, LEAST(low_s(a), low_s(b))), (u32)MOST(0, LEAST(high_s(a), high_s(b)))))
LANES2(max_relu_s16x2, u32,
       pair((u32)MOST(0, MOST(low_s(a), low_s(b))), (u32)MOST(0, MOST(high_s(a), high_s(b)))))

static bool pick_words(struct vm_pick *p, enum vm_arith kind, bool is_signed) {
  bool relu = ptx_has(p->in, MOD_RELU), is_min = kind == VM_MIN;
  vm_fn *fn = kind == VM_ADD ? add_x2 : is_min ? min_u16x2 : kind == VM_MAX ? max_u16x2 : NULL;
  if (is_signed && kind != VM_ADD)
    fn = is_min ? (relu ? min_relu_s16x2 : min_s16x2) : relu ? max_relu_s16x2 : max_s16x2;
  int allowed = is_signed && kind != VM_ADD ? (int)MOD_RELU : VM_END;
  if (kind != VM_ADD && kind != VM_MIN && kind != VM_MAX) fn = NULL;
  return vm_form(p, 1, 3, allowed, VM_END) && vm_use2(p, fn, T_B32, T_B32, T_B32);
}

/* ---- floats: the parts go through the scalar arithmetic in a rounding mode. in->a: enum vm_round,
 * in->b: enum vm_arith, in->c: enum vm_flag, in->d: format of a (and of b in fma) ---- */
static void result_of(struct vm_exec *x, const struct vm_insn *in) {
  if (in->b == VM_FMA)
    vm_result3(x, in);
  else
    vm_result2(x, in);
}
static void two_floats(struct vm_exec *x, const struct vm_insn *in) {
  result_of(x, in);
  u64 *d = vm_u64(x, in->dst);
  const u64 *a = vm_u64(x, in->src[0]), *b = vm_u64(x, in->src[1]), *c = vm_u64(x, in->src[2]);
  int before = vm_round_begin((enum vm_round)in->a);
  VM_EACH(i, x->mask) {
    u64 r = 0;
    for (u32 s = 0; s < 64; s += 32)
      r |= (u64)vm_bits32(vm_round_f32(in, vm_float((u32)(a[i] >> s)), vm_float((u32)(b[i] >> s)),
                                       vm_float((u32)(c[i] >> s))))
           << s;
    d[i] = r;
  }
  vm_round_end(before);
}
static void mixed(struct vm_exec *x, const struct vm_insn *in) {
  enum vm_format f = (enum vm_format)in->d;
  result_of(x, in);
  float *d = vm_f32(x, in->dst);
  const u16 *a = vm_u16(x, in->src[0]), *b = vm_u16(x, in->src[1]);
  const float *last = vm_f32(x, in->src[in->b == VM_FMA ? 2 : 1]);
  VM_EACH(i, x->mask) {
    float p = (float)vm_widen(a[i], f), q = in->b == VM_FMA ? (float)vm_widen(b[i], f) : last[i];
    int before = vm_round_begin((enum vm_round)in->a);
    float r = vm_round_f32(in, p, q, last[i]);
    vm_round_end(before);
    d[i] = r;
  }
}
static bool pick_floats(struct vm_pick *p, enum vm_arith kind, u32 sources) {
  if (!vm_form(p, 1, sources + 1, MOD_RN, MOD_RZ, MOD_RM, MOD_RP, MOD_FTZ, VM_END)) return false;
  if (sources == 3) return vm_use3(p, two_floats, T_B64, T_B64, T_B64, T_B64);
  bool ok = vm_use2(p, two_floats, T_B64, T_B64, T_B64);
  p->out->src[2] = p->out->src[0];
  return ok && kind != VM_FMA;
}
static bool pick_mixed(struct vm_pick *p, enum vm_arith kind, u32 sources) {
  enum ptx_type t = vm_type(p, 1);
  enum vm_format f = VM_FMT_F16;
  vm_fn *fn = kind != VM_MUL && (t == T_F16 || t == T_BF16) && vm_format_of(t, &f) ? mixed : NULL;
  p->out->d = (u8)f;
  if (!vm_form(p, 2, sources + 1, MOD_RN, MOD_RZ, MOD_RM, MOD_RP, MOD_SAT, VM_END)) return false;
  return sources == 3 ? vm_use3(p, fn, T_F32, t, t, T_F32) : vm_use2(p, fn, T_F32, t, T_F32);
}

bool vm_is_pair_form(const struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  return t == T_U16X2 || t == T_S16X2 || t == T_F32X2 || (t == T_F32 && p->in->type_count == 2);
}
bool vm_pick_pair(struct vm_pick *p, enum vm_arith kind) {
  enum ptx_type t = vm_type(p, 0);
  if (t == T_U16X2 || t == T_S16X2) return pick_words(p, kind, t == T_S16X2);
  if (kind > VM_FMA) return vm_no(p, "there is no such form");
  p->out->a = (u8)vm_rounding(p);
  p->out->b = (u8)kind;
  p->out->c = vm_flags(p);
  u32 sources = kind == VM_FMA ? 3 : 2;
  return t == T_F32X2 ? pick_floats(p, kind, sources) : pick_mixed(p, kind, sources);
}
