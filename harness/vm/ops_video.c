/* ops_video.c - SIMD video instructions on four bytes (vadd4, vsub4, vavrg4, vabsdiff4, vmin4,
 * vmax4, vset4): lanes taken in order (no selectors), whole results, with or without .sat and the
 * .add accumulation. */
#include "vm/lanes.h"

enum { V_ADD, V_SUB, V_AVRG, V_ABSDIFF, V_MIN, V_MAX, V_SET };
struct video {
  u8 op, cmp; /* cmp: MOD_EQ ... */
  bool d_signed, a_signed, b_signed, sat, add;
};

static i32 byte_of(u32 v, u32 k, bool is_signed) {
  return is_signed ? (i32)(signed char)(v >> k * 8) : (i32)(v >> k * 8 & 0xff);
}

static i32 combine(const struct video *v, i32 a, i32 b) {
  switch (v->op) {
  case V_ADD: return a + b;
  case V_SUB: return a - b;
  case V_AVRG: return (a + b + (a + b >= 0)) >> 1; /* rounds away from zero */
  case V_ABSDIFF: return a > b ? a - b : b - a;
  case V_MIN: return a < b ? a : b;
  case V_MAX: return a > b ? a : b;
  default: break;
  }
  switch (v->cmp) {
  case MOD_EQ: return a == b;
  case MOD_NE: return a != b;
  case MOD_LT: return a < b;
  case MOD_LE: return a <= b;
  case MOD_GT: return a > b;
  default: return a >= b;
  }
}

static i32 saturate(const struct video *v, i32 r) {
  i32 lo = v->d_signed ? -128 : 0, hi = v->d_signed ? 127 : 255;
  return r < lo ? lo : r > hi ? hi : r;
}

static u32 one(const struct video *v, u32 a, u32 b, u32 c) {
  u32 packed = 0, sum = c;
  for (u32 k = 0; k < 4; k++) {
    i32 r = combine(v, byte_of(a, k, v->a_signed), byte_of(b, k, v->b_signed));
    if (v->sat) r = saturate(v, r);
    sum += (u32)r;
    packed |= ((u32)r & 0xff) << k * 8;
  }
  return v->add ? sum : packed;
}

static void vm_op_video(struct vm_exec *x, const struct vm_insn *in) {
  const struct video *v = in->more;
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]), *c = vm_u32(x, in->src[2]);
  u32 *d = vm_u32(x, in->dst);
  u32 valid = vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]) &
              (v->add ? vm_valid(x, in->src[2]) : VM_FULL);
  vm_result(x, in, (u8 *)d, valid, 3);
  VM_EACH(l, x->mask) d[l] = one(v, a[l], b[l], c[l]);
}

static bool pick(struct vm_pick *p, u8 op) {
  static const u8 comparisons[] = {MOD_EQ, MOD_NE, MOD_LT, MOD_LE, MOD_GT, MOD_GE};
  struct video *v = NEW(&p->m->arena, struct video);
  bool set = op == V_SET; /* .atype.btype.cmp, the result is unsigned */
  enum ptx_type d = set ? T_U32 : vm_type(p, 0), a = vm_type(p, set ? 0 : 1),
                b = vm_type(p, set ? 1 : 2);
  for (u32 i = 0; i < COUNT_OF(comparisons); i++)
    if (ptx_has(p->in, comparisons[i])) v->cmp = comparisons[i];
  if (p->in->type_count != (set ? 2u : 3u) || p->in->operand_count != 4)
    return vm_no(p, "four operands and their types are needed");
  if ((d != T_U32 && d != T_S32) || (a != T_U32 && a != T_S32) || (b != T_U32 && b != T_S32))
    return vm_no(p, "only .u32 and .s32 exist");
  v->op = op;
  v->d_signed = d == T_S32;
  v->a_signed = a == T_S32;
  v->b_signed = b == T_S32;
  v->sat = ptx_has(p->in, MOD_SAT);
  v->add = ptx_has(p->in, MOD_ADD);
  p->out->more = v;
  return vm_dst(p, 0, d) && vm_src(p, 0, 1, a) && vm_src(p, 1, 2, b) && vm_src(p, 2, 3, T_U32) &&
         vm_use(p, vm_op_video);
}
bool vm_pick_vadd4(struct vm_pick *p) { return pick(p, V_ADD); }
bool vm_pick_vsub4(struct vm_pick *p) { return pick(p, V_SUB); }
bool vm_pick_vavrg4(struct vm_pick *p) { return pick(p, V_AVRG); }
bool vm_pick_vabsdiff4(struct vm_pick *p) { return pick(p, V_ABSDIFF); }
bool vm_pick_vmin4(struct vm_pick *p) { return pick(p, V_MIN); }
bool vm_pick_vmax4(struct vm_pick *p) { return pick(p, V_MAX); }
bool vm_pick_vset4(struct vm_pick *p) { return pick(p, V_SET); }
