/* move.c - mov (registers, packing, addresses, special registers), cvta, isspacep. */
#include "vm/machine.h"
#include "vm/lanes.h"
#include "vm/lone.h"

static void vm_op_mov_pred(struct vm_exec *x, const struct vm_insn *in) {
  vm_result1(x, in);
  u32 *d = vm_pred(x, in->dst);
  *d = (*d & ~x->mask) | (*vm_pred(x, in->src[0]) & x->mask);
}
LANES1(vm_op_mov16, u16, a)
LANES1(vm_op_mov32, u32, a)
LANES1(vm_op_mov64, u64, a)
static void vm_op_mov128(struct vm_exec *x, const struct vm_insn *in) {
  vm_result1(x, in);
  u8 *d = vm_data(x, in->dst);
  const u8 *s = vm_data(x, in->src[0]);
  VM_EACH(l, x->mask) memmove(d + l * 16, s + l * 16, 16);
}
/* Address of a local variable: the frame's base plus an offset. */
static void vm_op_mov_local(struct vm_exec *x, const struct vm_insn *in) {
  u8 *dst = vm_data(x, in->dst);
  vm_fill(x, dst, in->b, x->frame->local_base + (u64)in->imm);
  vm_head(dst)->valid |= x->mask;
}

/* ---- packing: mov.b64 %rd, {%r1, %r2} and back ---- */
struct pack {
  i32 ref[8];
  u32 count, bytes; /* of one element */
  u32 stride;       /* from lane to lane of its register: a byte takes two */
};
static void vm_op_pack(struct vm_exec *x, const struct vm_insn *in) {
  const struct pack *k = in->more;
  u8 *dst = vm_data(x, in->dst), room[VM_LANES * 16];
  u32 valid = VM_FULL, total = k->count * k->bytes;
  for (u32 e = 0; e < k->count; e++) {
    const u8 *s = vm_data(x, k->ref[e]);
    u32 v = vm_valid(x, k->ref[e]);
    if (~v & x->mask)
      *vm_head(dst) = (struct vm_slot){.valid = vm_head(dst)->valid,
                                       .origin_pos = vm_head((u8 *)(uintptr_t)s)->origin_pos,
                                       .origin_object = vm_head((u8 *)(uintptr_t)s)->origin_object,
                                       .origin_offset = vm_head((u8 *)(uintptr_t)s)->origin_offset};
    valid &= v;
    for (u32 l = 0; l < VM_LANES; l++)
      memcpy(room + l * total + e * k->bytes, s + l * k->stride, k->bytes);
  }
  VM_EACH(l, x->mask) memcpy(dst + l * total, room + l * total, total);
  struct vm_slot *h = vm_head(dst);
  h->valid = (h->valid & ~x->mask) | (valid & x->mask);
}
static void vm_op_unpack(struct vm_exec *x, const struct vm_insn *in) {
  const struct pack *k = in->more;
  const u8 *src = vm_data(x, in->src[0]);
  u8 room[VM_LANES * 16];
  u32 total = k->count * k->bytes, valid = vm_valid(x, in->src[0]);
  memcpy(room, src, (size_t)VM_LANES * total);
  struct vm_slot from = *vm_head((u8 *)(uintptr_t)src);
  from.partial = NULL;
  for (u32 e = 0; e < k->count; e++) {
    if (k->ref[e] == -1) continue;
    u8 *d = vm_data(x, k->ref[e]);
    VM_EACH(l, x->mask) {
      memset(d + l * k->stride, 0, k->stride);
      memcpy(d + l * k->stride, room + l * total + e * k->bytes, k->bytes);
    }
    u32 old = vm_head(d)->valid;
    if (~valid & x->mask) *vm_head(d) = from;
    vm_head(d)->valid = (old & ~x->mask) | (valid & x->mask);
  }
}

static bool pick_pack(struct vm_pick *p, const struct ptx_operand *v, enum ptx_type t,
                      bool unpack) {
  struct pack *k = NEW(&p->m->arena, struct pack);
  u32 total = ptx_type_bytes(t);
  k->count = v->item_count;
  if (k->count < 2 || k->count > 8 || total % k->count)
    return vm_no(p, "a vector of this length does not fit the type");
  k->bytes = total / k->count;
  k->stride = k->bytes < 2 ? 2 : k->bytes;
  static const enum ptx_type by_bytes[] = {[1] = T_B8, [2] = T_B16, [4] = T_B32, [8] = T_B64};
  for (u32 e = 0; e < k->count; e++) {
    u32 w;
    if (!vm_item(p, &v->items[e], by_bytes[k->bytes], unpack, &k->ref[e], &w)) return false;
    if (w != k->stride) return vm_no(p, "a vector element has the wrong width");
  }
  p->out->more = k;
  return vm_use(p, unpack ? vm_op_unpack : vm_op_pack);
}

