/* needless.c - which barriers, warp syncs and fences there are, by source line, and what a run
 * looks like without one of them. For advice only: see puzzle/advice.c, which repeats runs and
 * compares.
 *
 * A unit is one kind of synchronisation on one line. Left out, it spreads no knowledge; the machine
 * still waits there, so that the run is the same. Two accesses in conflict that are unordered then,
 * and were ordered before, relied on it. Strong accesses count as much as plain ones here.
 * A unit is doubtful where that is not the whole truth:
 *   - it hands a value on (bar.red), or is only half of a barrier;
 *   - it also shows a fresh mbarrier to copies and to the cluster (fence.mbarrier_init), which is
 * no matter of order between two accesses;
 *   - it stands in library code, or its line also has strong accesses or two kinds of
 * synchronisation in it, as calls of libraries do;
 *   - the kernel talks to the host (a fence or atomic of system scope): then nothing is said at
 * all;
 *   - a fence between strong accesses of one thread: what fence.sc forbids is no matter of order
 *     between two accesses (PTX ISA 8.10.2). */
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

static struct detect_sync *unit_at(struct race *r, u32 unit) { return &r->d->syncs[unit - 1]; }

static bool is_same(const struct detect_sync *a, const struct detect_sync *b) {
  return a->kind == b->kind && a->line == b->line && strcmp(a->file, b->file) == 0;
}

static u32 unit_new(struct race *r, const struct vm_sync *s, enum detect_sync_kind kind) {
  struct detect *d = r->d;
  struct detect_calls calls;
  struct detect_where w;
  detect_calls_of(s->frame, &calls);
  detect_where_of(d, s->pos, calls.at, calls.count, &w);
  struct detect_sync n = {.kind = kind, .file = w.file, .line = w.line};
  for (u32 i = 0; i < d->sync_count; i++)
    if (is_same(&d->syncs[i], &n)) return i + 1;
  if (!w.line || d->sync_count == DETECT_MAX_SYNCS) {
    d->syncs_unlisted |= w.line != 0;
    return 0;
  }
  const struct ptx_insn *in = s->pos.insn;
  n.doubtful = (in && (ptx_has(in, MOD_RED) || ptx_has(in, MOD_MBARRIER_INIT))) ||
               detect_is_toolkit(str_of(w.file));
  n.is_left_out = d->without && is_same(d->without, &n);
  d->syncs[d->sync_count++] = n;
  return d->sync_count;
}

static u32 unit_of(struct race *r, const struct vm_sync *s, enum detect_sync_kind kind) {
  u64 stack = s->frame ? vm_stack_id(s->frame) : 0;
  for (u32 i = 0; i < r->unit_count; i++)
    if (r->units[i].pos_id == s->pos_id && r->units[i].stack == stack) return r->units[i].unit;
  u32 unit = unit_new(r, s, kind);
  r->units = held_grow(r->units, &r->unit_cap, r->unit_count + 1u, sizeof *r->units);
  r->units[r->unit_count++] = (struct race_unit){stack, s->pos_id, unit};
  return unit;
}

/* Arrivals of one generation at different lines: neither line is the barrier. */
static void arrive(struct race *r, const struct vm_sync *s) {
  struct race_block *b = detect_block_of(r, s->who->block);
  u32 unit = unit_of(r, s, DETECT_SYNC_BLOCK), *first = &b->arriving[s->barrier & 15];
  if (unit && s->leaves) unit_at(r, unit)->doubtful = true;
  if (*first && unit && *first != unit)
    unit_at(r, unit)->doubtful = unit_at(r, *first)->doubtful = true;
  if (unit) *first = unit;
}

static u32 threads_in(const u32 *lanes, u32 warps) {
  u32 n = 0;
  for (u32 w = 0; w < warps; w++) n += (u32)__builtin_popcount(lanes[w]);
  return n;
}

