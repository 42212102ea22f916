/* mbarrier.c - mbarrier objects: counts, phases, transactions; the instructions on them. Copies
 * that complete on an mbarrier are async.c's.
 *
 * An mbarrier completes its phase when no arrival is pending and no announced byte is missing; then
 * the next phase begins with the expected count (PTX ISA 9.7.13.15). More arrivals than a phase has
 * room for, and use of memory that is no mbarrier, are illegal: TRAP. */
#include "vm/async.h"
#include "vm/lanes.h"
#include <stdlib.h>

#define COUNT_MAX ((1u << 20) - 1)

enum { ARRIVE, ARRIVE_DROP, EXPECT, COMPLETE, INIT, INVAL, TEST, TRY };
struct form {
  u8 kind;
  bool expects, no_complete, by_parity; /* .expect_tx, .noComplete, .parity */
  bool has_count;                       /* a count or byte operand */
};

struct vm_mbarrier *vm_mbarrier_find(struct vm_machine *m, const struct vm_mem *mem, u64 offset) {
  struct vm_async *s = m->async;
  u32 i = s && mem->bars && offset % 8 == 0 ? mem->bars[offset / 8] : 0;
  return i && s->bars[i - 1].object_id == mem->o.id ? &s->bars[i - 1] : NULL;
}

static struct vm_mbarrier *bar_new(struct vm_async *s, struct vm_mem *mem, u64 offset) {
  if (!mem->bars) mem->bars = held_zeroed(mem->o.size_bytes / 8 + 1, sizeof *mem->bars);
  s->bars = held_grow(s->bars, &s->bar_cap, s->bar_count + 1u, sizeof *s->bars);
  mem->bars[offset / 8] = s->bar_count + 1;
  return &s->bars[s->bar_count++];
}

/* The last one takes its place. */
static void bar_remove(struct vm_async *s, struct vm_mem *mem, u64 offset) {
  u32 i = mem->bars[offset / 8] - 1;
  mem->bars[offset / 8] = 0;
  s->bars[i] = s->bars[--s->bar_count];
  if (i < s->bar_count) s->bars[i].mem->bars[s->bars[i].offset / 8] = i + 1;
}

void vm_mbarrier_block_end(struct vm_machine *m, struct vm_block *b) {
  for (u32 k = 0; k < m->shared_count; k++) {
    struct vm_mem *mem = &b->shared[k];
    for (u64 i = 0; mem->bars && i <= mem->o.size_bytes / 8; i++)
      if (mem->bars[i]) bar_remove(m->async, mem, i * 8);
    held_free(mem->bars);
    mem->bars = NULL;
  }
}

static void put_word(struct vm_exec *x, struct vm_mbarrier *b) {
  b->word = (u64)b->pending | (u64)b->expected << 20 | b->phase << 40;
  memcpy(b->mem->o.data + b->offset, &b->word, 8);
  if (b->mem->valid) vm_bits_put(b->mem->valid, b->offset, 8, true);
  if (b->mem->undef) vm_bits_put(b->mem->undef, b->offset, 8, false);
  x->m->progress++;
}

/* ---- events ---- */
static void tell(struct vm_exec *x, const struct vm_insn *in, enum vm_async_kind kind, u32 lane,
                 const struct vm_mbarrier *b, u64 phase, u32 count) {
  struct vm_machine *m = x->m;
  struct vm_async_event e = {.kind = kind,
                             .who = &x->warp->who,
                             .mask = vm_bit(lane),
                             .lane = lane,
                             .frame = x->frame,
                             .pos = vm_pos_of(m, in->pos_id),
                             .pos_id = in->pos_id,
                             .phase = phase,
                             .count = count,
                             .sem = in->sem,
                             .scope = in->scope,
                             .step = m->steps};
  e.bar = (struct vm_async_range){&b->mem->o, b->offset, 8};
  if (in->op == OP_mbarrier && in->more)
    e.drops = ((const struct form *)in->more)->kind == ARRIVE_DROP;
  for (u32 i = 0; i < m->observer_count; i++)
    if (m->observers[i]->async) m->observers[i]->async(m->observers[i]->self, &e);
}

static void maybe_complete(struct vm_exec *x, const struct vm_insn *in, u32 lane,
                           struct vm_mbarrier *b) {
  if (!b->pending && !b->tx) {
    tell(x, in, VM_MBARRIER_PHASE, lane, b, b->phase, 0);
    b->phase++;
    b->pending = b->expected;
  }
  put_word(x, b);
}

