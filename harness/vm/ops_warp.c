/* ops_warp.c - shfl, vote, match, redux, elect, activemask: what a warp computes once the lanes of
 * the mask stand together; see collective.c for how they come there. */
#include "vm/collective.h"
#include "vm/lanes.h"
#include <math.h>

/* ---- operations ---- */
static u32 shuffle_source(u32 op, u32 lane, u32 b, u32 c, bool *in_range) {
  u32 bval = b & 31, cval = c & 31, seg = c >> 8 & 31; /* PTX 9.7.9.6 */
  u32 max = (lane & seg) | (cval & ~seg), min = lane & seg;
  i32 j;
  bool p;
  switch (op) {
  case MOD_UP:
    j = (i32)lane - (i32)bval;
    p = j >= (i32)max;
    break;
  case MOD_DOWN:
    j = (i32)(lane + bval);
    p = j <= (i32)max;
    break;
  case MOD_BFLY:
    j = (i32)(lane ^ bval);
    p = j <= (i32)max;
    break;
  default:
    j = (i32)(min | (bval & ~seg));
    p = j <= (i32)max;
    break;
  }
  *in_range = p;
  return p ? (u32)j & 31 : lane;
}

static void act_shfl(struct vm_exec *x, const struct vm_insn *in) {
  const struct collective *c = in->more;
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]), *cc = vm_u32(x, c->clamp);
  u32 out[VM_LANES], pred = 0, valid = 0, av = vm_valid(x, in->src[0]), live = x->mask;
  u32 lane_undefined = (~vm_valid(x, in->src[1]) | ~vm_valid(x, c->clamp)) & x->mask;
  if (lane_undefined && x->undefined)
    vm_uninit(x, in, vm_data(x, in->src[1]), lane_undefined, "lane number of a shuffle");
  VM_EACH(l, x->mask) {
    bool p;
    u32 j = shuffle_source(c->op, l, b[l], cc[l], &p);
    pred |= (u32)p << l;
    out[l] = a[j];
    valid |= (live >> j & av >> j & 1)
             << l; /* a lane that takes no part gives an undefined value */
  }
  u8 *dst = in->dst == -1 ? NULL : vm_data(x, in->dst);
  x->m->counters.shuffles++;
  x->warp->shuffles++;
  if (x->warp->shuffles > x->m->counters.max_warp_shuffles)
    x->m->counters.max_warp_shuffles = x->warp->shuffles;
  if (dst) {
    u32 bad = ~valid & x->mask;
    struct vm_slot from = *vm_head(vm_data(x, in->src[0]));
    bool by_source = bad && (~av & bad) != 0; /* the source itself was undefined there */
    VM_EACH(l, x->mask)((u32 *)(void *)dst)[l] = out[l];
    struct vm_slot *h = vm_head(dst);
    h->valid = (h->valid & ~x->mask) | valid;
    if (bad) {
      h->origin_pos = by_source && from.origin_pos ? from.origin_pos : in->pos_id;
      h->origin_object = by_source ? from.origin_object : NULL;
      h->origin_offset = by_source        ? from.origin_offset
                         : x->frame->call ? x->frame->call->pos_id
                                          : 0;
      h->partial = NULL;
    }
  }
  if (c->pred_dst != -1) {
    u32 *d = vm_pred(x, c->pred_dst);
    *d = (*d & ~x->mask) | pred;
    vm_head((u8 *)d)->valid |= x->mask;
  }
}

/* One value for all lanes of the mask, or one a lane; undefined where any source was. */
static void give(struct vm_exec *x, const struct vm_insn *in, i32 ref, const u32 *v,
                 u32 valid_sources) {
  if (ref == -1) return;
  u8 *d = vm_data(x, ref);
  u32 bytes = in->b ? in->b : 4;
  VM_EACH(l, x->mask) {
    u64 wide = v[l];
    memcpy(d + (size_t)l * bytes, &wide, bytes);
  }
  vm_result(x, in, d, (~valid_sources & x->mask) ? 0 : VM_FULL, 1);
}
static void give_pred(struct vm_exec *x, const struct vm_insn *in, i32 ref, u32 bits,
                      u32 valid_sources) {
  if (ref == -1) return;
  u32 *d = vm_pred(x, ref);
  *d = (*d & ~x->mask) | (bits & x->mask);
  vm_result(x, in, (u8 *)d, (~valid_sources & x->mask) ? 0 : VM_FULL, 1);
}

static void act_vote(struct vm_exec *x, const struct vm_insn *in) {
  const struct collective *c = in->more;
  u32 p = *vm_pred(x, in->src[0]), valid = vm_valid(x, in->src[0]);
  if (c->negated) p = ~p;
  p &= x->mask;
  x->m->counters.votes++;
  if (c->op == MOD_BALLOT) {
    u32 v[VM_LANES];
    for (u32 i = 0; i < VM_LANES; i++) v[i] = p;
    give(x, in, in->dst, v, valid);
    return;
  }
  bool r = c->op == MOD_ALL ? p == x->mask : c->op == MOD_ANY ? p != 0 : !p || p == x->mask;
  give_pred(x, in, in->dst, r ? VM_FULL : 0, valid);
}

