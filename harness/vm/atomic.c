/* atomic.c - atom and red, membar and fence. Lanes act one after the other, in the schedule's
 * order. */
#include "vm/place.h"
#include "vm/lanes.h"
#include <math.h>

enum { A_ADD, A_MIN, A_MAX, A_INC, A_DEC, A_AND, A_OR, A_XOR, A_EXCH, A_CAS };
struct atomic {
  u8 op, type; /* A_..., enum ptx_type */
  u32 vec;     /* .v2, .v4, .v8: elements, each an atomic of its own; else 0 */
  i32 dst[8], src[8];
};

static u64 add_float(enum ptx_type t, u64 a, u64 b, bool flush) {
  if (t == T_F64) {
    double p, q;
    memcpy(&p, &a, 8);
    memcpy(&q, &b, 8);
    p += q;
    memcpy(&a, &p, 8);
    return a;
  }
  float p, q;
  u32 lo = (u32)a, hi = (u32)b;
  memcpy(&p, &lo, 4);
  memcpy(&q, &hi, 4);
  p = flush ? vm_flush(vm_flush(p) + vm_flush(q)) : p + q;
  return vm_bits32(vm_nan32(p));
}

/* f16, bf16 and their pairs, 16 bits at a time; each sum is rounded once. Of two numbers -0 is the
 * lesser zero, a NaN loses. */
static u32 least_half(enum vm_format f, bool is_min, u32 p, u32 q) {
  double v = vm_widen(p, f), w = vm_widen(q, f);
  if (isnan(v) || isnan(w)) return isnan(v) && isnan(w) ? 0x7fff : isnan(v) ? q : p;
  bool below = v < w || (v == w && signbit(v));
  return below == is_min ? p : q;
}
static u64 apply_half(const struct atomic *k, enum vm_format f, u64 old, u64 b) {
  u64 r = 0;
  for (u32 i = 0; i < ptx_type_bytes(k->type); i += 2) {
    u32 p = (u32)(old >> i * 8) & 0xffff, q = (u32)(b >> i * 8) & 0xffff;
    u32 s = k->op == A_ADD ? vm_narrow(vm_add_odd(vm_widen(p, f), vm_widen(q, f)), f, VM_RN)
                           : least_half(f, k->op == A_MIN, p, q);
    r |= (u64)s << i * 8;
  }
  return r;
}

/* f32 sums in global memory flush subnormal operands and results, those in shared memory do not
 * (PTX ISA, atom). */
static u64 apply(const struct atomic *k, enum ptx_space space, u64 old, u64 b, u64 c) {
  enum vm_format f;
  if (k->op <= A_MAX && vm_is_half(k->type) && vm_format_of(k->type, &f))
    return apply_half(k, f, old, b);
  bool is_signed = k->type == T_S32 || k->type == T_S64, wide = ptx_type_bytes(k->type) == 8;
  i64 so = wide ? (i64)old : (i32)old, sb = wide ? (i64)b : (i32)b;
  switch (k->op) {
  case A_ADD:
    if (k->type != T_F32 && k->type != T_F64) return old + b;
    return add_float(k->type, old, b, space == SP_GLOBAL);
  case A_MIN: return is_signed ? (so < sb ? old : b) : (old < b ? old : b);
  case A_MAX: return is_signed ? (so > sb ? old : b) : (old > b ? old : b);
  case A_INC: return old >= b ? 0 : old + 1; /* PTX 9.7.13.5 */
  case A_DEC: return !old || old > b ? b : old - 1;
  case A_AND: return old & b;
  case A_OR: return old | b;
  case A_XOR: return old ^ b;
  case A_EXCH: return b;
  default: return old == b ? c : old; /* CAS */
  }
}

static u64 lane_value(const u8 *reg, u32 lane, u32 bytes) {
  u64 v = 0;
  memcpy(&v, reg + (size_t)lane * bytes, bytes);
  return v;
}