bool vm_mbarrier_arrive(struct vm_exec *x, const struct vm_insn *in, u32 lane,
                        struct vm_mbarrier *b, u32 count) {
  if (count > b->pending) {
    vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(lane),
                 "arrives at an mbarrier whose phase has no arrival left to wait for (%u expected, "
                 "%u pending)",
                 b->expected, b->pending);
    return false;
  }
  tell(x, in, VM_MBARRIER_ARRIVE, lane, b, b->phase, count);
  b->pending -= count;
  maybe_complete(x, in, lane, b);
  return true;
}

void vm_mbarrier_add_pending(struct vm_exec *x, struct vm_mbarrier *b) {
  b->pending++;
  put_word(x, b);
}

void vm_mbarrier_complete_tx(struct vm_exec *x, const struct vm_insn *in, struct vm_mem *mem,
                             u64 offset, i64 bytes) {
  struct vm_mbarrier *b = vm_mbarrier_find(x->m, mem, offset);
  if (!b) return; /* invalidated while the copy was under way: its block has gone on or ended */
  b->tx -= bytes;
  maybe_complete(x, in, (u32)__builtin_ctz(x->mask), b);
}

/* ---- instructions ---- */
static struct vm_mbarrier *at_lane(struct vm_exec *x, const struct vm_insn *in,
                                   const struct vm_place *p, u32 lane) {
  struct vm_mem *mem = vm_place_mem(p, lane);
  struct vm_mbarrier *b = vm_mbarrier_find(x->m, mem, p->offset[lane]);
  u64 word;
  memcpy(&word, mem->o.data + p->offset[lane], 8);
  if (!b)
    vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(lane),
                 "no mbarrier here: mbarrier.init was never executed, or mbarrier.inval was");
  else if (b->word != word) {
    vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(lane),
                 "the mbarrier was overwritten by an ordinary store");
    b = NULL;
  }
  return b;
}

static bool place(struct vm_exec *x, const struct vm_insn *in, struct vm_place *p) {
  if (!vm_place(x, in, 8, VM_WRITES(in->kind), in->kind == VM_RMW, p)) return false;
  if (p->space == SP_SHARED) return true;
  vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask, "an mbarrier must be in shared memory");
  return false;
}

static u32 operand(const struct vm_exec *x, i32 ref, u32 lane) { return vm_u32(x, ref)[lane]; }

static void vm_op_init(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_place p;
  if (!place(x, in, &p)) return;
  if (x->m->has_access) vm_access_event(x, in, &p, 8, x->mask, x->mask, NULL, NULL);
  struct vm_async *s = vm_async_of(x->m);
  x->group->changed = true;
  VM_EACH(l, x->mask) {
    u32 count = operand(x, in->src[1], l);
    if (!count || count > COUNT_MAX) {
      vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(l),
                   "mbarrier.init with a count of %u (1 to %u are allowed)", count, COUNT_MAX);
      return;
    }
    struct vm_mem *mem = vm_place_mem(&p, l);
    struct vm_mbarrier *b = vm_mbarrier_find(x->m, mem, p.offset[l]);
    if (!b) b = bar_new(s, mem, p.offset[l]);
    *b = (struct vm_mbarrier){.mem = mem,
                              .object_id = mem->o.id,
                              .offset = p.offset[l],
                              .expected = count,
                              .pending = count};
    tell(x, in, VM_MBARRIER_INIT, l, b, 0, count);
    put_word(x, b);
  }
}

static void vm_op_inval(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_place p;
  if (!place(x, in, &p)) return;
  if (x->m->has_access) vm_access_event(x, in, &p, 8, x->mask, x->mask, NULL, NULL);
  x->group->changed = true;
  VM_EACH(l, x->mask) {
    struct vm_mbarrier *b = at_lane(x, in, &p, l);
    if (!b) return;
    tell(x, in, VM_MBARRIER_INVAL, l, b, b->phase, 0);
    if (b->mem->valid) { /* contents are undefined again */
      if (b->mem->all_valid) vm_bits_put(b->mem->valid, 0, b->mem->o.size_bytes, true);
      b->mem->all_valid = false;
      vm_bits_put(b->mem->valid, b->offset, 8, false);
    }
    bar_remove(x->m->async, b->mem, b->offset);
    x->m->progress++;
  }
}