/* ---- special registers ---- */
static u64 sreg_uniform(struct vm_exec *x, u32 sreg, u32 dim) {
  const struct vm_machine *m = x->m;
  const struct vm_launch_info *l = &m->info;
  switch (sreg) {
  case SREG_ntid: return dim < 3 ? l->block[dim] : 0;
  case SREG_ctaid: return dim < 3 ? x->block->ctaid[dim] : 0;
  case SREG_nctaid: return dim < 3 ? l->grid[dim] : 0;
  case SREG_warpid: return x->warp->who.warp;
  case SREG_nwarpid: return m->config.threads_per_sm / 32;
  case SREG_smid: return x->block->sm;
  case SREG_nsmid: return m->sm_count;
  case SREG_gridid: return l->launch_index + 1;
  case SREG_clock:
  case SREG_globaltimer_lo: return (u32)vm_now(m);
  case SREG_clock_hi:
  case SREG_globaltimer_hi: return vm_now(m) >> 32;
  case SREG_clock64: return vm_now(m);
  case SREG_globaltimer: return 1000000000ull + vm_now(m);
  case SREG_dynamic_smem_size: return m->launch->shared_bytes;
  case SREG_total_smem_size:
  case SREG_aggr_smem_size: return m->counters.shared_bytes;
  case SREG_envreg1: return m->envreg_workspace >> 32;
  case SREG_envreg2: return (u32)m->envreg_workspace;
  case SREG_clusterid: return dim < 3 ? x->block->ctaid[dim] / m->cluster[dim] : 0;
  case SREG_nclusterid: return dim < 3 ? l->grid[dim] / m->cluster[dim] : 0;
  case SREG_cluster_ctaid: return dim < 3 ? x->block->ctaid[dim] % m->cluster[dim] : 0;
  case SREG_cluster_nctaid: return dim < 3 ? m->cluster[dim] : 0;
  case SREG_cluster_ctarank: return x->block->rank;
  case SREG_cluster_nctarank: return m->cluster_size;
  case SREG_is_explicit_cluster: return l->kernel->reqcluster[0] || m->launch->cluster[0];
  default: return 0; /* reserved sizes, pm */
  }
}
static u64 sreg_lane(struct vm_exec *x, u32 sreg, u32 dim, u32 lane) {
  const u32 *b = x->m->info.block;
  u32 linear = x->warp->who.warp * 32 + lane;
  switch (sreg) {
  case SREG_tid:
    return dim == 0   ? linear % b[0]
           : dim == 1 ? linear / b[0] % b[1]
           : dim == 2 ? linear / b[0] / b[1]
                      : 0;
  case SREG_laneid: return lane;
  case SREG_lanemask_eq: return 1u << lane;
  case SREG_lanemask_lt: return (1u << lane) - 1;
  case SREG_lanemask_le: return ((2ull << lane) - 1) & VM_FULL;
  case SREG_lanemask_gt: return ~((2ull << lane) - 1) & VM_FULL;
  default: return ~((1ull << lane) - 1) & VM_FULL; /* ge */
  }
}
static bool by_lane(u32 sreg) {
  return sreg == SREG_tid ||
         (sreg >= SREG_laneid && sreg <= SREG_lanemask_gt && sreg != SREG_warpid &&
          sreg != SREG_nwarpid && sreg != SREG_smid && sreg != SREG_nsmid && sreg != SREG_gridid);
}