static void act_match(struct vm_exec *x, const struct vm_insn *in) {
  const struct collective *c = in->more;
  u64 v[VM_LANES];
  u32 out[VM_LANES], valid = vm_valid(x, in->src[0]);
  for (u32 i = 0; i < VM_LANES; i++)
    v[i] = c->wide ? vm_u64(x, in->src[0])[i] : vm_u32(x, in->src[0])[i];
  bool all = true;
  u64 first = v[__builtin_ctz(x->mask)];
  VM_EACH(l, x->mask) {
    u32 same = 0;
    VM_EACH(k, x->mask) same |= (u32)(v[k] == v[l]) << k;
    out[l] = same;
    all &= v[l] == first;
  }
  x->m->counters.matches++;
  if (c->op == MOD_ALL) {
    VM_EACH(l, x->mask) out[l] = all ? x->mask : 0;
    give_pred(x, in, c->pred_dst, all ? VM_FULL : 0, valid);
  }
  give(x, in, in->dst, out, valid);
}

static u32 redux_step(u32 op, bool is_signed, u32 a, u32 b) {
  switch (op) {
  case MOD_ADD: return a + b;
  case MOD_AND: return a & b;
  case MOD_OR: return a | b;
  case MOD_XOR: return a ^ b;
  case MOD_MIN: return is_signed ? ((i32)a < (i32)b ? a : b) : (a < b ? a : b);
  default: return is_signed ? ((i32)a > (i32)b ? a : b) : (a > b ? a : b);
  }
}
/* .f32 (sm_100): minimum and maximum; -0 is below +0; a NaN loses, or wins with .NaN. */
static u32 redux_float(const struct collective *c, u32 a, u32 b) {
  float p = vm_float(a), q = vm_float(b);
  if (isnan(p) || isnan(q))
    return c->nan_wins || (isnan(p) && isnan(q)) ? VM_NAN32 : isnan(p) ? b : a;
  bool a_first = p < q || (p == q && a >> 31);
  return (c->op == MOD_MIN) == a_first ? a : b;
}
static void act_redux(struct vm_exec *x, const struct vm_insn *in) {
  const struct collective *c = in->more;
  const u32 *s = vm_u32(x, in->src[0]);
  u32 out[VM_LANES], off = c->absolute ? 0x7fffffffu : VM_FULL, r = s[__builtin_ctz(x->mask)] & off;
  u32 rest = x->mask & (x->mask - 1);
  VM_EACH(l, rest)
  r = c->is_float ? redux_float(c, r, s[l] & off) : redux_step(c->op, c->is_signed, r, s[l]);
  if (c->is_float && isnan(vm_float(r))) r = VM_NAN32;
  for (u32 i = 0; i < VM_LANES; i++) out[i] = r;
  x->m->counters.reduxes++;
  give(x, in, in->dst, out, vm_valid(x, in->src[0]));
}

/* elect.sync: the lowest lane of the mask is the leader (PTX 9.7.13.16 leaves the choice open). */
static void act_elect(struct vm_exec *x, const struct vm_insn *in) {
  const struct collective *c = in->more;
  u32 leader = (u32)__builtin_ctz(x->mask), out[VM_LANES];
  for (u32 i = 0; i < VM_LANES; i++) out[i] = leader;
  if (in->dst != -1) {
    VM_EACH(l, x->mask) vm_u32(x, in->dst)[l] = out[l];
    vm_head(vm_data(x, in->dst))->valid |= x->mask;
  }
  u32 *d = vm_pred(x, c->pred_dst);
  *d = (*d & ~x->mask) | vm_bit(leader);
  vm_head((u8 *)d)->valid |= x->mask;
}

static void vm_op_activemask(struct vm_exec *x, const struct vm_insn *in) {
  u32 *d = vm_u32(x, in->dst), v = x->mask;
  VM_EACH(l, x->mask) d[l] = v;
  vm_head((u8 *)d)->valid |= x->mask;
}

/* ---- picking ---- */
static u32 first_of(const struct ptx_insn *in, const u8 *mods, u32 n) {
  for (u32 i = 0; i < n; i++)
    if (ptx_has(in, mods[i])) return mods[i];
  return MOD_COUNT;
}

static struct collective *begin(struct vm_pick *p, vm_fn *act, const u8 *ops, u32 n) {
  struct collective *c = NEW(&p->m->arena, struct collective);
  c->act = act;
  c->pred_dst = -1;
  c->op = first_of(p->in, ops, n);
  p->out->more = c;
  if (c->op == MOD_COUNT || !ptx_has(p->in, MOD_SYNC))
    return vm_no(p, "no such form (only the .sync forms exist)"), NULL;
  return c;
}

