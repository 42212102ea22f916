/* ops_async.c - the instructions that begin and await copies: cp.async, cp.async.bulk,
 * cp.reduce.async.bulk, st.async, red.async. When a copy takes effect is async.c's business.
 *
 * Everything is checked where the copy is issued: bounds and alignment of both ends, and that the
 * mbarrier is one. */
#include "vm/async.h"
#include "vm/lanes.h"
#include <stdlib.h>

struct address {
  i32 ref;
  u32 width; /* of the register */
  i64 imm;
  u8 space;
};
struct cp {
  u8 op, type; /* enum vm_async_op, enum ptx_type */
  bool is_bulk, read_only, all, noinc, ignores;
  u32 size;                                        /* cp.async: bytes; st.async: of all elements */
  i32 size_ref, src_size_ref, ranks_ref, value[4]; /* -1 = none */
  u32 value_count;
  struct address dst, src, bar;
  bool has_bar;
};

static void addresses(const struct vm_exec *x, const struct address *a, u64 plus, u64 *out) {
  const u8 *r = vm_data(x, a->ref);
  for (u32 i = 0; i < VM_LANES; i++) out[i] = vm_get(r, a->width, i) + (u64)a->imm + plus;
}

static bool check_defined(struct vm_exec *x, const struct vm_insn *in, i32 ref, const char *what) {
  u8 *slot = vm_data(x, ref);
  u32 undefined = ~vm_head(slot)->valid & x->mask;
  if (undefined && x->undefined) vm_uninit(x, in, slot, undefined, what);
  return x->stop == VM_GO;
}

static bool place(struct vm_exec *x, const struct vm_insn *in, const struct address *a, u64 plus,
                  u32 bytes, bool writes, struct vm_place *p) {
  u64 addr[VM_LANES];
  if (!check_defined(x, in, a->ref, "address")) return false;
  addresses(x, a, plus, addr);
  if (!vm_place_lanes(x, in, a->space, addr, bytes, writes, false, p)) return false;
  if (p->space == SP_GLOBAL || p->space == SP_SHARED) return true;
  vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask,
               "an asynchronous copy from or to local or parameter memory");
  return false;
}

static bool place_bar(struct vm_exec *x, const struct vm_insn *in, const struct cp *k,
                      struct vm_place *p) {
  if (!k->has_bar) return true;
  if (!place(x, in, &k->bar, 0, 8, true, p)) return false;
  VM_EACH(l, x->mask) {
    if (p->space == SP_SHARED && vm_mbarrier_find(x->m, vm_place_mem(p, l), p->offset[l])) continue;
    vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(l),
                 "no mbarrier here: mbarrier.init was never executed, or mbarrier.inval was");
    return false;
  }
  return true;
}

static struct vm_copy copy_of(const struct vm_exec *x, const struct vm_insn *in, const struct cp *k,
                              u32 lane) {
  return (struct vm_copy){.warp = x->warp,
                          .lane = lane,
                          .insn = in,
                          .frame = x->frame,
                          .op = k->op,
                          .type = k->type,
                          .is_bulk = k->is_bulk};
}

static void set_bar(struct vm_copy *c, const struct cp *k, const struct vm_place *bar) {
  c->has_group = !k->has_bar;
  if (!k->has_bar) return;
  c->bar = vm_place_mem(bar, c->lane);
  c->bar_offset = bar->offset[c->lane];
}

/* ---- cp.async: 4, 8 or 16 bytes a lane ---- */
static bool source_sizes(struct vm_exec *x, const struct vm_insn *in, const struct cp *k, u32 *size,
                         u32 *some) {
  *some = x->mask;
  for (u32 i = 0; i < VM_LANES; i++) size[i] = k->size;
  if (k->src_size_ref == -1) return true;
  if (!check_defined(x, in, k->src_size_ref, "source size of a copy")) return false;
  *some = 0;
  VM_EACH(l, x->mask) {
    size[l] = k->ignores ? (*vm_pred(x, k->src_size_ref) >> l & 1 ? 0 : k->size)
                         : vm_u32(x, k->src_size_ref)[l];
    *some |= (u32)(size[l] != 0) << l;
    if (size[l] <= k->size) continue;
    vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(l), "cp.async of %u bytes with a source of %u",
                 k->size, size[l]);
    return false;
  }
  return true;
}

