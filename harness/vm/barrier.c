/* barrier.c - who has arrived, who still waits, who may go. Decides nothing about scheduling; see
 * sched.c.
 *
 * Aligned barriers (bar.*): a warp arrives once, when all its live lanes stand at the same (call
 * stack, pc). barrier.sync without .aligned: lane by lane. An instruction that a group waits at is
 * the one before its `next`. */
#include "vm/machine.h"

enum { BAR_SYNC, BAR_ARRIVE, BAR_RED };
struct bar {
  u8 kind, red; /* red: MOD_AND, MOD_OR, MOD_POPC */
  bool aligned, negated, has_count;
};

static const struct bar *bar_of(const struct vm_group *g) { return (g->next - 1)->more; }

/* What makes two arrivals "the same barrier": (call stack, pc); in optimised builds, where one
 * source barrier may have several pcs, the chain of source lines. */
static u64 identity(const struct vm_machine *m, const struct vm_group *g) {
  const struct vm_insn *in = g->next - 1;
  if (!m->config.optimized) return g->frame->stack_id * 31 + in->pos_id;
  u64 h = 7;
  for (i32 l = in->ptx->loc; l >= 0; l = m->module->locs[l].inlined_at)
    h = (h ^ ((u64)m->module->locs[l].file << 32 | m->module->locs[l].line)) *
        0x9e3779b97f4a7c15ull;
  return h;
}

static void stop_with_waits(struct vm_exec *x, struct vm_block *b, enum vm_fault_kind kind,
                            const char *text) {
  vm_fault_waits(x->m, kind, b, text);
  x->stop = VM_STOP_FAULT;
}

/* All live threads of the block wait at barrier 0 and it cannot open: they stand at different ones.
 */
static void check_stuck(struct vm_exec *x, struct vm_block *b) {
  u32 waiting = 0;
  for (u32 w = 0; w < b->warp_count; w++) {
    struct vm_warp *warp = &b->warps[w];
    if (warp->ready) return;
    VM_EACH(i, warp->used) {
      struct vm_group *g = &warp->groups[i];
      if ((g->state != VM_IN_ALIGN && g->state != VM_IN_BARRIER) || g->barrier || g->expected)
        return;
      waiting++;
    }
  }
  if (waiting)
    stop_with_waits(x, b, VM_FAULT_BARRIER,
                    "all threads of the block wait at __syncthreads(), but not at the same one");
}

/* Tiles are usually filled by now: then loads need not look at single bytes. */
static void note_filled(struct vm_machine *m, struct vm_block *b) {
  for (u32 i = 0; i < m->shared_count; i++) {
    struct vm_mem *s = &b->shared[i];
    if (s->valid && !s->all_valid) s->all_valid = vm_bits_all(s->valid, 0, s->o.size_bytes);
  }
}

