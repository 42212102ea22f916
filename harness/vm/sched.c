/* sched.c - who runs next. The table of schedules; nothing here knows what the instructions do. */
#include "vm/buffer.h"
#include "vm/timing.h"

static const struct {
  const char *name;
} schedules[VM_SCHEDULE_COUNT] = {
    [VM_CONVERGED] = {"converged"}, [VM_REVERSED] = {"reversed"},
    [VM_SPLIT] = {"split"},         [VM_SPLIT_REVERSED] = {"split-reversed"},
    [VM_RANDOM] = {"random"},       [VM_ADVERSARIAL] = {"adversarial"},
    [VM_BUFFERED] = {"buffered"},   [VM_TIMED] = {"timed"},
};
const char *vm_schedule_name(enum vm_schedule_kind k) {
  return k < VM_SCHEDULE_COUNT ? schedules[k].name : "?";
}
bool vm_schedule_find(const char *name, enum vm_schedule_kind *out) {
  for (u32 i = 0; i < VM_SCHEDULE_COUNT; i++)
    if (!strcmp(schedules[i].name, name)) return *out = (enum vm_schedule_kind)i, true;
  return false;
}

static bool can_run(const struct vm_group *g) {
  return g->state == VM_READY || g->state == VM_PARKED;
}

/* Is `a` to go before `b`? Fresh before parked before yielded; then by lane, or by who waits
 * longest. */
static bool before(const struct vm_machine *m, const struct vm_group *a, const struct vm_group *b) {
  if (a->yielded != b->yielded) return b->yielded;
  if (a->yielded && a->ran_at != b->ran_at) return a->ran_at < b->ran_at;
  if (a->state != b->state) return a->state == VM_READY;
  u32 la = (u32)__builtin_ctz(a->mask), lb = (u32)__builtin_ctz(b->mask);
  return m->reversed ? la > lb : la < lb;
}

static struct vm_group *choose_group(struct vm_machine *m, struct vm_warp *w) {
  struct vm_group *best = NULL;
  VM_EACH(i, w->used) {
    struct vm_group *g = &w->groups[i];
    if (can_run(g) && (!best || before(m, g, best))) best = g;
  }
  if (best && best->yielded) /* everybody gave way: a new round */
    VM_EACH(i, w->used) w->groups[i].yielded = false;
  return best;
}

static struct vm_group *choose_random(struct vm_machine *m, struct vm_warp *w) {
  struct vm_group *list[VM_LANES];
  u32 ready = 0, n = 0;
  VM_EACH(i, w->used)
  if (w->groups[i].state == VM_READY) list[n++] = &w->groups[i];
  ready = n;
  VM_EACH(i, w->used)
  if (w->groups[i].state == VM_PARKED) list[n++] = &w->groups[i];
  u32 among =
      ready && rng_below(&m->rng, 8) ? ready : n; /* parked ones are less preferred, never barred */
  return list[rng_below(&m->rng, among)];
}

static struct vm_warp *random_warp(struct vm_machine *m) {
  u32 n = 0;
  for (u32 i = 0; i < m->warp_total; i++) n += m->all_warps[i]->ready != 0;
  if (!n) return NULL;
  u32 k = rng_below(&m->rng, n);
  for (u32 i = 0;; i++)
    if (m->all_warps[i]->ready && !k--) return m->all_warps[i];
}

/* ---- adversarial: probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010) ----
 * Every group draws a priority; the highest that can run runs. At a few change points, drawn
 * beforehand among the first switch points of the launch, whoever runs falls behind everybody. That
 * finds any bug that needs at most VM_CHANGE_POINTS + 1 ordering constraints with a known minimum
 * probability. How many switch points a launch has is not known: the range is drawn too. */
void vm_schedule_start(struct vm_machine *m) {
  m->switch_points = 0;
  m->lowest = 1ull << 32;
  u32 range = 1u << (4 + rng_below(&m->rng, 10));
  for (u32 i = 0; i < VM_CHANGE_POINTS; i++) m->change_at[i] = 1 + rng_below(&m->rng, range);
}

/* How often a group that could run is passed over before it goes first. Priorities alone are not
 * fair: who has fallen behind waits for ever while others wait for it in loops that never give way,
 * because their groups part, meet at barriers and draw anew. */