static void vm_op_cp_async(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct cp *k = in->more;
  struct vm_place d, s = {0};
  u32 size[VM_LANES], some, mask = x->mask;
  if (!place(x, in, &k->dst, 0, k->size, true, &d) || !source_sizes(x, in, k, size, &some)) return;
  u32 whole = 0;
  VM_EACH(l, some) whole |= (u32)(size[l] == k->size) << l;
  struct vm_place part = {0};
  bool ok = true;
  if (whole) vm_exec_mask(x, whole), ok = place(x, in, &k->src, 0, k->size, false, &s);
  if (ok && some & ~whole)
    vm_exec_mask(x, some & ~whole), ok = place(x, in, &k->src, 0, 1, false, &part);
  vm_exec_mask(x, mask);
  if (!ok) return;
  x->m->counters.global_loads += (u32)__builtin_popcount(some);
  x->m->counters.shared_stores += (u32)__builtin_popcount(mask);
  x->group->changed = true;
  VM_EACH(l, mask) {
    struct vm_copy c = copy_of(x, in, k, l);
    const struct vm_place *from = whole >> l & 1 ? &s : &part;
    c.has_group = true;
    c.group = vm_async_lane(x, l)->committed[0];
    c.dst = vm_place_mem(&d, l);
    c.dst_offset = d.offset[l];
    c.dst_bytes = k->size;
    if (some >> l & 1) {
      c.src = vm_place_mem(from, l);
      c.src_offset = from->offset[l];
      c.src_bytes = size[l];
    }
    vm_async_issue(x, in, &c);
    vm_async_began(x, l);
  }
}

/* ---- bulk copies: a lane names a whole range ---- */
static bool place_range(struct vm_exec *x, const struct vm_insn *in, const struct address *a,
                        u32 lane, u32 bytes, bool writes, struct vm_place *p) {
  u32 mask = x->mask;
  struct vm_place last;
  vm_exec_mask(x, vm_bit(lane));
  bool ok = place(x, in, a, 0, 16, writes, p) && place(x, in, a, bytes - 16, 16, writes, &last);
  vm_exec_mask(x, mask);
  if (ok && vm_place_mem(p, lane) != vm_place_mem(&last, lane)) {
    vm_fault_now(x, in, VM_FAULT_BOUNDS, vm_bit(lane),
                 "a bulk copy of %u bytes that leaves its variable or allocation", bytes);
    return false;
  }
  return ok;
}

/* .multicast::cluster: the same offsets, of data and mbarrier, in each block that the mask names.
 */
static void issue_to_all(struct vm_exec *x, const struct vm_insn *in, const struct vm_copy *c,
                         u32 ranks) {
  struct vm_mem *own = x->block->shared;
  u32 data = (u32)(c->dst - own), bar = (u32)(c->bar - own);
  if (c->dst < own || data >= x->m->shared_count || c->bar < own || bar >= x->m->shared_count) {
    vm_fault_now(x, in, VM_FAULT_UNSUPPORTED, vm_bit(c->lane),
                 "a multicast whose addresses are not the issuing block's own");
    return;
  }
  for (u32 r = 0; r < x->m->cluster_size && x->stop != VM_STOP_FAULT; r++) {
    struct vm_block *b =
        ranks >> r & 1 ? vm_cluster_block(x->block, (r + 1) << VM_RANK_SHIFT) : NULL;
    if (!b) continue;
    struct vm_copy one = *c;
    one.dst = &b->shared[data];
    one.bar = &b->shared[bar];
    vm_async_issue(x, in, &one);
  }
}

