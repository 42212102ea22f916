/* buffer_ops.c - the `buffered` schedule's view of instructions: wrappers around the handlers of
 * ld, st, atom, fences and barriers. Other schedules never come here: the wrappers are put in at
 * decoding.
 *
 * A delayed store is executed as usual and then taken back: the bytes that it left are kept, memory
 * gets its old ones. A load of one's own delayed store sees it put in for the moment. So the
 * handlers know nothing of all this. */
#include "vm/history.h"
#include "vm/lanes.h"

static void run_inner(struct vm_exec *x, const struct vm_insn *in) {
  x->m->buffer->inner[in->pos_id](x, in);
}

static u32 reach(const struct vm_insn *in) { return in->scope == VM_SCOPE_CTA ? VM_NEAR : VM_FAR; }

static bool is_in_memory(const struct vm_place *p) {
  return p->space == SP_GLOBAL || p->space == SP_SHARED;
}

static bool lanes_overlap(const struct vm_place *p, u32 mask, u32 bytes) {
  if (p->pattern == VM_CONTIGUOUS || !(mask & (mask - 1))) return false;
  if (p->pattern == VM_UNIFORM) return true;
  VM_EACH(a, mask) {
    u32 later = mask & ~((vm_bit(a) << 1) - 1);
    VM_EACH(b, later)
    if (vm_place_mem(p, a) == vm_place_mem(p, b) && p->offset[a] < p->offset[b] + bytes &&
        p->offset[b] < p->offset[a] + bytes)
      return true;
  }
  return false;
}

/* Part of a warp instruction. Only the first part may be interrupted by the schedule. */
static void run_part(struct vm_exec *x, const struct vm_insn *in, u32 part, bool first,
                     struct vm_late *late) {
  u32 all = x->mask;
  if (!first && in->sem != VM_WEAK) x->group->switched = true;
  if (part != all) vm_exec_mask(x, part);
  x->late = late;
  run_inner(x, in);
  x->late = NULL;
  if (part != all && x->group) vm_exec_mask(x, all);
}

/* ---- loads ---- */
/* The lane's newest own delayed store under the load, where it covers all of it; else what lies
 * there lands. What others of the block let it see lands in any case. */
static struct vm_delayed *forwarded(struct vm_exec *x, u32 lane, const struct vm_mem *mem,
                                    u64 offset, u32 bytes) {
  struct vm_buffer *b = x->m->buffer;
  u32 thread = vm_buffer_thread(x, lane);
  struct vm_delayed *newest = NULL;
  for (u32 i = 0; i < b->count;) {
    struct vm_delayed *d = b->list[i];
    if (d->thread != thread && d->shared_at && d->block == x->block->index &&
        vm_buffer_overlaps(d, mem, offset, bytes)) {
      vm_buffer_land(x->m, d);
      newest = NULL;
      i = 0;
      continue;
    }
    if (d->thread == thread && vm_buffer_overlaps(d, mem, offset, bytes)) newest = d;
    i++;
  }
  if (newest && (newest->offset > offset || newest->offset + newest->size < offset + bytes)) {
    vm_buffer_land(x->m, newest); /* older ones to these bytes before it */
    for (u32 i = 0; i < b->count;) {
      if (b->list[i]->thread == thread && vm_buffer_overlaps(b->list[i], mem, offset, bytes)) {
        vm_buffer_land(x->m, b->list[i]);
        i = 0;
      } else {
        i++;
      }
    }
    return NULL;
  }
  return newest;
}

/* What each lane of a load reads, where that is not simply what lies in memory. */
struct reads {
  u32 own, early; /* lanes: their own delayed store; something older, see history.h */
  struct vm_bytes now[VM_LANES];
};

static void choose_reads(struct vm_exec *x, const struct vm_place *p, u32 bytes, struct reads *r) {
  struct vm_buffer *b = x->m->buffer;
  struct vm_delayed *own[VM_LANES];
  r->own = r->early = 0;
  VM_EACH(l, x->mask) {
    struct vm_mem *mem = vm_place_mem(p, l);
    own[l] = NULL;
    if (vm_buffer_may_hold(b, mem, p->offset[l]))
      own[l] = forwarded(x, l, mem, p->offset[l], bytes);
  }
  VM_EACH(l, x->mask) { /* a later lane may have made an earlier lane's store land */
    bool here = false;
    for (u32 i = 0; own[l] && i < b->count; i++) here |= b->list[i] == own[l];
    if (here) {
      const struct vm_delayed *d = own[l];
      u32 skip = (u32)(p->offset[l] - d->offset);
      r->own |= vm_bit(l);
      r->now[l] =
          (struct vm_bytes){.valid = d->bytes.valid >> skip, .undef = d->bytes.undef >> skip};
      memcpy(r->now[l].data, d->bytes.data + skip, bytes);
      if (bytes < 32) r->now[l].valid &= (1u << bytes) - 1;
    } else if (vm_history_early(x, l, vm_place_mem(p, l), p->offset[l], bytes, &r->now[l])) {
      r->early |= vm_bit(l);
    }
  }
}

