/* async.c - what is under way: keeps copies until they must be done, performs them, tells
 * observers. Parses no instruction; see ops_async.c. */
#include "vm/async.h"
#include "vm/lanes.h"
#include <stdlib.h>

struct vm_async *vm_async_of(struct vm_machine *m) {
  if (m->async) return m->async;
  struct vm_async *s = NEW(&m->launch_arena, struct vm_async);
  s->tail = &s->head;
  s->lanes = arena_array(&m->launch_arena, (size_t)m->warp_total * VM_LANES, sizeof *s->lanes);
  return m->async = s;
}

struct vm_async_lane *vm_async_lane(struct vm_exec *x, u32 lane) {
  const struct vm_warp *w = x->warp;
  u32 slot = w->block->slot * x->m->info.warps_per_block + w->who.warp;
  return &vm_async_of(x->m)->lanes[slot * VM_LANES + lane];
}

/* What the program knows, not what the schedule does: a copy is under way until it is waited for.
 * Copies that an mbarrier announces stay so until their lane waits for its groups, or its block
 * ends. */
static bool is_copying(const struct vm_async_lane *l) { return l->newest > l->awaited; }

void vm_async_began(struct vm_exec *x, u32 lane) {
  struct vm_async_lane *l = vm_async_lane(x, lane);
  x->block->lanes_copying += !is_copying(l);
  l->newest = l->committed[0] + 1;
  if (l->awaited > l->committed[0]) l->awaited = l->committed[0]; /* after a wait_all */
}

void vm_async_awaited(struct vm_exec *x, u32 lane, u32 limit) {
  struct vm_async_lane *l = vm_async_lane(x, lane);
  bool copied = is_copying(l);
  if (limit > l->awaited) l->awaited = limit;
  x->block->lanes_copying -= copied && !is_copying(l);
}

void vm_async_event(struct vm_machine *m, enum vm_async_kind kind, const struct vm_copy *c) {
  struct vm_async_event e = {.kind = kind,
                             .who = &c->warp->who,
                             .mask = vm_bit(c->lane),
                             .lane = c->lane,
                             .frame = c->frame,
                             .pos = vm_pos_of(m, c->insn->pos_id),
                             .pos_id = c->insn->pos_id,
                             .id = c->id,
                             .is_bulk = c->is_bulk,
                             .by_group = c->has_group,
                             .is_reduction = c->op != VM_COPY && c->op != VM_COPY_ARRIVE,
                             .group = c->group,
                             .step = m->steps};
  if (c->src && c->src_bytes)
    e.src = (struct vm_async_range){&c->src->o, c->src_offset, c->src_bytes};
  if (c->dst) e.dst = (struct vm_async_range){&c->dst->o, c->dst_offset, c->dst_bytes};
  if (c->bar) {
    e.bar = (struct vm_async_range){&c->bar->o, c->bar_offset, 8};
    const struct vm_mbarrier *b = vm_mbarrier_find(m, c->bar, c->bar_offset);
    e.phase = b ? b->phase : 0;
  }
  for (u32 i = 0; i < m->observer_count; i++)
    if (m->observers[i]->async) m->observers[i]->async(m->observers[i]->self, &e);
}

/* ---- the effect ---- */
static u64 reduce(const struct vm_copy *c, u64 a, u64 b) {
  bool sign = vm_is_signed(c->type), wide = ptx_type_bytes(c->type) == 8;
  i64 sa = wide ? (i64)a : (i32)a, sb = wide ? (i64)b : (i32)b;
  enum vm_format f;
  switch (c->op) {
  case VM_COPY_ADD:
    if (c->type == T_F64) return vm_bits64(vm_double(a) + vm_double(b));
    if (c->type == T_F32) return vm_bits32(vm_nan32(vm_float((u32)a) + vm_float((u32)b)));
    if (vm_format_of(c->type, &f))
      return vm_narrow(vm_add_odd(vm_widen((u32)a, f), vm_widen((u32)b, f)), f, VM_RN);
    return a + b;
  case VM_COPY_MIN:
    if (vm_format_of(c->type, &f)) return vm_widen((u32)a, f) <= vm_widen((u32)b, f) ? a : b;
    return sign ? (sa < sb ? a : b) : (a < b ? a : b);
  case VM_COPY_MAX:
    if (vm_format_of(c->type, &f)) return vm_widen((u32)a, f) >= vm_widen((u32)b, f) ? a : b;
    return sign ? (sa > sb ? a : b) : (a > b ? a : b);
  case VM_COPY_INC: return a >= b ? 0 : a + 1;
  case VM_COPY_DEC: return !a || a > b ? b : a - 1;
  case VM_COPY_AND: return a & b;
  case VM_COPY_OR: return a | b;
  default: return a ^ b;
  }
}

