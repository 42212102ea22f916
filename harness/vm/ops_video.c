/* ops_video.c - SIMD video instructions: the parts of two or four of vadd, vsub, vavrg, vabsdiff,
 * vmin, vmax, vset, with selectors, masks, .sat and the .add accumulation. One part of 32 bits is
 * ops_video_one.c. */
#include "vm/lanes.h"
#include "vm/video.h"

struct simd {
  struct video_op op;
  u32 parts, bits; /* of one part */
  bool sat, add;
  u8 mask;             /* parts of d that are computed; the others are c's */
  u8 a_of[4], b_of[4]; /* part i of a operand: 0.. of the first source, then of the second */
};

static i32 part(const struct simd *v, u32 a, u32 b, u32 which, bool is_signed) {
  u32 word = which < v->parts ? a : b, low = (1u << v->bits) - 1,
      bits = word >> which % v->parts * v->bits & low, sign = 1u << (v->bits - 1);
  return is_signed ? (i32)((bits ^ sign) - sign) : (i32)bits;
}
static i32 saturate(const struct simd *v, i32 r) {
  i32 most = v->op.d_signed ? (1 << (v->bits - 1)) - 1 : (1 << v->bits) - 1,
      least = v->op.d_signed ? -most - 1 : 0;
  return r < least ? least : r > most ? most : r;
}
static u32 one(const struct simd *v, u32 a, u32 b, u32 c) {
  u32 low = (1u << v->bits) - 1, packed = c, sum = c;
  for (u32 k = 0; k < v->parts; k++) {
    if (!(v->mask >> k & 1)) continue;
    i64 wide = video_compute(&v->op, part(v, a, b, v->a_of[k], v->op.a_signed),
                             part(v, a, b, v->b_of[k], v->op.b_signed));
    i32 r = v->sat ? saturate(v, (i32)wide) : (i32)wide;
    sum += (u32)r;
    packed = (packed & ~(low << k * v->bits)) | ((u32)r & low) << k * v->bits;
  }
  return v->add ? sum : packed;
}

static void vm_op_simd(struct vm_exec *x, const struct vm_insn *in) {
  const struct simd *v = in->more;
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]), *c = vm_u32(x, in->src[2]);
  u32 *d = vm_u32(x, in->dst);
  bool takes_c = v->add || v->mask != (1u << v->parts) - 1;
  u32 valid = vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]) &
              (takes_c ? vm_valid(x, in->src[2]) : VM_FULL);
  vm_result(x, in, (u8 *)d, valid, 3);
  VM_EACH(l, x->mask) d[l] = one(v, a[l], b[l], c[l]);
}

/* ---- picking ---- */
static bool parts_of(struct vm_pick *p, u32 operand, const struct simd *v, u32 from, u8 *of) {
  u32 s = p->in->operands[operand].select;
  for (u32 i = 0; i < v->parts; i++) of[i] = (u8)(from + i);
  if (!s) return true;
  if (PTX_SELECT_COUNT(s) != v->parts || PTX_SELECT_HALF(s) != (v->parts == 2))
    return vm_no(p, "a selector does not fit the number of parts");
  for (u32 i = 0; i < v->parts; i++) {
    of[i] = (u8)PTX_SELECT_DIGIT(s, i);
    if (of[i] >= 2 * v->parts) return vm_no(p, "a selector names no part");
  }
  return true;
}
static bool mask_of(struct vm_pick *p, struct simd *v) {
  u32 s = p->in->operands[0].select;
  v->mask = (u8)((1u << v->parts) - 1);
  if (!s) return true;
  if (PTX_SELECT_HALF(s) != (v->parts == 2)) return vm_no(p, "a mask does not fit the parts");
  v->mask = 0;
  for (u32 i = 0; i < PTX_SELECT_COUNT(s); i++) {
    u32 k = PTX_SELECT_DIGIT(s, i);
    if (k >= v->parts) return vm_no(p, "a mask names no part");
    v->mask |= (u8)(1u << k);
  }
  return true;
}
static bool pick(struct vm_pick *p, enum video_kind kind, u32 parts) {
  struct simd *v = NEW(&p->m->arena, struct simd);
  bool set = kind == VIDEO_SET;
  if (p->in->operand_count != 4) return vm_no(p, "four operands are needed");
  if (!vm_form(p, set ? 2 : 3, 4, MOD_SAT, MOD_ADD, MOD_EQ, MOD_NE, MOD_LT, MOD_LE, MOD_GT, MOD_GE,
               VM_END) ||
      !video_pick(p, kind, &v->op))
    return false;
  v->parts = parts;
  v->bits = 32 / parts;
  v->sat = ptx_has(p->in, MOD_SAT);
  v->add = ptx_has(p->in, MOD_ADD);
  if (v->sat && v->add) return vm_no(p, ".sat does not go with .add");
  p->out->more = v;
  return mask_of(p, v) && parts_of(p, 1, v, 0, v->a_of) && parts_of(p, 2, v, parts, v->b_of) &&
         vm_use3(p, vm_op_simd, T_U32, T_U32, T_U32, T_U32);
}
bool vm_pick_vadd2(struct vm_pick *p) { return pick(p, VIDEO_ADD, 2); }
bool vm_pick_vsub2(struct vm_pick *p) { return pick(p, VIDEO_SUB, 2); }
bool vm_pick_vavrg2(struct vm_pick *p) { return pick(p, VIDEO_AVRG, 2); }
bool vm_pick_vabsdiff2(struct vm_pick *p) { return pick(p, VIDEO_ABSDIFF, 2); }
bool vm_pick_vmin2(struct vm_pick *p) { return pick(p, VIDEO_MIN, 2); }
bool vm_pick_vmax2(struct vm_pick *p) { return pick(p, VIDEO_MAX, 2); }
bool vm_pick_vset2(struct vm_pick *p) { return pick(p, VIDEO_SET, 2); }
bool vm_pick_vadd4(struct vm_pick *p) { return pick(p, VIDEO_ADD, 4); }
bool vm_pick_vsub4(struct vm_pick *p) { return pick(p, VIDEO_SUB, 4); }
bool vm_pick_vavrg4(struct vm_pick *p) { return pick(p, VIDEO_AVRG, 4); }
bool vm_pick_vabsdiff4(struct vm_pick *p) { return pick(p, VIDEO_ABSDIFF, 4); }
bool vm_pick_vmin4(struct vm_pick *p) { return pick(p, VIDEO_MIN, 4); }
bool vm_pick_vmax4(struct vm_pick *p) { return pick(p, VIDEO_MAX, 4); }
bool vm_pick_vset4(struct vm_pick *p) { return pick(p, VIDEO_SET, 4); }