/* The opaque state: the phase, and the pending count before the arrival. */
static u64 state_of(const struct vm_mbarrier *b) { return b->phase << 20 | b->pending; }

static bool arrive_lane(struct vm_exec *x, const struct vm_insn *in, const struct form *f, u32 l,
                        struct vm_mbarrier *b) {
  u32 n = f->has_count ? operand(x, in->src[1], l) : 1,
      count = f->expects || f->kind >= EXPECT ? 1 : n;
  if (f->expects || f->kind == EXPECT) {
    tell(x, in, VM_MBARRIER_EXPECT, l, b, b->phase, n);
    b->tx += n;
  }
  if (f->kind == COMPLETE) b->tx -= n;
  if (f->kind >= EXPECT) {
    maybe_complete(x, in, l, b);
    return true;
  }
  if (f->no_complete && count >= b->pending) {
    vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(l),
                 "a .noComplete arrival would complete the mbarrier's phase (%u pending)",
                 b->pending);
    return false;
  }
  if (f->kind == ARRIVE_DROP) b->expected -= count < b->expected ? count : b->expected;
  return vm_mbarrier_arrive(x, in, l, b, count);
}

static void vm_op_arrive(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct form *f = in->more;
  struct vm_place p;
  if (!place(x, in, &p)) return;
  u8 order[VM_LANES];
  u32 n = (u32)__builtin_popcount(x->mask);
  vm_lane_order(x->m, x->mask, order);
  if (x->m->has_access) vm_access_event(x, in, &p, 8, x->mask, x->mask, NULL, order);
  x->group->changed = true;
  for (u32 i = 0; i < n; i++) {
    u32 l = order[i];
    struct vm_mbarrier *b = at_lane(x, in, &p, l);
    if (!b) return;
    u64 state = state_of(b);
    if (!arrive_lane(x, in, f, l, b)) return;
    if (in->dst != -1) memcpy(vm_data(x, in->dst) + l * 8u, &state, 8);
  }
  if (in->dst != -1) vm_head(vm_data(x, in->dst))->valid |= x->mask;
}

static bool is_complete(struct vm_exec *x, const struct vm_insn *in, const struct form *f, u32 l,
                        const struct vm_mbarrier *b) {
  if (f->by_parity) return (operand(x, in->src[1], l) & 1) != (b->phase & 1);
  return vm_u64(x, in->src[1])[l] >> 20 < b->phase;
}

/* Waits that fail while nothing changes anywhere. Loops around them often read clocks and sleep, so
 * that their state never repeats and spin.c proves nothing. Here the clocks run ahead once all who
 * can run wait like that, further with each time round, so that whoever waits for a time comes to
 * it; when that were days, nobody will ever arrive. It costs no steps. A loop that counts its tries
 * is not hurried: it may give up, and that is not a deadlock. */
enum { WAIT_STEPS = 2000, WAIT_FAILS = 16, WAIT_DOUBLES = 40 };
#define WAIT_DAYS (1ull << 48)

static bool waits(const struct vm_machine *m, const struct vm_group *g) {
  return g->wait.fails >= WAIT_FAILS && g->wait.progress == m->progress &&
         m->skipped - g->wait.since >= WAIT_DAYS;
}

/* The last that it did, as far as anybody can see, was to wait in vain. */
static bool fails(const struct vm_machine *m, const struct vm_group *g) {
  return g->wait.fails && g->wait.progress == m->progress;
}

static bool all_do(const struct vm_machine *m,
                   bool (*test)(const struct vm_machine *, const struct vm_group *)) {
  for (u32 w = 0; w < m->warp_total; w++) {
    const struct vm_warp *warp = m->all_warps[w];
    for (u32 i = 0; warp->ready && i < VM_LANES; i++) {
      const struct vm_group *g = &warp->groups[i];
      if (g->state == VM_PARKED) return false;
      if (g->state == VM_READY && !test(m, g) && g->stuck_at != m->progress) return false;
    }
  }
  return true;
}

