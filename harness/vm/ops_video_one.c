/* ops_video_one.c - scalar video instructions: one part of each source, 32 bits at most, with .sat
 * and a second operation on c, or a part of c replaced. PTX ISA, "Scalar Video Instructions". */
#include "vm/lanes.h"
#include "vm/video.h"

i64 video_compute(const struct video_op *v, i64 a, i64 b) {
  switch (v->kind) {
  case VIDEO_ADD: return a + b;
  case VIDEO_SUB: return a - b;
  case VIDEO_AVRG: return (a + b + (a + b >= 0)) >> 1; /* rounds away from zero */
  case VIDEO_ABSDIFF: return a > b ? a - b : b - a;
  case VIDEO_MIN: return a < b ? a : b;
  case VIDEO_MAX: return a > b ? a : b;
  case VIDEO_SHL: return (i64)((u64)a << b); /* by 32 at most */
  case VIDEO_SHR: return a >> b;
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
bool video_pick(struct vm_pick *p, enum video_kind kind, struct video_op *v) {
  static const u8 comparisons[] = {MOD_EQ, MOD_NE, MOD_LT, MOD_LE, MOD_GT, MOD_GE};
  bool set = kind == VIDEO_SET; /* .atype.btype.cmp, the result is unsigned */
  u32 first = set ? 0 : 1;
  enum ptx_type d = set ? T_U32 : vm_type(p, 0), a = vm_type(p, first), b = vm_type(p, first + 1);
  for (u32 i = 0; i < COUNT_OF(comparisons); i++)
    if (ptx_has(p->in, comparisons[i])) v->cmp = comparisons[i];
  if (set != (v->cmp != 0)) return vm_no(p, "a comparison goes with vset, and only there");
  if ((d != T_U32 && d != T_S32) || (a != T_U32 && a != T_S32) || (b != T_U32 && b != T_S32))
    return vm_no(p, "only .u32 and .s32 exist");
  v->kind = (u8)kind;
  v->d_signed = (set ? a : d) == T_S32; /* vset: of the second operation, as an H200 has it */
  v->a_signed = a == T_S32;
  v->b_signed = b == T_S32;
  return true;
}

struct scalar {
  struct video_op op;
  u16 a_part, b_part, d_part; /* selectors, 0 = all of it */
  bool sat, wrap, po;         /* wrap: shifts; po: vmad, one more */
  u8 second, scale;           /* MOD_ADD, MOD_MIN, MOD_MAX or 0; vmad: bits to shift right */
};

static u32 part_bits(u16 select) { return !select ? 32 : PTX_SELECT_HALF(select) ? 16 : 8; }
static i64 part(u32 word, u16 select, bool is_signed) {
  u32 bits = part_bits(select), at = select ? PTX_SELECT_DIGIT(select, 0) * bits : 0;
  u64 low = (1ull << bits) - 1, v = word >> at & low, sign = 1ull << (bits - 1);
  return is_signed ? (i64)((v ^ sign) - sign) : (i64)v;
}
static i64 saturate(i64 r, u32 bits, bool is_signed) {
  i64 one = 1, most = is_signed ? (one << (bits - 1)) - 1 : (one << bits) - 1,
      least = is_signed ? -most - 1 : 0;
  return r < least ? least : r > most ? most : r;
}
/* The second operation, or the part of c that is replaced. For .min and .max sums and differences
 * are cut to 32 bits first; others keep all bits, so that an unsigned result below 0 counts as the
 * largest: the PTX ISA leaves it open, an H200 does so. */
static u32 finish(const struct scalar *v, i64 r, u32 c) {
  u32 t = (u32)r;
  bool cut = v->op.kind <= VIDEO_ABSDIFF;
  i64 all = !cut ? r : v->op.d_signed ? (i64)(i32)t : (i64)t;
  bool below = v->op.d_signed ? all < (i32)c : (u64)all < c;
  switch (v->second) {
  case MOD_ADD: return t + c;
  case MOD_MIN: return below ? t : c;
  case MOD_MAX: return below ? c : t;
  default: break;
  }
  if (!v->d_part) return t;
  u32 bits = part_bits(v->d_part), at = PTX_SELECT_DIGIT(v->d_part, 0) * bits,
      low = ((1u << bits) - 1) << at;
  return (c & ~low) | (t << at & low);
}
static bool takes_c(const struct scalar *v) { return v->second || v->d_part; }

static void vm_op_scalar(struct vm_exec *x, const struct vm_insn *in) {
  const struct scalar *v = in->more;
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]), *c = vm_u32(x, in->src[2]);
  u32 *d = vm_u32(x, in->dst);
  bool shifts = v->op.kind == VIDEO_SHL || v->op.kind == VIDEO_SHR;
  if (takes_c(v))
    vm_result3(x, in);
  else
    vm_result2(x, in);
  VM_EACH(l, x->mask) {
    i64 p = part(a[l], v->a_part, v->op.a_signed), q = part(b[l], v->b_part, v->op.b_signed);
    if (shifts) q = v->wrap ? q & 31 : q > 32 ? 32 : q;
    i64 r = video_compute(&v->op, p, q);
    /* As the PTX ISA has it; with a part of d an H200 gives other values (docs/gpu.md). */
    if (v->sat) r = saturate(r, part_bits(v->d_part), v->op.d_signed);
    d[l] = finish(v, r, c[l]);
  }
}