/* The member mask is resolved through src[3], which the operations do not use. */
static bool member(struct vm_pick *p, struct collective *c, u32 operand) {
  if (!vm_src(p, 3, operand, T_B32)) return false;
  c->member = p->out->src[3];
  return true;
}

bool vm_pick_activemask(struct vm_pick *p) {
  return vm_dst(p, 0, T_B32) && vm_use(p, vm_op_activemask);
}

bool vm_pick_shfl(struct vm_pick *p) {
  static const u8 ops[] = {MOD_UP, MOD_DOWN, MOD_BFLY, MOD_IDX};
  struct collective *c = begin(p, act_shfl, ops, COUNT_OF(ops));
  if (!c) return false;
  u32 n = p->in->operand_count, at = n == 6; /* d|p, a, b, c, mask */
  if (n != 5 && n != 6) return vm_no(p, "five or six operands are needed");
  if (at && !vm_dst2_or_sink(p, 1, T_PRED)) return false;
  if (at) c->pred_dst = p->out->dst2;
  if (!vm_dst_or_sink(p, 0, T_B32) || !vm_src(p, 0, at + 1, T_B32) ||
      !vm_src(p, 1, at + 2, T_B32) || !vm_src(p, 2, at + 3, T_B32))
    return false;
  c->clamp = p->out->src[2];
  return member(p, c, at + 4) && vm_use(p, vm_op_collective);
}
bool vm_pick_vote(struct vm_pick *p) {
  static const u8 ops[] = {MOD_BALLOT, MOD_ALL, MOD_ANY, MOD_UNI};
  struct collective *c = begin(p, act_vote, ops, COUNT_OF(ops));
  if (!c || p->in->operand_count != 3) return c ? vm_no(p, "three operands are needed") : false;
  c->negated = p->in->operands[1].kind == OPD_REG && p->in->operands[1].negated;
  return vm_dst_or_sink(p, 0, c->op == MOD_BALLOT ? T_B32 : T_PRED) && vm_src(p, 0, 1, T_PRED) &&
         member(p, c, 2) && vm_use(p, vm_op_collective);
}
bool vm_pick_match(struct vm_pick *p) {
  static const u8 ops[] = {MOD_ANY, MOD_ALL};
  struct collective *c = begin(p, act_match, ops, COUNT_OF(ops));
  if (!c) return false;
  u32 n = p->in->operand_count, at = n == 4;
  if (n != 3 && n != 4) return vm_no(p, "three or four operands are needed");
  enum ptx_type t = vm_type(p, 0);
  c->wide = ptx_type_bytes(t) == 8;
  if (at && !vm_dst2_or_sink(p, 1, T_PRED)) return false;
  if (at) c->pred_dst = p->out->dst2;
  p->out->b =
      vm_operand_bytes(p, 0) == 8 ? 8 : 4; /* clang 14 gives the 64-bit form a 64-bit result */
  return vm_dst_or_sink(p, 0, p->out->b == 8 ? T_B64 : T_B32) && vm_src(p, 0, at + 1, t) &&
         member(p, c, at + 2) && vm_use(p, vm_op_collective);
}
bool vm_pick_redux(struct vm_pick *p) {
  static const u8 ops[] = {MOD_ADD, MOD_MIN, MOD_MAX, MOD_AND, MOD_OR, MOD_XOR};
  struct collective *c = begin(p, act_redux, ops, COUNT_OF(ops));
  if (!c || p->in->operand_count != 3) return c ? vm_no(p, "three operands are needed") : false;
  enum ptx_type t = vm_type(p, 0);
  c->is_float = t == T_F32;
  c->absolute = c->is_float && ptx_has(p->in, MOD_ABS);
  c->nan_wins = ptx_has(p->in, MOD_NAN);
  if (ptx_type_bytes(t) != 4 || (c->is_float && c->op != MOD_MIN && c->op != MOD_MAX))
    return vm_no(p, "only 32-bit integers, and the minimum or maximum of .f32, are supported");
  c->is_signed = t == T_S32;
  return vm_dst_or_sink(p, 0, T_B32) && vm_src(p, 0, 1, T_B32) && member(p, c, 2) &&
         vm_use(p, vm_op_collective);
}
bool vm_pick_elect(struct vm_pick *p) {
  static const u8 ops[] = {MOD_SYNC};
  struct collective *c = begin(p, act_elect, ops, COUNT_OF(ops));
  if (!c || p->in->operand_count != 3) return c ? vm_no(p, "three operands are needed") : false;
  if (!vm_dst_or_sink(p, 0, T_B32) || !vm_dst2(p, 1, T_PRED)) return false;
  c->pred_dst = p->out->dst2;
  return member(p, c, 2) && vm_use(p, vm_op_collective);
}
