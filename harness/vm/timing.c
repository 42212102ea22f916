/* timing.c - the cost model: virtual time on each SM, for the `timed` schedule.
 *
 * Whoever can start earliest runs next, so that the order of events is the order in time: the free
 * worker takes the next task, as on a GPU. Each SM has a few issue ports; a warp keeps to one of
 * them. An instruction holds the port for a cycle and its warp for the instruction's latency;
 * memory requests also queue for the SM's memory path (a cycle a sector, or a pass through the
 * banks) and atomics for the unit that owns their address. docs/counters.md has the table. It is a
 * model to compare kernels with, not a simulator: no caches, no overlap of a warp's own latencies.
 */
#include "vm/machine.h"
#include "vm/timing.h"
#include <stdlib.h>

enum { SEGMENT = 32 /* instructions before another warp is asked */, UNITS = 64, PORTS_MAX = 16 };

struct sm {
  u64 port_free[PORTS_MAX], memory_free;
  u64 covered; /* some warp works until then */
  struct vm_sm_time time;
  u64 buckets[VM_TIME_BUCKETS]; /* warp cycles worked */
};

struct vm_timing {
  u32 cost[VM_COST_COUNT];
  u64 now;              /* of the running instruction */
  u64 after;            /* it, and where a new block begins that it makes room for */
  u64 unit_free[UNITS]; /* where atomics happen */
  struct sm *sms;
  u32 sm_count;
  u64 bucket_cycles, makespan, worked_cycles, resident_cycles;
  bool gone;                 /* the running warp has ended */
  struct vm_traffic traffic; /* of the running instruction */
};

static const struct {
  const char *name;
  u32 usual;
} costs[VM_COST_COUNT] = {
    [VM_COST_PORTS] = {"ports", 4},      [VM_COST_ARITHMETIC] = {"arithmetic", 4},
    [VM_COST_SHARED] = {"shared", 30},   [VM_COST_GLOBAL] = {"global", 400},
    [VM_COST_ATOMIC] = {"atomic", 500},  [VM_COST_ATOMIC_PASS] = {"atomic-pass", 4},
    [VM_COST_BARRIER] = {"barrier", 20}, [VM_COST_FENCE] = {"fence", 200},
};

bool vm_cost_set(struct vm_cost *c, str name, u32 value) {
  for (u32 i = 0; i < VM_COST_COUNT; i++) {
    if (!str_eqz(name, costs[i].name)) continue;
    if (!value || value > (i == VM_COST_PORTS ? PORTS_MAX : 1000000)) return false;
    c->cycles[i] = value;
    return true;
  }
  return false;
}

const char *vm_cost_name(u32 i) { return i < VM_COST_COUNT ? costs[i].name : NULL; }

/* ---- beginning and end ---- */
void vm_timing_start(struct vm_machine *m) {
  vm_timing_free(m);
  if (!m->timed) return;
  struct vm_timing *t = m->timing = held_zeroed(1, sizeof *t);
  t->sms = held_zeroed(m->sm_count, sizeof *t->sms);
  t->sm_count = m->sm_count;
  t->bucket_cycles = 16;
  for (u32 i = 0; i < VM_COST_COUNT; i++) {
    u32 set = m->config.cost.cycles[i];
    t->cost[i] = set ? set : costs[i].usual;
  }
}

void vm_timing_free(struct vm_machine *m) {
  if (m->timing) held_free(m->timing->sms);
  held_free(m->timing);
  m->timing = NULL;
}

u64 vm_timing_now(const struct vm_machine *m) { return m->timing->now; }

void vm_timing_end(struct vm_machine *m) {
  struct vm_timing *t = m->timing;
  if (!t) return;
  for (u32 w = 0; w < m->warp_total; w++) /* a launch that was stopped */
    if (m->all_warps[w]->who.live && t->makespan > m->all_warps[w]->time.born)
      t->resident_cycles += t->makespan - m->all_warps[w]->time.born;
  m->counters.makespan = t->makespan;
  m->counters.resident_warp_cycles = t->resident_cycles;
  m->counters.worked_warp_cycles = t->worked_cycles;
  m->counters.idle_sm_cycles = 0;
  for (u32 s = 0; s < t->sm_count; s++)
    m->counters.idle_sm_cycles += t->makespan - t->sms[s].time.worked;
}

bool vm_timing_of(const struct vm_machine *m, struct vm_time_line *out) {
  const struct vm_timing *t = m->timing;
  if (!t) return false;
  *out = (struct vm_time_line){.makespan = t->makespan,
                               .sm_count = t->sm_count < VM_TIME_SMS ? t->sm_count : VM_TIME_SMS,
                               .bucket_cycles = t->bucket_cycles};
  for (u32 s = 0; s < out->sm_count; s++) {
    out->sm[s] = t->sms[s].time;
    u64 most = t->sms[s].time.warps_most * t->bucket_cycles;
    for (u32 b = 0; b < VM_TIME_BUCKETS && most; b++)
      out->sm[s].percent[b] = (u8)(t->sms[s].buckets[b] * 100 / most);
  }
  return true;
}

/* ---- the time line ---- */
/* Twice as much time in a bucket: the buckets stay enough, however long it takes. */
static void widen(struct vm_timing *t) {
  t->bucket_cycles *= 2;
  for (u32 s = 0; s < t->sm_count; s++) {
    u64 *b = t->sms[s].buckets;
    for (u32 i = 0; i < VM_TIME_BUCKETS; i++)
      b[i] = i < VM_TIME_BUCKETS / 2 ? b[2 * i] + b[2 * i + 1] : 0;
  }
}