static void vm_op_vmad(struct vm_exec *x, const struct vm_insn *in) {
  const struct scalar *v = in->more;
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]), *c = vm_u32(x, in->src[2]);
  u32 *d = vm_u32(x, in->dst);
  bool is_signed = v->op.a_signed || v->op.b_signed;
  vm_result3(x, in);
  VM_EACH(l, x->mask) {
    __int128 r =
        (__int128)part(a[l], v->a_part, v->op.a_signed) * part(b[l], v->b_part, v->op.b_signed) +
        part(c[l], 0, is_signed) + v->po;
    r >>= v->scale;
    __int128 most = is_signed ? INT32_MAX : UINT32_MAX, least = is_signed ? INT32_MIN : 0;
    if (v->sat) r = r < least ? least : r > most ? most : r;
    d[l] = (u32)r;
  }
}

/* ---- picking ---- */
static bool one_part(struct vm_pick *p, u32 operand, u16 *out) {
  u16 s = p->in->operands[operand].select;
  *out = s;
  if (!s) return true;
  return (PTX_SELECT_COUNT(s) == 1 && PTX_SELECT_DIGIT(s, 0) < (PTX_SELECT_HALF(s) ? 2u : 4u)) ||
         vm_no(p, "one part is needed (.b0 to .b3, .h0, .h1)");
}
static bool pick(struct vm_pick *p, enum video_kind kind) {
  static const u8 seconds[] = {MOD_ADD, MOD_MIN, MOD_MAX};
  struct scalar *v = NEW(&p->m->arena, struct scalar);
  bool set = kind == VIDEO_SET, shifts = kind == VIDEO_SHL || kind == VIDEO_SHR;
  for (u32 i = 0; i < COUNT_OF(seconds); i++)
    if (ptx_has(p->in, seconds[i])) v->second = seconds[i];
  if (p->in->operand_count < 3) return vm_no(p, "three or four operands are needed");
  if (!one_part(p, 0, &v->d_part) || !one_part(p, 1, &v->a_part) || !one_part(p, 2, &v->b_part))
    return false;
  if (v->second && v->d_part) return vm_no(p, "a second operation needs all of the destination");
  u32 operands = takes_c(v) ? 4 : 3;
  if (!vm_form(p, set ? 2 : 3, operands, MOD_SAT, MOD_ADD, MOD_MIN, MOD_MAX, MOD_EQ, MOD_NE, MOD_LT,
               MOD_LE, MOD_GT, MOD_GE, shifts ? (int)MOD_CLAMP : (int)MOD_SAT,
               shifts ? (int)MOD_WRAP : (int)MOD_SAT, VM_END) ||
      !video_pick(p, kind, &v->op))
    return false;
  v->sat = ptx_has(p->in, MOD_SAT);
  v->wrap = ptx_has(p->in, MOD_WRAP);
  if (shifts && v->wrap == ptx_has(p->in, MOD_CLAMP)) return vm_no(p, ".clamp or .wrap is needed");
  p->out->more = v;
  bool ok = operands == 4 ? vm_use3(p, vm_op_scalar, T_U32, T_U32, T_U32, T_U32)
                          : vm_use2(p, vm_op_scalar, T_U32, T_U32, T_U32);
  if (operands == 3) p->out->src[2] = p->out->src[0];
  return ok;
}
bool vm_pick_vadd(struct vm_pick *p) { return pick(p, VIDEO_ADD); }
bool vm_pick_vsub(struct vm_pick *p) { return pick(p, VIDEO_SUB); }
bool vm_pick_vabsdiff(struct vm_pick *p) { return pick(p, VIDEO_ABSDIFF); }
bool vm_pick_vmin(struct vm_pick *p) { return pick(p, VIDEO_MIN); }
bool vm_pick_vmax(struct vm_pick *p) { return pick(p, VIDEO_MAX); }
bool vm_pick_vset(struct vm_pick *p) { return pick(p, VIDEO_SET); }
bool vm_pick_vshl(struct vm_pick *p) { return pick(p, VIDEO_SHL); }
bool vm_pick_vshr(struct vm_pick *p) { return pick(p, VIDEO_SHR); }
bool vm_pick_vmad(struct vm_pick *p) {
  struct scalar *v = NEW(&p->m->arena, struct scalar);
  if (!vm_form(p, 3, 4, MOD_SAT, MOD_SHR7, MOD_SHR15, MOD_PO, VM_END) ||
      !video_pick(p, VIDEO_ADD, &v->op) || !one_part(p, 1, &v->a_part) ||
      !one_part(p, 2, &v->b_part))
    return false;
  v->sat = ptx_has(p->in, MOD_SAT);
  v->po = ptx_has(p->in, MOD_PO);
  v->scale = ptx_has(p->in, MOD_SHR7) ? 7 : ptx_has(p->in, MOD_SHR15) ? 15 : 0;
  p->out->more = v;
  return vm_use3(p, vm_op_vmad, T_U32, T_U32, T_U32, T_U32);
}