static void open_barrier(struct vm_exec *x, struct vm_block *b, u32 id) {
  struct vm_machine *m = x->m;
  struct vm_barrier *bar = &b->barrier[id];
  u32 exited[VM_LANES], n = b->warp_count;
  bool full = true, all_wait = true;
  const struct vm_group *sample = NULL;
  for (u32 w = 0; w < n; w++) {
    struct vm_warp *warp = &b->warps[w];
    exited[w] = warp->who.exited & ~bar->arrived[w];
    full = full && !(warp->who.live & ~bar->waiting[w]);
    all_wait = all_wait && !(warp->full & ~bar->waiting[w]);
    VM_EACH(i, warp->used)
    if (!sample && warp->groups[i].state == VM_IN_BARRIER && warp->groups[i].barrier == id)
      sample = &warp->groups[i];
  }
  struct vm_sync s = {.kind = VM_SYNC_OPEN,
                      .who = &b->warps[0].who,
                      .barrier = id,
                      .generation = bar->generation,
                      .is_full = full,
                      .warp_count = n,
                      .arrived = bar->arrived,
                      .waiting = bar->waiting,
                      .exited = exited,
                      .step = m->steps};
  if (sample) {
    const struct vm_insn *in = sample->next - 1;
    s.frame = sample->frame;
    s.pos = (struct vm_code_pos){sample->frame->code->func, in->ptx};
    s.pos_id = in->pos_id;
  }
  vm_emit_sync(m, &s);
  note_filled(m, b);
  m->progress++;
  m->counters.block_barriers++;
  if (++b->barriers_done > m->counters.max_block_barriers)
    m->counters.max_block_barriers = b->barriers_done;
  b->full_barriers_done += all_wait;
  if (b->full_barriers_done > m->counters.max_full_barriers)
    m->counters.max_full_barriers = b->full_barriers_done;
  for (u32 w = 0; w < n; w++) {
    struct vm_warp *warp = &b->warps[w];
    VM_EACH(i, warp->used) {
      struct vm_group *g = &warp->groups[i];
      if (g->state != VM_IN_BARRIER || g->barrier != id) continue;
      const struct bar *k = bar_of(g);
      const struct vm_insn *in = g->next - 1;
      if (k->kind == BAR_RED) {
        u8 *base = in->dst >= 0 ? g->frame->slots + in->dst : NULL;
        u32 *d = (u32 *)(void *)base;
        if (d && k->red == MOD_POPC)
          VM_EACH(l, g->mask) d[l] = bar->red_popc;
        else if (d)
          *d = (*d & ~g->mask) | ((k->red == MOD_AND ? bar->red_and : bar->red_or) ? g->mask : 0);
        if (d) vm_head(base)->valid |= g->mask;
      }
      g->was_sync = true;
      g->yielded = false;
      vm_group_state(warp, g, VM_READY);
      vm_history_wake(m, warp, g->mask, VM_NEAR);
      if (m->split) {
        u32 rest = g->mask & (g->mask - 1);
        VM_EACH(l, rest) vm_group_split(warp, g, vm_bit(l));
      }
    }
    bar->arrived[w] = bar->waiting[w] = 0;
  }
  bar->generation++;
  bar->in_use = bar->mixed = bar->counted = false;
  bar->arrived_threads = bar->red_popc = bar->expected = 0;
  bar->red_or = false;
  bar->red_and = true;
}

static bool everybody_arrived(const struct vm_block *b, const struct vm_barrier *bar) {
  for (u32 w = 0; w < b->warp_count; w++)
    if (b->warps[w].who.live & ~bar->arrived[w]) return false;
  return true;
}

static void try_open(struct vm_exec *x, struct vm_block *b, u32 id) {
  struct vm_barrier *bar = &b->barrier[id];
  if (!bar->in_use) return;
  if (bar->counted) {
    if (bar->arrived_threads >= bar->expected) open_barrier(x, b, id);
    return;
  }
  if (!everybody_arrived(b, bar)) {
    if (id == 0) check_stuck(x, b);
    return;
  }
  if (bar->mixed && id == 0) {
    stop_with_waits(x, b, VM_FAULT_BARRIER,
                    "all threads of the block wait at __syncthreads(), but not at the same one");
    return;
  }
  bool gone = false;
  for (u32 w = 0; w < b->warp_count; w++) gone |= (b->warps[w].who.exited & ~bar->arrived[w]) != 0;
  if (gone) {
    bool ends = !x->m->config.lenient_exit;
    vm_fault_waits(x->m, ends ? VM_FAULT_BARRIER : VM_FAULT_EXITED, b,
                   "threads that exited never reach the barrier at which the others wait");
    if (ends) {
      x->stop = VM_STOP_FAULT;
      return;
    }
  }
  open_barrier(x, b, id);
}

static u32 red_bits(const struct vm_group *g, const struct bar *k) {
  const struct vm_insn *in = g->next - 1;
  const u8 *base = (u32)in->src[2] >> 31 ? g->frame->code->pool : g->frame->slots;
  u32 p;
  memcpy(&p, base + ((u32)in->src[2] & 0x7fffffffu), 4);
  return (k->negated ? ~p : p) & g->mask;
}

/* A group arrives, all of it. It need not be the running one: exits of others can complete its
 * warp. */