#define PASSED_OVER_MAX 2048
#define PRIORITY_FIRST  (1ull << 34)

void vm_demote(struct vm_machine *m, struct vm_group *g) { g->priority = --m->lowest; }

static struct vm_warp *choose_by_priority(struct vm_machine *m, struct vm_group **out) {
  struct vm_warp *best = NULL;
  *out = NULL;
  for (u32 w = 0; w < m->warp_total; w++) {
    struct vm_warp *warp = m->all_warps[w];
    if (!warp->ready) continue;
    bool fresh = false;
    VM_EACH(i, warp->used)
    fresh |= warp->groups[i].state == VM_READY && !warp->groups[i].yielded;
    VM_EACH(i, warp->used) {
      struct vm_group *g = &warp->groups[i];
      if (!can_run(g) || (g->state == VM_PARKED && fresh)) continue;
      if (!g->priority) g->priority = (1ull << 33) + (rng_next(&m->rng) >> 32);
      if (++g->passed_over > PASSED_OVER_MAX) g->priority = PRIORITY_FIRST;
      if (*out && (*out)->priority >= g->priority) continue;
      *out = g;
      best = warp;
    }
  }
  if (best) (*out)->passed_over = 0;
  return best;
}

static bool change_here(struct vm_machine *m) {
  m->switch_points++;
  for (u32 i = 0; i < VM_CHANGE_POINTS; i++)
    if (m->change_at[i] == m->switch_points) return true;
  return false;
}

bool vm_pick_next(struct vm_machine *m) {
  if (m->buffer) vm_buffer_tick(m);
  struct vm_warp *w = NULL;
  struct vm_group *g;
  if (m->adversarial) {
    w = choose_by_priority(m, &g);
    if (!w) return false;
  } else if (m->timed) {
    w = vm_timing_pick(m);
    if (!w) return false;
    g = choose_group(m, w);
  } else if (m->random) {
    w = random_warp(m);
    if (!w) return false;
    g = choose_random(m, w);
  } else {
    for (u32 k = 0, n = m->warp_total; k < n && !w; k++) {
      u32 i = m->reversed ? (m->cursor + n - k) % n : (m->cursor + k) % n;
      if (m->all_warps[i]->ready) {
        w = m->all_warps[i];
        m->cursor = i;
      }
    }
    if (!w) return false;
    g = choose_group(m, w);
  }
  if (g->state == VM_PARKED) vm_unpark(w, g);
  g->ran_at = ++m->turn;
  g->yielded = false;
  m->x.warp = w;
  m->x.block = w->block;
  vm_exec_load(&m->x, g);
  return true;
}

/* Random schedules may interrupt before any strong access, fence or collective; sometimes lanes
 * part there. The others do so for loops that run on and on (spin.c). */
bool vm_switch_here(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_group *g = x->group;
  if (g->switched) {
    g->switched = false;
    return false;
  }
  if (vm_leaves_here(g)) {
    g->switched = true;
    x->next = in;
    x->stop = VM_STOP_YIELD;
    return true;
  }
  if (!x->m->random) return false;
  u64 r = rng_next(&x->m->rng);
  if (x->m->adversarial ? !change_here(x->m) : (r & 3) != 0) return false;
  if (x->m->adversarial) vm_demote(x->m, g);
  g->next = in;
  g->switched = true;
  u32 part = (u32)(r >> 8) & g->mask;
  if ((r >> 40 & 1) && part && part != g->mask) vm_group_split(x->warp, g, part);
  x->stop = VM_STOP_SWITCH;
  return true;
}

/* The order in which the lanes of one atomic instruction act. */
void vm_lane_order(struct vm_machine *m, u32 mask, u8 *order) {
  u32 n = 0;
  VM_EACH(l, mask) order[n++] = (u8)l;
  if (m->random) {
    for (u32 i = n; i > 1; i--) {
      u32 k = rng_below(&m->rng, i);
      u8 t = order[i - 1];
      order[i - 1] = order[k];
      order[k] = t;
    }
  } else if (m->reversed) {
    for (u32 i = 0; i < n / 2; i++) {
      u8 t = order[i];
      order[i] = order[n - 1 - i];
      order[n - 1 - i] = t;
    }
  }
}