/* Puts in for the moment what these lanes read. */
static void load_with(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p,
                      const struct reads *r, u32 part, bool first) {
  struct vm_bytes was[VM_LANES];
  struct vm_late late = {.forwarded = part & r->own, .early = part & r->early};
  u32 n = (u32)in->size * in->vec;
  VM_EACH(l, part) {
    vm_bytes_take(vm_place_mem(p, l), p->offset[l], n, &was[l]);
    vm_bytes_put(vm_place_mem(p, l), p->offset[l], n, &r->now[l]);
  }
  run_part(x, in, part, first, &late);
  VM_EACH(l, part) vm_bytes_put(vm_place_mem(p, l), p->offset[l], n, &was[l]);
}

static void load(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p, u32 bytes) {
  struct reads r;
  choose_reads(x, p, bytes, &r);
  u32 special = r.own | r.early, others = x->mask & ~special;
  if (others) run_part(x, in, others, true, NULL);
  if (x->stop || !special) return;
  if (!lanes_overlap(p, special, bytes)) {
    load_with(x, in, p, &r, special, !others);
    return;
  }
  bool first = !others;
  VM_EACH(l, special) {
    if (x->stop) return;
    load_with(x, in, p, &r, vm_bit(l), first);
    first = false;
  }
}

static void vm_op_buffered_ld(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_place p;
  u32 bytes = (u32)in->size * in->vec, mask = x->mask;
  if (!x->m->buffer->count && !x->m->buffer->history->count) {
    run_inner(x, in);
  } else {
    if (!vm_place(x, in, bytes, false, false, &p)) return;
    if (is_in_memory(&p))
      load(x, in, &p, bytes);
    else
      run_inner(x, in);
  }
  if (in->sem == VM_ACQUIRE && !x->stop) vm_history_acquire(x, mask, reach(in));
}

/* ---- stores ---- */
static u32 choose_delayed(struct vm_exec *x, const struct vm_place *p, u32 bytes) {
  struct vm_buffer *b = x->m->buffer;
  u64 r = rng_next(&b->rng);
  if ((r & 7) >= b->keenness || lanes_overlap(p, x->mask, bytes)) return 0;
  u32 chosen = x->mask;
  if ((r >> 3 & 3) == 0) chosen &= (u32)(r >> 8);
  VM_EACH(l, chosen) { /* another block's shared memory may end with that block */
    const struct vm_object *o = &vm_place_mem(p, l)->o;
    if (o->space == SP_SHARED && o->block != x->block->index) chosen &= ~vm_bit(l);
  }
  return chosen;
}

/* Observers compare with the memory that they know: where all stores so far have been done. */
static void put_in_all(struct vm_exec *x, const struct vm_place *p, u32 bytes) {
  struct vm_buffer *b = x->m->buffer;
  VM_EACH(l, x->mask) {
    struct vm_mem *mem = vm_place_mem(p, l);
    if (!vm_buffer_may_hold(b, mem, p->offset[l])) continue;
    for (u32 i = 0; i < b->count; i++) {
      const struct vm_delayed *d = b->list[i];
      if (!vm_buffer_overlaps(d, mem, p->offset[l], bytes)) continue;
      u64 from = d->offset > p->offset[l] ? d->offset : p->offset[l];
      u64 to =
          d->offset + d->size < p->offset[l] + bytes ? d->offset + d->size : p->offset[l] + bytes;
      memcpy(mem->o.data + from, d->bytes.data + (from - d->offset), to - from);
    }
  }
}

static void add_to_history(struct vm_exec *x, const struct vm_place *p, struct vm_past *old,
                           u32 mask, u32 bytes) {
  bool joint = lanes_overlap(p, mask, bytes);
  VM_EACH(l, mask) {
    old[l].is_joint = joint;
    vm_history_add(x->m, &old[l]);
  }
}

static void vm_op_buffered_st(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_buffer *b = x->m->buffer;
  struct vm_place p;
  u32 bytes = (u32)in->size * in->vec;
  if (!vm_place(x, in, bytes, true, false, &p)) return;
  if (!is_in_memory(&p)) {
    run_inner(x, in);
    return;
  }
  if (in->sem == VM_RELEASE) vm_buffer_mark(x, x->mask, reach(in));
  u32 chosen = choose_delayed(x, &p, bytes), at_once = x->mask & ~chosen;
  VM_EACH(l, at_once) vm_buffer_clear_way(x, l, vm_place_mem(&p, l), p.offset[l], bytes);
  vm_buffer_make_room(x->m, (u32)__builtin_popcount(chosen));
  struct vm_past old[VM_LANES];
  VM_EACH(l, x->mask) vm_history_take(x, l, vm_place_mem(&p, l), p.offset[l], bytes, &old[l]);
  put_in_all(x, &p, bytes);
  u32 mask = x->mask;
  struct vm_late late = {.delayed = in->sem == VM_WEAK ? 0 : chosen};
  u64 seq = b->next_seq;
  VM_EACH(l, chosen) late.ticket[l] = ++seq;
  run_part(x, in, mask, true, &late);
  if (x->stop) { /* interrupted before it, or a fault */
    VM_EACH(l, mask) vm_bytes_put(vm_place_mem(&p, l), p.offset[l], bytes, &old[l].bytes);
    return;
  }
  VM_EACH(l, chosen) {
    struct vm_mem *mem = vm_place_mem(&p, l);
    struct vm_delayed *d = vm_buffer_add(x, l, mem, p.offset[l], bytes);
    if (d->seq != late.ticket[l]) BUG("a store got ticket %llu", (unsigned long long)d->seq);
    d->is_strong = late.delayed >> l & 1;
    vm_bytes_take(mem, p.offset[l], bytes, &d->bytes);
    vm_bytes_put(mem, p.offset[l], bytes, &old[l].bytes);
  }
  add_to_history(x, &p, old, at_once, bytes); /* after: it counts on the clock of the tickets */
}