static void arrive(struct vm_exec *x, struct vm_warp *w, struct vm_group *g) {
  x->warp = w; /* faults name this group */
  x->frame = g->frame;
  struct vm_block *b = w->block;
  struct vm_barrier *bar = &b->barrier[g->barrier];
  const struct vm_insn *in = g->next - 1;
  const struct bar *k = bar_of(g);
  u32 id = g->barrier, wi = w->who.warp;
  u64 who = identity(x->m, g);
  if (!bar->in_use) {
    bar->in_use = true;
    bar->counted = g->expected != 0;
    bar->expected = g->expected;
    bar->identity = who;
    bar->red_and = true;
  } else {
    if (bar->expected != g->expected) {
      vm_fault_now(
          x, in, VM_FAULT_TRAP, g->mask,
          "barrier %u is used with %u threads here and with %u elsewhere in the same generation",
          id, g->expected, bar->expected);
      return;
    }
    bar->mixed |= bar->identity != who;
  }
  u32 again = bar->arrived[wi] & g->mask;
  if (again) {
    vm_fault_now(x, in, VM_FAULT_TRAP, again,
                 "barrier %u: arrives a second time before the first generation is complete (%u of "
                 "%u threads)",
                 id, bar->arrived_threads, bar->expected);
    return;
  }
  bar->arrived[wi] |= g->mask;
  bar->arrived_threads += bar->counted && k->aligned ? 32u : (u32)__builtin_popcount(g->mask);
  if (bar->counted && bar->arrived_threads > bar->expected) {
    vm_fault_now(x, in, VM_FAULT_TRAP, g->mask,
                 "barrier %u: %u threads arrive where %u were announced", id, bar->arrived_threads,
                 bar->expected);
    return;
  }
  if (k->kind == BAR_RED) {
    u32 p = red_bits(g, k);
    bar->red_popc += (u32)__builtin_popcount(p);
    bar->red_or |= p != 0;
    bar->red_and &= p == g->mask;
  }
  struct vm_sync s = {.kind = VM_SYNC_ARRIVE,
                      .who = &w->who,
                      .mask = g->mask,
                      .frame = g->frame,
                      .pos = {g->frame->code->func, in->ptx},
                      .pos_id = in->pos_id,
                      .barrier = id,
                      .generation = bar->generation,
                      .leaves = k->kind == BAR_ARRIVE,
                      .step = x->m->steps};
  vm_emit_sync(x->m, &s);
  if (k->kind == BAR_ARRIVE) {
    vm_group_state(w, g, VM_READY);
  } else {
    bar->waiting[wi] |= g->mask;
    vm_group_state(w, g, VM_IN_BARRIER);
  }
  try_open(x, b, id);
}

/* Do all live lanes of the warp stand at the same aligned barrier? Then the warp arrives. */
static void try_align(struct vm_exec *x, struct vm_warp *w) {
  struct vm_group *g = NULL;
  u32 lanes = 0;
  VM_EACH(i, w->used) {
    struct vm_group *o = &w->groups[i];
    if (o->state != VM_IN_ALIGN) continue;
    if (!g) g = o;
    if (o->frame == g->frame && o->next == g->next && o->barrier == g->barrier &&
        o->expected == g->expected)
      lanes |= o->mask;
  }
  if (!g) return;
  if (lanes != w->who.live) {
    if (!g->barrier) check_stuck(x, w->block);
    return;
  }
  VM_EACH(i, w->used)
  if (&w->groups[i] != g && w->groups[i].state == VM_IN_ALIGN) vm_group_merge(w, g, &w->groups[i]);
  arrive(x, w, g);
}

void vm_barrier_recheck(struct vm_machine *m, struct vm_block *b, struct vm_warp *w) {
  struct vm_exec *x = &m->x;
  if (w->who.live) try_align(x, w);
  for (u32 id = 0; id < 16 && x->stop != VM_STOP_FAULT; id++) try_open(x, b, id);
}