void vm_mbarrier_name_waits(struct vm_machine *m) {
  for (u32 w = 0; w < m->warp_total; w++)
    for (u32 i = 0; m->all_warps[w]->ready && i < VM_LANES; i++) {
      struct vm_group *g = &m->all_warps[w]->groups[i];
      if (g->state != VM_READY || !fails(m, g)) continue;
      g->stuck_at = m->progress;
      g->spin_mem = g->wait.mem;
      g->spin_offset = g->wait.offset;
      g->spin_insn = g->wait.insn;
      g->spin_size = 8;
      memcpy(&g->spin_value, g->wait.mem->o.data + g->wait.offset, 8);
    }
}

static void still_waiting(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p) {
  struct vm_machine *m = x->m;
  struct vm_group *g = x->group;
  u32 first = (u32)__builtin_ctz(x->mask);
  if (x->stop != VM_GO) return;
  if (g->wait.progress != m->progress || !g->wait.fails) {
    g->wait = (struct vm_wait_at){.progress = m->progress,
                                  .since = m->skipped,
                                  .offset = p->offset[first],
                                  .mem = vm_place_mem(p, first),
                                  .insn = in};
  } else if ((g->saw_time || g->wait.timed) && all_do(m, fails)) {
    u32 doubles = g->wait.fails < WAIT_DOUBLES ? g->wait.fails : WAIT_DOUBLES;
    m->skipped += (u64)WAIT_STEPS << doubles;
  }
  if (!g->wait.fails) vm_spin_at(x, in);
  g->wait.fails++;
  if (!waits(m, g) || !all_do(m, waits)) return;
  vm_mbarrier_name_waits(m);
  g->next = x->next;
  vm_fault_waits(
      m, VM_FAULT_DEADLOCK, NULL,
      "every thread that can still run waits at an mbarrier, and nobody is left who could "
      "complete its phase");
  x->stop = VM_STOP_FAULT;
}

/* A wait that fails reads the mbarrier as well: its initialisation must come before. The first of a
 * series is enough. */
static void tell_failed(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p,
                        u32 failed) {
  struct vm_insn reads = *in;
  if (!x->m->has_access || x->group->wait.fails) return;
  reads.sem = VM_RELAXED;
  vm_access_event(x, &reads, p, 8, failed, 0, NULL, NULL);
}

static void vm_op_wait(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct form *f = in->more;
  struct vm_place p;
  u8 *slot = vm_data(x, in->src[1]);
  u32 undefined = ~vm_head(slot)->valid & x->mask, done = 0;
  if (undefined && x->undefined)
    vm_uninit(x, in, slot, undefined,
              f->by_parity ? "phase parity of an mbarrier" : "state of an mbarrier");
  if (!place(x, in, &p)) return;
  u64 words[VM_LANES] = {0};
  VM_EACH(l, x->mask) {
    const struct vm_mbarrier *b = at_lane(x, in, &p, l);
    if (!b) return;
    words[l] = b->word;
    if (!is_complete(x, in, f, l, b)) continue;
    done |= vm_bit(l);
    tell(x, in, VM_MBARRIER_TEST_OK, l, b,
         f->by_parity ? b->phase - 1 : vm_u64(x, in->src[1])[l] >> 20, 0);
  }
  if (done && x->m->has_access) vm_access_event(x, in, &p, 8, done, 0, NULL, NULL);
  u32 failed = x->mask & ~done;
  struct vm_group *g = x->group;
  g->loaded = true;
  vm_put_pred(x, in, in->dst, done, VM_FULL, 1);
  if (!failed) {
    g->wait.fails = 0;
    return;
  }
  tell_failed(x, in, &p, failed);
  if (g->watch)
    vm_watch_load(x, in, vm_place_mem(&p, (u32)__builtin_ctz(x->mask)), p.offset, 8,
                  (const u8 *)words, 8);
  VM_EACH(l, failed) vm_async_force(x, vm_place_mem(&p, l), p.offset[l]);
  if (done)
    g->wait.fails = 0;
  else
    still_waiting(x, in, &p);
  if (x->mask == x->group_mask && x->stop == VM_GO) x->stop = VM_STOP_YIELD;
}

static void vm_op_pending_count(struct vm_exec *x, const struct vm_insn *in) {
  const u64 *s = vm_u64(x, in->src[0]);
  u32 *d = vm_u32(x, in->dst);
  vm_result1(x, in);
  VM_EACH(l, x->mask) d[l] = (u32)s[l] & COUNT_MAX;
}