static void vm_op_sreg(struct vm_exec *x, const struct vm_insn *in) {
  u8 *dst = vm_data(x, in->dst);
  if (in->c) x->group->saw_time = true;
  u64 v = in->d ? 0 : sreg_uniform(x, in->a, in->vec - 1u);
  if (in->b == 0) { /* mov.pred: %is_explicit_cluster */
    u32 *p = vm_pred(x, in->dst);
    *p = (*p & ~x->mask) | (v ? x->mask : 0);
  } else if (!in->d) {
    vm_fill(x, dst, in->b, v);
  } else {
    VM_EACH(l, x->mask) vm_put(dst, in->b, l, sreg_lane(x, in->a, in->vec - 1u, l));
  }
  vm_head(dst)->valid |= x->mask;
}
static bool pick_sreg(struct vm_pick *p, const struct ptx_operand *o, enum ptx_type t) {
  u32 w = ptx_type_bytes(t);
  if (!vm_dst(p, 0, t)) return false;
  p->out->a = (u8)o->sreg;
  p->out->vec = (u8)(o->dim + 1);
  p->out->b = (u8)w;
  p->out->c = o->sreg >= SREG_clock && o->sreg <= SREG_globaltimer_hi;
  p->out->d = by_lane(o->sreg);
  return vm_use(p, vm_op_sreg);
}

static bool is_local(const struct vm_pick *p, const struct ptx_operand *o) {
  return o->kind == OPD_VAR && p->m->module->vars[o->index].space == SP_LOCAL;
}
static bool pick_local_address(struct vm_pick *p, const struct ptx_operand *o, enum ptx_type t) {
  if (!vm_dst(p, 0, t)) return false;
  p->out->imm = (i64)p->code->local_offset[o->index] + o->imm;
  p->out->b = (u8)ptx_type_bytes(t);
  return vm_use(p, vm_op_mov_local);
}

bool vm_pick_mov(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  if (p->in->operand_count != 2 || t == T_NONE)
    return vm_no(p, "two operands and a type are needed");
  const struct ptx_operand *d = &p->in->operands[0], *s = &p->in->operands[1];
  if (s->kind == OPD_SREG) return pick_sreg(p, s, t);
  if (is_local(p, s)) return pick_local_address(p, s, t);
  if (s->kind == OPD_PARAM) {
    /* clang -O0 takes the address of every structure passed by value and never uses it. */
    if ((u32)s->index >= p->func->ret_count + p->func->arg_count)
      return vm_no(p, "the address of a call's parameter is not supported");
    u64 at = p->func->is_entry ? p->func->params[s->index].offset_bytes + (u64)s->imm : 0;
    p->out->src[0] = vm_const_u64(p, at, ptx_type_bytes(t));
    return vm_dst(p, 0, t) && vm_use(p, ptx_type_bytes(t) == 8 ? vm_op_mov64 : vm_op_mov32);
  }
  if (d->kind == OPD_VEC) return vm_src(p, 0, 1, t) && pick_pack(p, d, t, true);
  if (s->kind == OPD_VEC) return vm_dst(p, 0, t) && pick_pack(p, s, t, false);
  if (!vm_dst(p, 0, t) || !vm_src(p, 0, 1, t)) return false;
  switch (ptx_type_bytes(t)) {
  case 0: return vm_use(p, vm_op_mov_pred);
  case 2: return vm_use(p, vm_op_mov16);
  case 4: return vm_use(p, vm_op_mov32);
  case 8: return vm_use(p, vm_op_mov64);
  case 16: return vm_use(p, vm_op_mov128);
  default: return vm_no(p, "no such type");
  }
}

/* ---- cvta: windows on and off ---- */
static void vm_op_window_add(struct vm_exec *x, const struct vm_insn *in) {
  vm_result1(x, in);
  u64 *d = vm_u64(x, in->dst);
  const u64 *s = vm_u64(x, in->src[0]);
  VM_IVDEP
  for (u32 i = 0; i < VM_LANES; i++) {
    u64 k = (u64)(i64)(i32)x->lane_mask[i];
    d[i] = (d[i] & ~k) | (((s[i] & 0xffffffffu) + (u64)in->imm) & k);
  }
}
static void vm_op_window_strip(struct vm_exec *x, const struct vm_insn *in) {
  vm_result1(x, in);
  u64 *d = vm_u64(x, in->dst);
  const u64 *s = vm_u64(x, in->src[0]);
  VM_IVDEP
  for (u32 i = 0; i < VM_LANES; i++) {
    u64 k = (u64)(i64)(i32)x->lane_mask[i];
    d[i] = (d[i] & ~k) | (s[i] & 0xffffffffu & k);
  }
}
static void vm_op_local_generic(struct vm_exec *x, const struct vm_insn *in) {
  u64 *d = vm_u64(x, in->dst);
  VM_EACH(l, x->mask) d[l] = VM_WINDOW(VM_HI_LOCAL) + x->frame->local_base + (u64)in->imm;
  vm_head((u8 *)d)->valid |= x->mask;
}