static u32 uniform(struct vm_exec *x, const struct vm_insn *in, i32 ref, u32 *lanes) {
  const u32 *v = vm_u32(x, ref);
  u8 *slot = vm_data(x, ref);
  u32 undefined = ~vm_head(slot)->valid & x->mask, first = (u32)__builtin_ctz(*lanes), same = 0;
  if (undefined && x->undefined) vm_uninit(x, in, slot, undefined, "barrier number or count");
  VM_EACH(l, *lanes) same |= (u32)(v[l] == v[first]) << l;
  *lanes = same;
  return v[first];
}

static void vm_op_bar(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct bar *k = in->more;
  u32 lanes = x->mask;
  u32 id = uniform(x, in, in->src[0], &lanes);
  u32 count = k->has_count ? uniform(x, in, in->src[1], &lanes) : 0;
  if (id > 15) {
    vm_fault_now(x, in, VM_FAULT_TRAP, lanes, "barrier %u does not exist (0 to 15 do)", id);
    return;
  }
  if (k->has_count && (!count || count % 32 || count > 1024 + 31)) {
    vm_fault_now(
        x, in, VM_FAULT_TRAP, lanes,
        "barrier %u with a count of %u threads: it must be a multiple of 32, the warp size", id,
        count);
    return;
  }
  if (k->kind == BAR_RED && x->undefined) {
    u8 *slot = vm_data(x, in->src[2]);
    u32 undefined = ~vm_head(slot)->valid & lanes;
    if (undefined) vm_uninit(x, in, slot, undefined, "predicate of a barrier reduction");
  }
  vm_leave_unguarded(x, in);
  struct vm_group *g = x->group;
  if (lanes != x->mask) { /* different numbers: the others come back here on their own */
    struct vm_group *n = vm_group_split(x->warp, g, x->mask & ~lanes);
    n->next = in;
  }
  g->barrier = id;
  g->expected = count;
  g->next = in + 1;
  x->stop = VM_STOP_BLOCKED;
  if (k->aligned) {
    vm_group_state(x->warp, g, VM_IN_ALIGN);
    try_align(x, x->warp);
  } else {
    arrive(x, x->warp, g);
  }
}

static bool pick(struct vm_pick *p, bool aligned) {
  const struct ptx_insn *in = p->in;
  struct bar *k = NEW(&p->m->arena, struct bar);
  p->out->more = k;
  k->aligned = aligned;
  k->kind = ptx_has(in, MOD_RED) ? BAR_RED : ptx_has(in, MOD_ARRIVE) ? BAR_ARRIVE : BAR_SYNC;
  u32 at = k->kind == BAR_RED, n = in->operand_count;
  if (k->kind == BAR_RED) {
    k->red = ptx_has(in, MOD_POPC) ? MOD_POPC : ptx_has(in, MOD_AND) ? MOD_AND : MOD_OR;
    if (n < 3) return vm_no(p, "three or four operands are needed");
    if (!vm_dst_or_sink(p, 0, k->red == MOD_POPC ? T_B32 : T_PRED) || !vm_src(p, 2, n - 1, T_PRED))
      return false;
    k->negated = in->operands[n - 1].kind == OPD_REG && in->operands[n - 1].negated;
    n--;
  }
  if (n <= at) return vm_no(p, "no barrier number");
  k->has_count = n == at + 2;
  if (k->kind == BAR_ARRIVE && !k->has_count)
    return vm_no(p, "bar.arrive needs a count of threads");
  return vm_src(p, 0, at, T_B32) && (!k->has_count || vm_src(p, 1, at + 1, T_B32)) &&
         vm_use(p, vm_op_bar);
}

bool vm_pick_bar_warp(struct vm_pick *p);
bool vm_pick_bar(struct vm_pick *p) {
  return ptx_has(p->in, MOD_WARP) ? vm_pick_bar_warp(p) : pick(p, true);
}
bool vm_pick_barrier_cluster(struct vm_pick *p); /* cluster.c */
bool vm_pick_barrier(struct vm_pick *p) {
  return ptx_has(p->in, MOD_CLUSTER) ? vm_pick_barrier_cluster(p)
                                     : pick(p, ptx_has(p->in, MOD_ALIGNED));
}