static bool gone(const struct vm_mem *mem, u32 id) {
  return mem->o.id != id || mem->o.state != VM_LIVE;
}

static void read_source(struct vm_machine *m, struct vm_copy *c) {
  if (c->snapshot || c->op == VM_COPY_ARRIVE) return;
  c->snapshot = held_zeroed(c->dst_bytes, 2);
  u8 *valid = c->snapshot + c->dst_bytes;
  memset(valid, 1, c->dst_bytes);
  if (!c->src || !c->src_bytes || gone(c->src, c->src_id)) return;
  memcpy(c->snapshot, c->src->o.data + c->src_offset, c->src_bytes);
  for (u32 i = 0; c->src->valid && !c->src->all_valid && i < c->src_bytes; i++)
    valid[i] = vm_bits_all(c->src->valid, c->src_offset + i, 1);
  vm_async_event(m, VM_ASYNC_READ, c);
}

static void put_validity(struct vm_machine *m, struct vm_copy *c) {
  struct vm_mem *d = c->dst;
  const u8 *valid = c->snapshot + c->dst_bytes;
  if (m->config.no_undefined || !d->valid) return;
  bool all = !memchr(valid, 0, c->dst_bytes);
  if (all && d->all_valid) return;
  if (d->all_valid) {
    d->all_valid = false;
    vm_bits_put(d->valid, 0, d->o.size_bytes, true);
  }
  if (!all && !d->undef) { d->undef = held_zeroed(d->o.size_bytes / 8 + 8, 1); }
  for (u32 i = 0; i < c->dst_bytes; i++) {
    if (c->op != VM_COPY && valid[i])
      continue; /* a reduction leaves what was undefined undefined */
    vm_bits_put(d->valid, c->dst_offset + i, 1, valid[i]);
    if (d->undef) vm_bits_put(d->undef, c->dst_offset + i, 1, !valid[i]);
  }
}

static void write_destination(struct vm_machine *m, struct vm_copy *c) {
  if (gone(c->dst, c->dst_id)) return;
  u8 *to = c->dst->o.data + c->dst_offset;
  if (c->op == VM_COPY) {
    memcpy(to, c->snapshot, c->dst_bytes);
  } else {
    u32 n = ptx_type_bytes(c->type);
    for (u32 i = 0; i + n <= c->dst_bytes; i += n) {
      u64 a = 0, b = 0;
      memcpy(&a, to + i, n);
      memcpy(&b, c->snapshot + i, n);
      a = reduce(c, a, b);
      memcpy(to + i, &a, n);
    }
  }
  put_validity(m, c);
  m->progress++;
}

/* Faults of what happens later name the lane that issued it, where it issued it. */
static void perform(struct vm_exec *x, struct vm_copy *c) {
  struct vm_machine *m = x->m;
  struct vm_warp *warp = x->warp;
  struct vm_frame *frame = x->frame;
  u32 mask = x->mask;
  x->warp = c->warp;
  x->frame = c->frame;
  x->mask = vm_bit(c->lane);
  if (c->op != VM_COPY_ARRIVE) {
    read_source(m, c);
    write_destination(m, c);
    vm_async_event(m, VM_ASYNC_DONE, c);
  }
  if (c->bar && !gone(c->bar, c->bar_id)) {
    struct vm_mbarrier *b = vm_mbarrier_find(m, c->bar, c->bar_offset);
    vm_async_event(m, c->op == VM_COPY_ARRIVE ? VM_ASYNC_ARRIVE_ASYNC : VM_ASYNC_ARRIVE_TX, c);
    if (c->op != VM_COPY_ARRIVE)
      vm_mbarrier_complete_tx(x, c->insn, c->bar, c->bar_offset, c->dst_bytes);
    else if (b)
      vm_mbarrier_arrive(x, c->insn, c->lane, b, 1);
  }
  held_free(c->snapshot);
  c->snapshot = NULL;
  x->warp = warp;
  x->frame = frame;
  x->mask = mask;
}