/* One bit a lane: is the memory there defined? Then the new state of it. */
static bool memory_defined(struct vm_exec *x, struct vm_mem *mem, u64 off, u32 bytes) {
  return !x->undefined || mem->all_valid || !mem->valid || vm_bits_all(mem->valid, off, bytes);
}
static void define_memory(struct vm_exec *x, struct vm_mem *mem, u64 off, u32 bytes) {
  if (!x->undefined || mem->all_valid || !mem->valid) return;
  vm_bits_put(mem->valid, off, bytes, true);
  if (mem->undef) vm_bits_put(mem->undef, off, bytes, false);
}

static void result_validity(struct vm_exec *x, const struct vm_insn *in, u8 *dst,
                            const struct vm_place *p, u32 defined) {
  struct vm_slot *h = vm_head(dst);
  h->valid = (h->valid & ~x->mask) | defined;
  u32 bad = x->mask & ~defined;
  if (!bad) return;
  u32 l = (u32)__builtin_ctz(bad);
  h->origin_pos = in->pos_id;
  h->origin_object = &vm_place_mem(p, l)->o;
  h->origin_offset = p->offset[l];
  h->partial = NULL;
}

static void vm_op_atom(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct atomic *k = in->more;
  u32 n = in->size;
  for (u32 s = 1; s <= (k->op == A_CAS ? 2u : 1u) && x->undefined; s++) {
    u8 *slot = vm_data(x, in->src[s]);
    u32 undefined = ~vm_head(slot)->valid & x->mask;
    if (undefined) vm_uninit(x, in, slot, undefined, "operand of an atomic");
  }
  struct vm_place p;
  if (!vm_place(x, in, n, true, true, &p)) return;
  vm_count_access(x, in, &p);
  if (p.space != SP_GLOBAL && p.space != SP_SHARED) {
    vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask, "an atomic on local or parameter memory");
    return;
  }
  u8 order[VM_LANES];
  const u8 *b = vm_data(x, in->src[1]), *c = k->op == A_CAS ? vm_data(x, in->src[2]) : b;
  u64 olds[VM_LANES];
  u32 wrote = 0, defined = 0, count = (u32)__builtin_popcount(x->mask);
  bool changed = false;
  vm_lane_order(x->m, x->mask, order);
  for (u32 i = 0; i < count; i++) {
    u32 l = order[i];
    struct vm_mem *mem = vm_place_mem(&p, l);
    u8 *at = mem->o.data + p.offset[l];
    u64 old = 0, vb = lane_value(b, l, n), vc = lane_value(c, l, n);
    memcpy(&old, at, n);
    u64 now = apply(k, p.space, old, vb, vc);
    bool writes = k->op != A_CAS || old == vb;
    defined |= (u32)memory_defined(x, mem, p.offset[l], n) << l;
    olds[l] = old;
    wrote |= (u32)writes << l;
    if (!writes) continue;
    changed |= memcmp(at, &now, n) != 0;
    memcpy(at, &now, n);
    if (defined >> l & 1 || k->op == A_EXCH) define_memory(x, mem, p.offset[l], n);
  }
  if (x->m->has_access) vm_access_event(x, in, &p, n, x->mask, wrote, NULL, order);
  struct vm_group *g = x->group;
  g->loaded = true;
  if (changed) {
    g->changed = g->published = true;
    x->m->progress++;
  }
  if (in->dst != -1) {
    u8 *dst = vm_data(x, in->dst);
    VM_EACH(l, x->mask) memcpy(dst + (size_t)l * n, &olds[l], n);
    result_validity(x, in, dst, &p, defined);
  }
  if (g->watch) vm_watch_load(x, in, vm_place_mem(&p, order[0]), p.offset, n, (const u8 *)olds, 8);
}