static void vm_op_cp_bulk(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct cp *k = in->more;
  struct vm_place bar, d, s;
  if (!check_defined(x, in, k->size_ref, "size of a copy") || !place_bar(x, in, k, &bar)) return;
  x->group->changed = true;
  VM_EACH(l, x->mask) {
    u32 bytes = vm_u32(x, k->size_ref)[l];
    if (bytes % 16) {
      vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(l),
                   "a bulk copy of %u bytes: it must be a multiple of 16", bytes);
      return;
    }
    if (!bytes) continue;
    if (!place_range(x, in, &k->dst, l, bytes, true, &d) ||
        !place_range(x, in, &k->src, l, bytes, false, &s))
      return;
    struct vm_copy c = copy_of(x, in, k, l);
    c.group = vm_async_lane(x, l)->committed[1];
    c.dst = vm_place_mem(&d, l);
    c.dst_offset = d.offset[l];
    c.src = vm_place_mem(&s, l);
    c.src_offset = s.offset[l];
    c.src_bytes = c.dst_bytes = bytes;
    set_bar(&c, k, &bar);
    if (k->ranks_ref == -1)
      vm_async_issue(x, in, &c);
    else
      issue_to_all(x, in, &c, vm_u16(x, k->ranks_ref)[l]);
    if (x->stop == VM_STOP_FAULT) return;
  }
}

/* ---- st.async, red.async: values from registers ---- */
static void vm_op_st_async(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct cp *k = in->more;
  struct vm_place bar, d;
  if (!place_bar(x, in, k, &bar) || !place(x, in, &k->dst, 0, k->size, true, &d)) return;
  u32 each = k->size / k->value_count;
  x->group->changed = true;
  VM_EACH(l, x->mask) {
    struct vm_copy c = copy_of(x, in, k, l);
    c.dst = vm_place_mem(&d, l);
    c.dst_offset = d.offset[l];
    c.dst_bytes = k->size;
    c.snapshot = held_zeroed(k->size, 2);
    for (u32 e = 0; e < k->value_count; e++) {
      memcpy(c.snapshot + e * each, vm_data(x, k->value[e]) + (size_t)l * each, each);
      memset(c.snapshot + k->size + e * each, vm_valid(x, k->value[e]) >> l & 1, each);
    }
    set_bar(&c, k, &bar);
    vm_async_issue(x, in, &c);
    if (x->stop == VM_STOP_FAULT) return;
  }
}

/* ---- groups and arrivals ---- */
static void vm_op_commit(struct vm_exec *x, const struct vm_insn *in) {
  const struct cp *k = in->more;
  VM_EACH(l, x->mask) {
    struct vm_copy c = copy_of(x, in, k, l);
    c.group = vm_async_lane(x, l)->committed[k->is_bulk]++;
    vm_async_event(x->m, VM_ASYNC_COMMIT, &c);
  }
}

static void vm_op_wait(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct cp *k = in->more;
  u32 limit[VM_LANES] = {0};
  VM_EACH(l, x->mask) {
    u32 committed = vm_async_lane(x, l)->committed[k->is_bulk];
    if (k->all)
      limit[l] = committed + 1; /* those not committed too */
    else
      limit[l] = committed > k->size ? committed - k->size : 0;
  }
  vm_async_wait(x, x->mask, k->is_bulk, limit, k->read_only);
  VM_EACH(l, x->mask) {
    struct vm_copy c = copy_of(x, in, k, l);
    c.group = limit[l];
    c.has_group = true;
    if (!k->is_bulk) vm_async_awaited(x, l, limit[l]);
    vm_async_event(x->m, k->read_only ? VM_ASYNC_WAIT_READ : VM_ASYNC_WAIT, &c);
  }
}

static void vm_op_cp_arrive(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct cp *k = in->more;
  struct vm_place bar;
  if (!place_bar(x, in, k, &bar)) return;
  x->group->changed = true;
  VM_EACH(l, x->mask) {
    struct vm_copy c = copy_of(x, in, k, l);
    set_bar(&c, k, &bar);
    struct vm_mbarrier *b = vm_mbarrier_find(x->m, c.bar, c.bar_offset);
    if (!k->noinc) vm_mbarrier_add_pending(x, b);
    vm_async_issue(x, in, &c);
    if (x->stop == VM_STOP_FAULT) return;
  }
}