/* Takes *at out of the list and performs it. */
static void finish(struct vm_exec *x, struct vm_copy **at) {
  struct vm_async *s = x->m->async;
  struct vm_copy *c = *at;
  *at = c->next;
  if (!c->next) s->tail = at;
  perform(x, c);
  c->next = s->free;
  s->free = c;
}

void vm_async_issue(struct vm_exec *x, const struct vm_insn *in, struct vm_copy *c) {
  struct vm_machine *m = x->m;
  struct vm_async *s = vm_async_of(m);
  c->id = ++s->next_id;
  c->insn = in;
  c->warp = x->warp;
  c->frame = x->frame;
  if (c->src) c->src_id = c->src->o.id;
  if (c->dst) c->dst_id = c->dst->o.id;
  if (c->bar) c->bar_id = c->bar->o.id;
  vm_async_event(m, c->op == VM_COPY_ARRIVE ? VM_ASYNC_ARRIVE_ISSUED : VM_ASYNC_ISSUE, c);
  bool late = m->random ? rng_below(&m->rng, 2) : m->config.schedule != VM_CONVERGED;
  if (!late && c->op != VM_COPY_ARRIVE) {
    perform(x, c);
    return;
  }
  c->frame = NULL;
  struct vm_copy *keep = s->free;
  if (keep)
    s->free = keep->next;
  else
    keep = NEW(&m->launch_arena, struct vm_copy);
  *keep = *c;
  keep->next = NULL;
  *s->tail = keep;
  s->tail = &keep->next;
  if (!late)
    vm_async_force(x, c->bar, c->bar_offset); /* the lane's earlier copies are done already */
}

void vm_async_wait(struct vm_exec *x, u32 mask, bool is_bulk, const u32 *limit, bool read_only) {
  struct vm_async *s = x->m->async;
  if (!s) return;
  for (struct vm_copy **at = &s->head; *at && x->stop != VM_STOP_FAULT;) {
    struct vm_copy *c = *at;
    bool mine = c->warp == x->warp && (mask >> c->lane & 1) && c->is_bulk == is_bulk &&
                c->has_group && c->group < limit[c->lane];
    if (!mine)
      at = &c->next;
    else if (read_only)
      read_source(x->m, c), at = &c->next;
    else
      finish(x, at);
  }
}

/* Non-bulk copies of a lane that it issued before an asynchronous arrival. */
static void finish_before(struct vm_exec *x, const struct vm_copy *arrival) {
  struct vm_async *s = x->m->async;
  for (struct vm_copy **at = &s->head; *at && *at != arrival;) {
    struct vm_copy *c = *at;
    if (c->warp == arrival->warp && c->lane == arrival->lane && !c->is_bulk &&
        c->op != VM_COPY_ARRIVE)
      finish(x, at);
    else
      at = &c->next;
  }
}

void vm_async_force(struct vm_exec *x, struct vm_mem *bar, u64 offset) {
  struct vm_async *s = x->m->async;
  if (!s) return;
  for (struct vm_copy **at = &s->head; *at && x->stop != VM_STOP_FAULT;) {
    struct vm_copy *c = *at;
    if (c->bar != bar || c->bar_offset != offset || c->bar_id != bar->o.id) {
      at = &c->next;
      continue;
    }
    if (c->op == VM_COPY_ARRIVE) {
      finish_before(x, c);
      for (at = &s->head; *at != c;) at = &(*at)->next; /* what stood before it may be gone */
    }
    finish(x, at);
  }
}

void vm_async_end(struct vm_machine *m) {
  struct vm_async *s = m->async;
  for (struct vm_copy *c = s ? s->head : NULL; c; c = c->next) held_free(c->snapshot);
  if (s) held_free(s->bars);
  m->async = NULL;
}

void vm_async_block_end(struct vm_machine *m, struct vm_block *b) {
  struct vm_async *s = m->async;
  if (!s) return;
  for (struct vm_copy **at = &s->head; *at;)
    if ((*at)->warp->block == b)
      finish(&m->x, at);
    else
      at = &(*at)->next;
  vm_mbarrier_block_end(m, b);
  memset(&s->lanes[b->slot * b->warp_count * VM_LANES], 0,
         sizeof *s->lanes * b->warp_count * VM_LANES);
  b->lanes_copying = 0;
}