/* Could it matter in this launch at all? */
static bool could_matter(const struct race *r, const struct vm_sync *s) {
  if (s->kind == VM_SYNC_OPEN) return threads_in(s->waiting, s->warp_count) > 1;
  if (s->kind == VM_SYNC_WARP) return (s->mask & (s->mask - 1)) != 0;
  if (s->scope == VM_SCOPE_CTA) return r->d->launch.threads_per_block > 1;
  return r->block_count > 1;
}

/* Lanes that have done something strong come to a fence: should they do so again, it is
 * doubtful. */
static void arm(struct race *r, const struct vm_sync *s, u32 unit) {
  struct race_warp *w = &detect_block_of(r, s->who->block)->warps[s->who->warp];
  if (!(w->strong & s->mask)) return;
  if (!w->armed) {
    size_t cap = 0;
    w->armed = held_grow(NULL, &cap, DETECT_MAX_SYNCS, sizeof *w->armed);
    memset(w->armed, 0, DETECT_MAX_SYNCS * sizeof *w->armed);
  }
  w->armed[unit - 1] |= w->strong & s->mask;
}

bool detect_needless_sync(struct race *r, const struct vm_sync *s) {
  enum detect_sync_kind kind;
  switch (s->kind) {
  case VM_SYNC_ARRIVE: arrive(r, s); return true;
  case VM_SYNC_OPEN: kind = DETECT_SYNC_BLOCK; break;
  case VM_SYNC_WARP: kind = DETECT_SYNC_WARP; break;
  case VM_SYNC_FENCE: kind = DETECT_SYNC_FENCE; break;
  default: return true;
  }
  if (s->kind == VM_SYNC_OPEN) detect_block_of(r, s->who->block)->arriving[s->barrier & 15] = 0;
  if (kind == DETECT_SYNC_FENCE && s->scope == VM_SCOPE_SYS) r->d->syncs_unlisted = true;
  u32 unit = s->pos.insn ? unit_of(r, s, kind) : 0;
  if (!unit) return true;
  struct detect_sync *u = unit_at(r, unit);
  u->times++;
  u->chances += could_matter(r, s);
  if (kind == DETECT_SYNC_FENCE) arm(r, s, unit);
  return !u->is_left_out;
}

void detect_needless_strong(struct race *r, struct race_warp *w, const struct vm_access *a,
                            u32 site) {
  u32 mask = a->mask;
  w->strong |= mask;
  if (a->scope == VM_SCOPE_SYS && a->sem != VM_VOLATILE) r->d->syncs_unlisted = true;
  r->sites[site].is_strong = true;
  for (u32 i = 0; w->armed && i < r->d->sync_count; i++)
    if (w->armed[i] & mask) r->d->syncs[i].doubtful = true;
}

/* At the end of a launch, while sites are known. */
void detect_needless_close(struct race *r) {
  struct detect *d = r->d;
  for (u32 i = 0; i < d->sync_count; i++) {
    struct detect_sync *u = &d->syncs[i];
    for (u32 k = 0; k < d->sync_count; k++)
      u->doubtful |= k != i && d->syncs[k].line == u->line && !strcmp(d->syncs[k].file, u->file);
    for (u32 k = 1; k < r->site_count && !u->doubtful; k++) {
      if (!r->sites[k].is_strong) continue;
      const struct detect_where *w = detect_site_where(r, k);
      u->doubtful = w->line == u->line && strcmp(w->file, u->file) == 0;
    }
  }
  r->unit_count = 0;
}

static u64 mix(u64 h, u64 v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15ull;
  return h ^ h >> 29;
}

/* The sum over all that was found unordered: any difference between two runs shows. */
void detect_needless_unordered(struct race *r, const struct race_lane_access *x, u32 granule,
                               const struct race_entry *e, u32 lanes) {
  u64 h = mix(x->a->step, (u64)x->v.warp_global << 8 | x->v.lane);
  h = mix(h, (u64)granule << 32 | e->site);
  h = mix(h, (u64)e->warp << 32 | lanes);
  r->d->unordered += mix(h, (u64)x->site << 8 | e->flags) | 1;
}