static void vm_op_nothing(struct vm_exec *x, const struct vm_insn *in) { (void)x, (void)in; }

/* ---- picking ---- */
static bool pick_address(struct vm_pick *p, u32 operand, enum ptx_space space, struct address *a) {
  if (operand >= p->in->operand_count || !p->in->operands[operand].is_addr)
    return vm_no(p, "an address operand is missing");
  const struct ptx_operand *o = &p->in->operands[operand];
  u32 w = o->kind == OPD_REG ? vm_operand_bytes(p, operand) : 8;
  if (w != 4 && w != 8) return vm_no(p, "an address register must have 32 or 64 bits");
  if (!vm_src(p, 3, operand, w == 4 ? T_U32 : T_U64)) return false;
  p->out->src[0] = p->out->src[3]; /* whose undefined lanes explain a fault */
  *a = (struct address){p->out->src[3], w, o->kind == OPD_REG ? o->imm : 0, (u8)space};
  return true;
}

static bool pick_op(struct vm_pick *p, struct cp *k) {
  static const struct {
    u8 mod, op;
  } ops[] = {{MOD_ADD, VM_COPY_ADD}, {MOD_MIN, VM_COPY_MIN}, {MOD_MAX, VM_COPY_MAX},
             {MOD_INC, VM_COPY_INC}, {MOD_DEC, VM_COPY_DEC}, {MOD_AND, VM_COPY_AND},
             {MOD_OR, VM_COPY_OR},   {MOD_XOR, VM_COPY_XOR}};
  k->type = (u8)vm_type(p, 0);
  for (u32 i = 0; i < COUNT_OF(ops); i++)
    if (ptx_has(p->in, ops[i].mod))
      return k->op = ops[i].op,
             ptx_type_bytes(k->type) >= 2 || vm_no(p, "this type is not supported");
  return vm_no(p, "no such operation");
}

static bool pick_cp_async(struct vm_pick *p, struct cp *k) {
  const struct ptx_insn *in = p->in;
  u32 hint = ptx_has(in, MOD_L2_CACHE_HINT), n = in->operand_count - hint;
  if (in->operand_count < 3 + hint || in->operands[2].kind != OPD_IMM)
    return vm_no(p, "the number of bytes is missing");
  k->size = (u32)in->operands[2].imm;
  if (k->size != 4 && k->size != 8 && k->size != 16)
    return vm_no(p, "only 4, 8 or 16 bytes can be copied");
  if (n > 3) {
    k->ignores = in->operands[3].kind == OPD_REG && vm_operand_bytes(p, 3) == 0;
    if (!vm_src(p, 2, 3, k->ignores ? T_PRED : T_U32)) return false;
    k->src_size_ref = p->out->src[2];
  }
  return pick_address(p, 0, SP_SHARED, &k->dst) && pick_address(p, 1, SP_GLOBAL, &k->src) &&
         vm_use(p, vm_op_cp_async);
}

static bool pick_bulk(struct vm_pick *p, struct cp *k) {
  const struct ptx_insn *in = p->in;
  bool global = ptx_has(in, MOD_GLOBAL);
  k->is_bulk = true;
  k->has_bar = ptx_has(in, MOD_MBAR_COMPLETE_TX);
  if (ptx_has(in, MOD_TENSOR)) return vm_no(p, "copies of tensors are not supported");
  if (ptx_has(in, MOD_PREFETCH)) return vm_use(p, vm_op_nothing);
  if (ptx_has(in, MOD_REDUCE) && !pick_op(p, k)) return false;
  if (!k->has_bar && !ptx_has(in, MOD_BULK_GROUP)) return vm_no(p, "no such form");
  if (!vm_src(p, 3, 2, T_U32)) return false;
  k->size_ref = p->out->src[3];
  if (k->has_bar && !pick_address(p, 3, SP_SHARED, &k->bar)) return false;
  if (ptx_has(in, MOD_MULTICAST)) {
    if (!k->has_bar || !vm_src(p, 2, 4, T_U16)) return vm_no(p, "no such form");
    k->ranks_ref = p->out->src[2];
  }
  return pick_address(p, 0, k->has_bar ? SP_SHARED : SP_GLOBAL, &k->dst) &&
         pick_address(p, 1, k->has_bar && global ? SP_GLOBAL : SP_SHARED, &k->src) &&
         vm_use(p, vm_op_cp_bulk);
}