bool vm_pick_cvta(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  enum ptx_type t = vm_type(p, 0);
  if (in->operand_count != 2 || (t != T_U64 && t != T_B64))
    return vm_no(p, "only 64-bit addresses are supported");
  bool to = ptx_has(in, MOD_TO);
  u32 hi = ptx_has(in, MOD_SHARED) || ptx_has(in, MOD_SHARED_CTA) || ptx_has(in, MOD_SHARED_CLUSTER)
               ? VM_HI_SHARED
           : ptx_has(in, MOD_LOCAL)                                 ? VM_HI_LOCAL
           : ptx_has(in, MOD_PARAM) || ptx_has(in, MOD_PARAM_ENTRY) ? VM_HI_PARAM
                                                                    : 0;
  const struct ptx_operand *s = &in->operands[1];
  if (is_local(p, s)) {
    p->out->imm = (i64)p->code->local_offset[s->index] + s->imm;
    return vm_dst(p, 0, T_U64) && vm_use(p, vm_op_local_generic);
  }
  if (s->kind == OPD_PARAM) {
    if (!p->func->is_entry)
      return vm_no(p, "the address of a device function's parameter is not supported");
    p->out->src[0] = vm_const_u64(p, p->func->params[s->index].offset_bytes + (u64)s->imm, 8);
  } else if (!vm_src(p, 0, 1, T_U64)) {
    return false;
  }
  p->out->imm = (i64)VM_WINDOW(hi);
  return vm_dst(p, 0, T_U64) && vm_use(p, !hi  ? vm_op_mov64
                                          : to ? vm_op_window_strip
                                               : vm_op_window_add);
}

static void vm_op_isspacep(struct vm_exec *x, const struct vm_insn *in) {
  const u64 *s = vm_u64(x, in->src[0]);
  u32 *d = vm_pred(x, in->dst), r = 0;
  for (u32 i = 0; i < VM_LANES; i++) {
    u32 hi = (u32)(s[i] >> 32);
    bool window = hi == VM_HI_SHARED || hi == VM_HI_LOCAL || hi == VM_HI_PARAM, yes;
    if (in->a) { /* in->c: the own block's shared memory, no other's of the cluster */
      u32 rank = (u32)s[i] >> VM_RANK_SHIFT;
      yes = hi == (u32)in->imm && !(in->c && rank && rank - 1 != x->block->rank);
    } else {
      struct vm_mem *mem = window || !(x->mask >> i & 1) ? NULL : vm_mem_find(x->m, s[i]);
      yes = in->b ? mem && mem->o.space == SP_CONST : !window && !(mem && mem->o.space == SP_CONST);
    }
    r |= (u32)yes << i;
  }
  *d = (*d & ~x->mask) | (r & x->mask);
  vm_result1(x, in);
}
bool vm_pick_isspacep(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  bool shared =
      ptx_has(in, MOD_SHARED) || ptx_has(in, MOD_SHARED_CTA) || ptx_has(in, MOD_SHARED_CLUSTER);
  p->out->a = shared || ptx_has(in, MOD_LOCAL) || ptx_has(in, MOD_PARAM);
  p->out->imm = shared ? VM_HI_SHARED : ptx_has(in, MOD_LOCAL) ? VM_HI_LOCAL : VM_HI_PARAM;
  p->out->b = ptx_has(in, MOD_CONST);
  p->out->c = shared && !ptx_has(in, MOD_SHARED_CLUSTER);
  return vm_dst(p, 0, T_PRED) && vm_src(p, 0, 1, T_U64) && vm_use(p, vm_op_isspacep);
}

VM_LONE_TABLE(move, {vm_op_mov_local, VM_LONE_local_address},
              {vm_op_local_generic, VM_LONE_local_address}, VM_LONE_ROW(vm_op_mov16),
              VM_LONE_ROW(vm_op_mov32), VM_LONE_ROW(vm_op_mov64), VM_LONE_ROW(vm_op_window_add),
              VM_LONE_ROW(vm_op_window_strip), VM_LONE_ROW(vm_op_mov_pred),
              {vm_op_sreg, VM_LONE_word})