/* For the wait-for report. */
void vm_mbarrier_wait(struct vm_machine *m, const struct vm_mem *mem, u64 offset,
                      struct vm_wait *out) {
  const struct vm_mbarrier *b = vm_mbarrier_find(m, mem, offset);
  if (!b) return;
  out->is_mbarrier = true;
  out->generation = (u32)b->phase;
  out->expected = b->expected;
  out->arrived = b->expected - b->pending;
  out->missing_bytes = b->tx;
}

/* ---- picking ---- */
static bool pick_arrive(struct vm_pick *p, struct form *f) {
  u32 at = f->kind < EXPECT; /* a destination, or "_" */
  if (at && p->in->operands[0].is_addr) at = 0;
  f->has_count = p->in->operand_count > at + 1;
  p->out->kind = VM_RMW;
  if ((f->expects || f->kind >= EXPECT) && !f->has_count)
    return vm_no(p, "the number of bytes is missing");
  if (at && !vm_dst_or_sink(p, 0, T_B64)) return false;
  if (f->has_count && !vm_src(p, 1, at + 1, T_U32)) return false;
  return vm_pick_memory(p, at) && vm_use(p, vm_op_arrive);
}

static bool pick_wait(struct vm_pick *p, struct form *f) {
  p->out->kind = VM_READ;
  return vm_dst(p, 0, T_PRED) && vm_src(p, 1, 2, f->by_parity ? T_U32 : T_U64) &&
         vm_pick_memory(p, 1) && vm_use(p, vm_op_wait);
}

bool vm_pick_mbarrier(struct vm_pick *p) {
  static const struct {
    u8 mod, kind;
  } kinds[] = {{MOD_INIT, INIT},        {MOD_INVAL, INVAL},
               {MOD_ARRIVE, ARRIVE},    {MOD_ARRIVE_DROP, ARRIVE_DROP},
               {MOD_TEST_WAIT, TEST},   {MOD_TRY_WAIT, TRY},
               {MOD_EXPECT_TX, EXPECT}, {MOD_COMPLETE_TX, COMPLETE}};
  const struct ptx_insn *in = p->in;
  if (!in->operand_count) return vm_no(p, "an operand is missing");
  if (ptx_has(in, MOD_PENDING_COUNT))
    return vm_dst(p, 0, T_B32) && vm_src(p, 0, 1, T_B64) && vm_use(p, vm_op_pending_count);
  struct form *f = NEW(&p->m->arena, struct form);
  f->kind = 0xff;
  for (u32 i = 0; i < COUNT_OF(kinds) && f->kind == 0xff; i++)
    if (ptx_has(in, kinds[i].mod)) f->kind = kinds[i].kind;
  f->expects = f->kind < EXPECT && ptx_has(in, MOD_EXPECT_TX);
  f->no_complete = ptx_has(in, MOD_NOCOMPLETE);
  f->by_parity = ptx_has(in, MOD_PARITY);
  bool ok;
  switch (f->kind) {
  case INIT: ok = vm_src(p, 1, 1, T_U32) && vm_pick_memory(p, 0) && vm_use(p, vm_op_init); break;
  case INVAL: ok = vm_pick_memory(p, 0) && vm_use(p, vm_op_inval); break;
  case TEST:
  case TRY: ok = pick_wait(p, f); break;
  case 0xff: return vm_no(p, "no such operation");
  default: ok = pick_arrive(p, f);
  }
  struct vm_insn *out = p->out;
  out->more = f;
  if (f->kind == INIT)
    out->kind = VM_WRITE;
  else if (f->kind == INVAL)
    out->kind = VM_RMW, out->sem = VM_RELAXED; /* libcu++ invalidates after relaxed counting */
  else if (ptx_has(in, MOD_RELAXED) || f->kind == EXPECT || f->kind == COMPLETE)
    out->sem = VM_RELAXED;
  else
    out->sem = out->kind == VM_READ ? VM_ACQUIRE : VM_RELEASE;
  if (out->scope == VM_SCOPE_NONE || (out->scope == VM_SCOPE_GPU && !ptx_has(in, MOD_GPU)))
    out->scope =
        ptx_has(in, MOD_SHARED_CLUSTER) ? VM_SCOPE_CLUSTER : VM_SCOPE_CTA; /* default .cta */
  return ok;
}