bool vm_pick_atom_wide(struct vm_pick *p, bool cas); /* atomic_wide.c */
/* ---- vectors (sm_90): one access, element by element ---- */
static void vm_op_atom_vector(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct atomic *k = in->more;
  u32 n = in->size, bytes = n * k->vec, count = (u32)__builtin_popcount(x->mask);
  struct vm_place p;
  if (!vm_place(x, in, bytes, true, true, &p)) return;
  if (p.space != SP_GLOBAL) {
    vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask, "a vector atomic outside of global memory");
    return;
  }
  vm_count_access(x, in, &p);
  u8 order[VM_LANES];
  u64 olds[8]
          [VM_LANES]; /* results are written last: a destination may be another element's source */
  u32 defined = vm_place_valid(x, &p, x->mask, bytes);
  vm_lane_order(x->m, x->mask, order);
  for (u32 e = 0; e < k->vec; e++) {
    u8 *slot = vm_data(x, k->src[e]);
    u32 undefined = ~vm_head(slot)->valid & x->mask;
    if (undefined && x->undefined) vm_uninit(x, in, slot, undefined, "operand of an atomic");
    for (u32 i = 0; i < count; i++) {
      u32 l = order[i];
      u8 *at = vm_place_at(&p, l) + e * n;
      olds[e][l] = 0;
      memcpy(&olds[e][l], at, n);
      u64 now = apply(k, p.space, olds[e][l], lane_value(slot, l, n), 0);
      memcpy(at, &now, n);
    }
  }
  for (u32 e = 0; e < k->vec; e++) {
    if (k->dst[e] == -1) continue;
    u8 *dst = vm_data(x, k->dst[e]);
    VM_EACH(l, x->mask) memcpy(dst + (size_t)l * n, &olds[e][l], n);
    result_validity(x, in, dst, &p, defined);
  }
  if (x->m->has_access) vm_access_event(x, in, &p, bytes, x->mask, x->mask, NULL, order);
  x->group->loaded = x->group->changed = x->group->published = true;
  x->m->progress++;
}
static bool pick_vector(struct vm_pick *p, struct atomic *k, u32 at) {
  const struct ptx_operand *v = &p->in->operands[at + 1], *d = &p->in->operands[0];
  enum ptx_type t = k->type;
  bool halves = vm_is_half(t);
  if ((t != T_F32 || k->op != A_ADD) && (!halves || k->op > A_MAX)) return vm_no(p, "no such form");
  if (v->kind != OPD_VEC || v->item_count != k->vec ||
      (at && (d->kind != OPD_VEC || d->item_count != k->vec)))
    return vm_no(p, "the vector operand does not have that many elements");
  for (u32 e = 0; e < k->vec; e++) {
    u32 w, dw = ptx_type_bytes(t);
    k->dst[e] = -1;
    if (!vm_item(p, &v->items[e], t, false, &k->src[e], &w) ||
        (at && !vm_item(p, &d->items[e], t, true, &k->dst[e], &dw)))
      return false;
    if (w != ptx_type_bytes(t) || dw != w)
      return vm_no(p, "a register has another width than the instruction's type");
  }
  return vm_use(p, vm_op_atom_vector);
}