static bool pick_wait(struct vm_pick *p, struct cp *k) {
  k->all = ptx_has(p->in, MOD_WAIT_ALL);
  k->read_only = ptx_has(p->in, MOD_READ);
  if (k->all) return vm_use(p, vm_op_wait);
  if (p->in->operand_count != 1 || p->in->operands[0].kind != OPD_IMM)
    return vm_no(p, "a number of groups is needed");
  k->size = (u32)p->in->operands[0].imm;
  return vm_use(p, vm_op_wait);
}

static struct cp *begin(struct vm_pick *p) {
  struct cp *k = NEW(&p->m->arena, struct cp);
  k->size_ref = k->src_size_ref = k->ranks_ref = -1;
  p->out->more = k;
  p->out->kind = VM_WRITE;
  p->out->scope = VM_SCOPE_CTA;
  p->out->sem = VM_RELEASE;
  return k;
}

bool vm_pick_cp(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  struct cp *k = begin(p);
  if (!ptx_has(in, MOD_ASYNC)) return vm_no(p, "no such form");
  k->is_bulk = ptx_has(in, MOD_BULK);
  if (ptx_has(in, MOD_COMMIT_GROUP)) return vm_use(p, vm_op_commit);
  if (ptx_has(in, MOD_WAIT_GROUP) || ptx_has(in, MOD_WAIT_ALL)) return pick_wait(p, k);
  if (k->is_bulk) return pick_bulk(p, k);
  if (!ptx_has(in, MOD_MBARRIER)) return pick_cp_async(p, k);
  k->op = VM_COPY_ARRIVE;
  k->has_bar = true;
  k->noinc = ptx_has(in, MOD_NOINC);
  bool shared = ptx_has(in, MOD_SHARED) || ptx_has(in, MOD_SHARED_CTA);
  return pick_address(p, 0, shared ? SP_SHARED : SP_GENERIC, &k->bar) && vm_use(p, vm_op_cp_arrive);
}

static bool pick_register_copy(struct vm_pick *p, bool reduces) {
  const struct ptx_insn *in = p->in;
  struct cp *k = begin(p);
  enum ptx_type t = vm_type(p, 0);
  u32 each = ptx_type_bytes(t);
  k->has_bar = true;
  p->out->scope = VM_SCOPE_CLUSTER;
  if (!ptx_has(in, MOD_MBAR_COMPLETE_TX) || in->operand_count < 3)
    return vm_no(p, "only the form that completes on an mbarrier is supported");
  if (each < 4 || each > 8) return vm_no(p, "this type is not supported");
  if (reduces && !pick_op(p, k)) return false;
  const struct ptx_operand *v = &in->operands[1];
  k->value_count = v->kind == OPD_VEC ? v->item_count : 1;
  if (k->value_count > 4) return vm_no(p, "a vector of more than four elements");
  for (u32 e = 0; e < k->value_count; e++) {
    u32 w;
    if (!vm_item(p, v->kind == OPD_VEC ? &v->items[e] : v, t, false, &k->value[e], &w))
      return false;
    if (w != each) return vm_no(p, "a register has another width than the instruction's type");
  }
  k->size = each * k->value_count;
  return pick_address(p, 0, SP_SHARED, &k->dst) && pick_address(p, 2, SP_SHARED, &k->bar) &&
         vm_use(p, vm_op_st_async);
}
bool vm_pick_st_async(struct vm_pick *p) { return pick_register_copy(p, false); }
bool vm_pick_red_async(struct vm_pick *p) { return pick_register_copy(p, true); }