/* ---- atomics: on memory, at once ---- */
static void vm_op_buffered_atom(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_place p;
  struct vm_past old[VM_LANES];
  u32 bytes = (u32)in->size * in->vec, mask = x->mask;
  if (!vm_place(x, in, bytes, true, true, &p)) return;
  bool here = is_in_memory(&p);
  if (here) {
    if (in->sem == VM_RELEASE || in->sem == VM_ACQ_REL) vm_buffer_release(x, mask, reach(in));
    VM_EACH(l, mask) vm_buffer_clear_way(x, l, vm_place_mem(&p, l), p.offset[l], bytes);
    VM_EACH(l, mask) vm_history_take(x, l, vm_place_mem(&p, l), p.offset[l], bytes, &old[l]);
  }
  run_inner(x, in);
  if (x->stop || !here) return;
  add_to_history(x, &p, old, mask, bytes);
  VM_EACH(l, mask) vm_history_saw(x, l, vm_place_mem(&p, l), p.offset[l], bytes);
  if (in->sem == VM_ACQUIRE || in->sem == VM_ACQ_REL) vm_history_acquire(x, mask, reach(in));
}

/* ---- fences and barriers ---- */
static void vm_op_buffered_fence(struct vm_exec *x, const struct vm_insn *in) {
  if (in->a) /* sc: not even a later load comes before an earlier store */
    vm_buffer_release(x, x->mask, reach(in));
  else
    vm_buffer_mark(x, x->mask, reach(in));
  if (!ptx_has(in->ptx, MOD_RELEASE)) vm_history_acquire(x, x->mask, reach(in));
  run_inner(x, in);
}

static void vm_op_buffered_barrier(struct vm_exec *x, const struct vm_insn *in) {
  vm_buffer_release(x, x->mask, VM_NEAR);
  vm_history_acquire(x, x->mask, VM_NEAR);
  run_inner(x, in);
}

/* Copies, mbarriers, matrices, cluster barriers: they act on memory in ways of their own. */
static void vm_op_buffered_rest(struct vm_exec *x, const struct vm_insn *in) {
  vm_buffer_settle(x, x->mask);
  run_inner(x, in);
}

static vm_fn *wrapper_of(const struct ptx_insn *in) {
  bool is_param = ptx_has(in, MOD_PARAM) || ptx_has(in, MOD_PARAM_ENTRY) ||
                  ptx_has(in, MOD_PARAM_FUNC) || ptx_has(in, MOD_LOCAL) || ptx_has(in, MOD_CONST);
  switch (in->op) {
  case OP_ld:
  case OP_ldu: return is_param ? NULL : vm_op_buffered_ld;
  case OP_st:
    if (is_param) return NULL;
    return ptx_has(in, MOD_ASYNC) || ptx_has(in, MOD_BULK) ? vm_op_buffered_rest
                                                           : vm_op_buffered_st;
  case OP_atom:
  case OP_red: return ptx_has(in, MOD_ASYNC) ? vm_op_buffered_rest : vm_op_buffered_atom;
  case OP_membar: return vm_op_buffered_fence;
  case OP_fence: return ptx_has(in, MOD_PROXY) ? vm_op_buffered_rest : vm_op_buffered_fence;
  case OP_bar: return vm_op_buffered_barrier;
  case OP_barrier: return ptx_has(in, MOD_CLUSTER) ? vm_op_buffered_rest : vm_op_buffered_barrier;
  default: return ptx_ops[in->op].flags & (MEM | ORDER) ? vm_op_buffered_rest : NULL;
  }
}

void vm_buffer_wrap(struct vm_machine *m, struct vm_insn *in) {
  vm_fn **fn = in->guard != -1 && in->inner ? &in->inner : &in->fn;
  vm_fn *w = in->ptx && *fn != vm_op_meet && *fn != vm_op_end && *fn != vm_op_unsupported &&
                     *fn != vm_op_beyond
                 ? wrapper_of(in->ptx)
                 : NULL;
  if (!w) return;
  m->buffer->inner[in->pos_id] = *fn;
  *fn = w;
}