static bool pick(struct vm_pick *p, bool returns) {
  static const struct {
    u8 mod, op;
  } ops[] = {{MOD_ADD, A_ADD},   {MOD_MIN, A_MIN}, {MOD_MAX, A_MAX}, {MOD_INC, A_INC},
             {MOD_DEC, A_DEC},   {MOD_AND, A_AND}, {MOD_OR, A_OR},   {MOD_XOR, A_XOR},
             {MOD_EXCH, A_EXCH}, {MOD_CAS, A_CAS}};
  const struct ptx_insn *in = p->in;
  struct vm_insn *out = p->out;
  enum ptx_type t = vm_type(p, 0);
  u32 at = returns ? 1 : 0, n = ptx_type_bytes(t);
  struct atomic *k = NEW(&p->m->arena, struct atomic);
  k->op = 0xff;
  k->type = (u8)t;
  for (u32 i = 0; i < COUNT_OF(ops); i++)
    if (ptx_has(in, ops[i].mod)) k->op = ops[i].op;
  if (k->op == 0xff) return vm_no(p, "no such operation");
  if (n == 16 && (k->op == A_EXCH || k->op == A_CAS)) return vm_pick_atom_wide(p, k->op == A_CAS);
  if (n == 2 && !vm_is_half(t) && k->op != A_CAS) return vm_no(p, "this type is not supported");
  if ((n != 2 && n != 4 && n != 8) || in->type_count != 1)
    return vm_no(p, "this type is not supported");
  if (vm_is_half(t) && k->op > A_MAX)
    return vm_no(p, "halves can only be added, or their minimum or maximum taken");
  if ((t == T_F32 || t == T_F64) && k->op != A_ADD && k->op != A_EXCH)
    return vm_no(p, "floats can only be added or exchanged");
  k->vec = ptx_has(in, MOD_V2) ? 2 : ptx_has(in, MOD_V4) ? 4 : ptx_has(in, MOD_V8) ? 8 : 0;
  if (in->operand_count < at + (k->op == A_CAS ? 3u : 2u)) return vm_no(p, "an operand is missing");
  if (!vm_pick_memory(p, at)) return false;
  if (out->sem == VM_WEAK) out->sem = VM_RELAXED; /* the default (PTX 9.7.13.5) */
  if (out->scope == VM_SCOPE_NONE) out->scope = VM_SCOPE_GPU;
  out->size = (u8)n;
  out->kind = returns ? VM_RMW : VM_RED;
  out->more = k;
  if (k->vec) {
    out->vec = (u8)k->vec;
    return pick_vector(p, k, at);
  }
  if (returns && !vm_dst_or_sink(p, 0, t)) return false;
  if (!vm_src(p, 1, at + 1, t) || (k->op == A_CAS && !vm_src(p, 2, at + 2, t))) return false;
  return vm_use(p, vm_op_atom);
}
bool vm_pick_atom(struct vm_pick *p) { return pick(p, true); }
bool vm_pick_red_async(struct vm_pick *p); /* ops_async.c */
bool vm_pick_red(struct vm_pick *p) {
  return ptx_has(p->in, MOD_ASYNC) ? vm_pick_red_async(p) : pick(p, false);
}

/* ---- fences ---- */
static void vm_op_fence(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  x->m->counters.fences++;
  if (x->m->config.count_traffic && !(x->warp->touched & x->mask))
    x->m->counters.redundant_fences++;
  x->warp->touched &= ~x->mask;
  struct vm_sync s = {.kind = VM_SYNC_FENCE,
                      .who = &x->warp->who,
                      .mask = x->mask,
                      .frame = x->frame,
                      .pos = {x->frame->code->func, in->ptx},
                      .pos_id = in->pos_id,
                      .scope = in->scope,
                      .fence_sc = in->a,
                      .step = x->m->steps};
  vm_emit_sync(x->m, &s);
}
bool vm_pick_membar(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  p->out->scope = ptx_has(in, MOD_CTA)  ? VM_SCOPE_CTA
                  : ptx_has(in, MOD_GL) ? VM_SCOPE_GPU
                                        : VM_SCOPE_SYS;
  p->out->a = 1; /* membar is fence.sc (PTX 9.7.13.4) */
  return vm_use(p, vm_op_fence);
}
/* Orders the async proxy, which only copies use; no fence for ordinary accesses. */
static void vm_op_proxy_fence(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_machine *m = x->m;
  struct vm_async_event e = {.kind = VM_ASYNC_PROXY_FENCE,
                             .who = &x->warp->who,
                             .mask = x->mask,
                             .frame = x->frame,
                             .pos = {x->frame->code->func, in->ptx},
                             .pos_id = in->pos_id,
                             .step = m->steps};
  for (u32 i = 0; i < m->observer_count; i++)
    if (m->observers[i]->async) m->observers[i]->async(m->observers[i]->self, &e);
}
/* .sync_restrict limits a fence to objects in shared memory; it counts here as one without. */
bool vm_pick_fence(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  if (ptx_has(in, MOD_PROXY)) return vm_use(p, vm_op_proxy_fence);
  p->out->scope = ptx_has(in, MOD_CTA)       ? VM_SCOPE_CTA
                  : ptx_has(in, MOD_CLUSTER) ? VM_SCOPE_CLUSTER
                  : ptx_has(in, MOD_GPU)     ? VM_SCOPE_GPU
                                             : VM_SCOPE_SYS;
  p->out->a = ptx_has(in, MOD_SC); /* without a .sem it is .acq_rel (PTX 9.7.13.4) */
  return vm_use(p, vm_op_fence);
}