/* A warp of this SM works from..to. Starts never go back in time: the union needs only its end. */
static void work(struct vm_timing *t, struct sm *sm, u64 from, u64 to) {
  while (to > t->bucket_cycles * VM_TIME_BUCKETS) widen(t);
  if (to > t->makespan) t->makespan = to;
  t->worked_cycles += to - from;
  for (u64 at = from; at < to;) {
    u64 b = at / t->bucket_cycles, end = (b + 1) * t->bucket_cycles;
    if (end > to) end = to;
    sm->buckets[b] += end - at;
    at = end;
  }
  u64 fresh = from > sm->covered ? from : sm->covered;
  if (to > fresh) sm->time.worked += to - fresh;
  if (to > sm->covered) sm->covered = to;
}

/* ---- what an instruction costs ---- */
void vm_timing_traffic(struct vm_machine *m, const struct vm_traffic *traffic) {
  m->timing->traffic = *traffic;
}

static u64 later(u64 a, u64 b) { return a > b ? a : b; }

/* When the warp may go on after this request, issued at `at`. */
static u64 memory(struct vm_timing *t, struct sm *sm, u64 at) {
  const struct vm_traffic *r = &t->traffic;
  u64 begin = later(at, sm->memory_free);
  sm->memory_free = begin + r->passes;
  u64 latency = r->is_shared ? t->cost[VM_COST_SHARED] : t->cost[VM_COST_GLOBAL];
  if (r->is_atomic && !r->is_shared) {
    u64 *unit = &t->unit_free[(r->address >> 5) * 0x9e3779b97f4a7c15ull >> 58];
    u64 there = later(begin + t->cost[VM_COST_ATOMIC] / 2, *unit);
    *unit = there + (u64)r->passes * t->cost[VM_COST_ATOMIC_PASS];
    return r->is_waited_for ? *unit + t->cost[VM_COST_ATOMIC] / 2
                            : begin + t->cost[VM_COST_ARITHMETIC];
  }
  if (!r->is_waited_for) return begin + t->cost[VM_COST_ARITHMETIC];
  return begin + r->passes - 1 + latency;
}

static u64 other(const struct vm_timing *t, const struct vm_insn *in, u64 at) {
  switch (in->op) {
  case OP_bar:
  case OP_barrier: return at + t->cost[VM_COST_BARRIER];
  case OP_fence:
  case OP_membar:
    return at + (in->scope == VM_SCOPE_CTA ? t->cost[VM_COST_ARITHMETIC] : t->cost[VM_COST_FENCE]);
  case OP_shfl: return at + t->cost[VM_COST_SHARED];
  default: return at + t->cost[VM_COST_ARITHMETIC];
  }
}

/* ---- running ---- */
static struct sm *sm_of(const struct vm_machine *m, const struct vm_warp *w) {
  return &m->timing->sms[w->block->sm];
}
static u64 *port_of(const struct vm_machine *m, const struct vm_warp *w) {
  return &sm_of(m, w)->port_free[w->who.warp_global % m->timing->cost[VM_COST_PORTS]];
}

struct vm_warp *vm_timing_pick(struct vm_machine *m) {
  struct vm_warp *best = NULL;
  u64 best_start = 0;
  for (u32 i = 0; i < m->warp_total; i++) {
    struct vm_warp *w = m->all_warps[i];
    if (!w->ready) {
      w->time.asleep = true;
      continue;
    }
    if (w->time.asleep) { /* woken, or new here, by what just ran */
      w->time.asleep = false;
      w->time.at = later(w->time.at, m->timing->now);
    }
    u64 start = later(w->time.at, *port_of(m, w));
    if (best && (start > best_start || (start == best_start && w->time.turn >= best->time.turn)))
      continue;
    best = w;
    best_start = start;
  }
  if (best) best->time.turn = ++m->turn;
  return best;
}

void vm_timing_born(struct vm_machine *m, struct vm_warp *w) {
  w->time = (struct vm_warp_time){.at = m->timing->after, .born = m->timing->after};
  struct sm *sm = sm_of(m, w);
  if (++sm->time.warps > sm->time.warps_most) sm->time.warps_most = sm->time.warps;
}

/* One group, until it has to wait for memory, or somebody else may be earlier. */
u64 vm_timing_run(struct vm_machine *m) {
  struct vm_timing *t = m->timing;
  struct vm_exec *x = &m->x;
  struct vm_warp *w = x->warp;
  struct sm *sm = sm_of(m, w);
  u64 *port = port_of(m, w), start = later(w->time.at, *port), at = start, threads = 0;
  u64 born = w->time.born;
  u32 n = 0;
  bool waits = false;
  do {
    const struct vm_insn *in = x->next++;
    u64 steps = ++m->steps;
    threads += (u32)__builtin_popcount(x->mask);
    vm_count_lanes(w, x->mask);
    t->now = at;
    t->after = at + t->cost[VM_COST_ARITHMETIC];
    t->traffic.passes = 0;
    in->fn(x, in);
    n++;
    waits = t->traffic.passes != 0;
    at = waits ? memory(t, sm, at) : other(t, in, at);
    at += m->steps - steps; /* slept */
  } while (!x->stop && !waits && n < SEGMENT);
  if (!x->stop) {
    x->group->next = x->next;
    x->stop = VM_STOP_SWITCH;
  }
  *port = start + n;
  if (!waits) t->now = at; /* whom it woke goes on then */
  work(t, sm, start, at);
  t->resident_cycles += t->gone ? at - born : 0;
  t->gone = false;
  if (w->time.born == born) w->time.at = at; /* else the slot has a new block already */
  return threads;
}

void vm_timing_gone(struct vm_machine *m, struct vm_warp *w) {
  m->timing->gone = true;
  sm_of(m, w)->time.warps--;
}
