/* cell.c - the race rule for one granule: is this access ordered after every earlier one that it
 * conflicts with? Then remember it. Slow and exact; race.c has fast paths that must agree with it.
 *
 * Two accesses race when they share bytes, one writes, neither is known to the other, and they are
 * not both strong with scopes that reach each other and the same extent (PTX ISA 8.7, 8.10). */
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

/* Above ENTRIES_FEW, ordered entries are dropped where they only refine notes; above RACED_MOST
 * those whose race has been reported: the verdict stands. */
enum { ENTRIES_FEW = 16, RACED_MOST = 64 };
enum judged { ORDERED, NOTED, RACED };

bool detect_covers(const struct race *r, u32 scope, u32 from, u32 to) {
  if (scope == SCOPE_FAR || from == to) return true;
  if (scope == SCOPE_NEAR || !r->has_clusters) return false;
  const struct vm_launch_info *l = &r->d->launch;
  for (u32 i = 0; i < 3; i++) {
    u32 n = l->grid[i] ? l->grid[i] : 1, size = r->cluster_size[i] ? r->cluster_size[i] : 1;
    if (from % n / size != to % n / size) return false;
    from /= n;
    to /= n;
  }
  return true;
}

/* ---- values ---- */
static const u8 *new_bytes(const struct race_lane_access *x) {
  return x->a->value ? x->a->value + x->v.lane * x->a->size_bytes + x->within : NULL;
}

static bool touches(const struct race_lane_access *x, u32 lane, u64 at) {
  const struct vm_access *a = x->a;
  return at - a->offset[lane] < a->size_bytes && (a->object || a->objects[lane] == x->s->object);
}

/* Which of the granule's bytes the store changes; all where that is unknown. Events come before the
 * effect: earlier lanes of the same instruction count as done. */
static u8 changed_bytes(const struct race_lane_access *x, u32 granule, u8 bytes) {
  const struct vm_access *a = x->a;
  const u8 *new = new_bytes(x), *now;
  if (!new) return bytes;
  if (a->now)
    now = a->now[x->v.lane] ? a->now[x->v.lane] + x->within : NULL;
  else
    now = x->s->object->data ? x->s->object->data + x->offset : NULL;
  if (!now) return bytes;
  u8 out = 0;
  u32 done = a->pattern == VM_CONTIGUOUS ? 0 : x->done;
  for (u32 b = 0; b < 4; b++) {
    u64 at = granule * 4ull + b, i = at - x->offset;
    if (!(bytes >> b & 1)) continue;
    u8 old = now[i];
    for (u32 m = done; m; m &= m - 1) { /* the last one wins */
      u32 l = (u32)__builtin_ctz(m);
      if (touches(x, l, at)) old = a->value[l * a->size_bytes + (at - a->offset[l])];
    }
    if (new[i] != old) out |= (u8)(1u << b);
  }
  return out;
}

/* Earlier lanes of the instruction at hand that stored to `at`, among `lanes`. */
static u32 lanes_of_now(const struct race_lane_access *x, const struct race_entry *e, u32 lanes,
                        u64 at) {
  if (e->warp != x->v.warp_global || e->epoch != x->v.w->epoch || e->site != x->site) return 0;
  u32 out = 0;
  for (u32 m = lanes & x->done; m; m &= m - 1) {
    u32 l = (u32)__builtin_ctz(m);
    if (touches(x, l, at)) out |= 1u << l;
  }
  return out;
}

/* ---- judging ---- */
static bool same_extent(const struct race_lane_access *x, u32 granule, const struct race_entry *e) {
  return e->size == x->size && e->rel == (i32)((i64)x->offset - (i64)granule * 4);
}

/* Strong accesses that reach each other, of the same extent ("morally strong"), never race. */
static enum conflict_why why_not_strong(const struct race_lane_access *x, u32 granule,
                                        const struct race_entry *e) {
  const struct race *r = x->v.race;
  u32 block = e->warp / r->warps_per_block, mine = x->v.b->block;
  if (!detect_covers(r, x->scope, mine, block) || !detect_covers(r, e->scope, block, mine))
    return WHY_SCOPE;
  return same_extent(x, granule, e) ? WHY_UNORDERED : WHY_EXTENT;
}

/* Probes ask about strong pairs as well: their values may rely on an order. */
static void note_unordered(const struct race_lane_access *x, u32 granule,
                           const struct race_entry *e, const struct race_cell *cell) {
  u32 lanes = detect_unknown_lanes(x, e->warp, e->mask, e->epoch);
  if (lanes && !detect_seen_through(x, cell, e))
    detect_needless_unordered(x->v.race, x, granule, e, lanes);
}

static enum judged report(struct race_lane_access *x, u32 granule, u8 both,
                          const struct race_entry *e, u32 lanes, enum conflict_why why,
                          enum detect_case policy) {
  bool ewrites = e->flags & ENTRY_WRITE;
  struct race_conflict c = {.why = why, .policy = policy};
  c.x = x;
  c.warp = e->warp;
  c.epoch = e->epoch;
  c.site = e->site;
  c.flags = e->flags;
  c.scope = e->scope;
  c.offset = granule * 4ull + (u32)__builtin_ctz(both);
  c.same_instruction = lanes_of_now(x, e, lanes, c.offset) != 0;
  if (c.policy == CASE_RACE && c.why == WHY_UNORDERED && x->writes && ewrites &&
      !(e->flags & (ENTRY_OLD | ENTRY_READ))) {
    if (!changed_bytes(x, granule, both)) c.policy = CASE_SAME_VALUE;
  }
  c.lane = (u32)__builtin_ctz(lanes);
  c.more = (u32)__builtin_popcount(lanes) - 1;
  detect_conflict(x->v.race, &c);
  return c.policy == CASE_RACE ? RACED : NOTED;
}

static enum judged judge(struct race_lane_access *x, u32 granule, u8 bytes,
                         const struct race_entry *e, const struct race_cell *cell) {
  u8 both = bytes & e->bytes;
  bool ewrites = e->flags & ENTRY_WRITE;
  if (!both || (!x->writes && !ewrites)) return ORDERED;
  enum conflict_why why = WHY_UNORDERED;
  enum detect_case policy = CASE_RACE;
  if (x->strong && e->flags & ENTRY_STRONG &&
      (why = why_not_strong(x, granule, e)) == WHY_UNORDERED) {
    if (x->v.race->d->is_probe) note_unordered(x, granule, e, cell);
    if (x->a->sem != VM_VOLATILE || !(e->flags & ENTRY_VOLATILE)) return ORDERED;
    policy = CASE_VOLATILE;
  }
  u32 lanes = detect_unknown_lanes(x, e->warp, e->mask, e->epoch);
  if (!lanes || detect_seen_through(x, cell, e)) return ORDERED;
  if (x->v.race->d->is_probe) detect_needless_unordered(x->v.race, x, granule, e, lanes);
  return report(x, granule, both, e, lanes, why, policy);
}

/* ---- what died: known to everyone who can reach the object ---- */
/* A write that everyone knows may still need a fence.proxy.async: the granule's last one stays. */
static void keep_last_write(struct race_chunk *c, u32 g, const struct race_entry *e) {
  if (!(e->flags & ENTRY_WRITE) || (c->w_epoch && c->w_epoch[g] >= e->epoch)) return;
  detect_chunk_writes(c);
  c->w_epoch[g] = e->epoch;
  c->w_thread[g] = e->warp * VM_LANES + (u32)__builtin_ctz(e->mask);
  c->w_site[g] = e->site;
  if (e->epoch > c->write_newest) c->write_newest = e->epoch;
}

static void purge(const struct race_lane_access *x, struct race_chunk *c, u32 g) {
  struct race *r = x->v.race;
  struct race_cell *cell = &r->cells[c->cell[g]];
  u32 n = 0, bound = x->bound;
  if (bound <= cell->purged) return;
  cell->purged = bound;
  for (u32 i = 0; i < cell->reader_count; i++)
    if (cell->readers[i].epoch > bound) cell->readers[n++] = cell->readers[i];
  cell->reader_count = n;
  n = 0;
  for (u32 i = 0; i < cell->entry_count; i++) {
    if (cell->entries[i].epoch > bound)
      cell->entries[n++] = cell->entries[i];
    else if (x->s->object->space == SP_SHARED)
      keep_last_write(c, g, &cell->entries[i]);
  }
  cell->entry_count = n;
  if (n == 0) cell->observer_count = 0; /* nothing left that they could have seen */
  bool empty = cell->reader_count == 0 && n == 0;
  for (u32 i = 0; i < COUNT_OF(cell->locs); i++) {
    struct race_loc *l = cell->locs[i];
    if (!l) continue;
    if (l->alive && l->writer_epoch > bound) {
      empty = false;
      continue;
    }
    l->alive = false;
    detect_loc_unref(l);
    cell->locs[i] = NULL;
  }
  if (empty) detect_cell_put(r, c, g);
}

/* ---- check ---- */
static void check_readonly(struct race_lane_access *x, struct race_chunk *c, u32 g, u32 granule,
                           u8 bytes) {
  struct race *r = x->v.race;
  struct race_conflict k = {.x = x,
                            .why = WHY_READONLY,
                            .policy = CASE_RACE,
                            .offset = granule * 4ull + (u32)__builtin_ctz(bytes)};
  if (x->writes && c->nc_epoch && c->nc_epoch[g] > r->G) {
    k.warp = c->nc_thread[g] / VM_LANES;
    k.lane = c->nc_thread[g] % VM_LANES;
    k.epoch = c->nc_epoch[g];
    k.site = c->nc_site[g];
    k.flags = ENTRY_READ;
    detect_conflict(r, &k);
  }
  if (!x->a->nc) return;
  k.flags = ENTRY_WRITE;
  if (c->w_epoch && c->w_epoch[g] > r->G) {
    k.warp = c->w_thread[g] / VM_LANES;
    k.lane = c->w_thread[g] % VM_LANES;
    k.epoch = c->w_epoch[g];
    k.site = c->w_site[g];
    detect_conflict(r, &k);
    return;
  }
  const struct race_cell *cell = c->cell && c->cell[g] ? &r->cells[c->cell[g]] : NULL;
  for (u32 i = 0; cell && i < cell->entry_count; i++) {
    const struct race_entry *e = &cell->entries[i];
    if (!(e->flags & ENTRY_WRITE) || !(e->bytes & bytes) || e->epoch <= r->G) continue;
    k.warp = e->warp;
    k.lane = (u32)__builtin_ctz(e->mask);
    k.epoch = e->epoch;
    k.site = e->site;
    k.flags = e->flags;
    detect_conflict(r, &k);
    return;
  }
}

static struct race_entry slot_entry(u32 epoch, u32 thread, u32 site, u8 flags) {
  return (struct race_entry){.warp = thread / VM_LANES,
                             .mask = 1u << thread % VM_LANES,
                             .epoch = epoch,
                             .site = site,
                             .flags = flags,
                             .bytes = 15,
                             .size = 4};
}

/* The usual case of judge(), many of which atomics of a whole grid leave behind: two strong
 * accesses of the same extent whose scopes are the whole device. */
static inline bool reach_each_other(const struct race_lane_access *x, u32 granule,
                                    const struct race_entry *e) {
  return x->strong && x->scope == SCOPE_FAR && e->scope == SCOPE_FAR && e->flags & ENTRY_STRONG &&
         !(e->flags & ENTRY_VOLATILE) && same_extent(x, granule, e);
}

/* ... with each of the granule's entries, none of which has raced. */
static bool reach_all(const struct race_lane_access *x, u32 granule, const struct race_cell *cell) {
  return cell->entry_count && !(cell->kinds & (CELL_UNLIKE | CELL_RACED)) &&
         reach_each_other(x, granule, &cell->entries[0]);
}

/* Two volatile accesses whose scopes are the whole device: a note at most. */
static bool is_note_at_most(const struct race_lane_access *x, u32 granule,
                            const struct race_entry *e) {
  return x->strong && x->a->sem == VM_VOLATILE && e->flags & ENTRY_STRONG &&
         e->flags & ENTRY_VOLATILE && x->scope == SCOPE_FAR && e->scope == SCOPE_FAR &&
         same_extent(x, granule, e);
}

static void check_cell(struct race_lane_access *x, struct race_chunk *c, u32 g, u32 granule,
                       u8 bytes) {
  struct race *r = x->v.race;
  if (!c->cell || !c->cell[g]) return;
  purge(x, c, g);
  if (!c->cell[g]) return;
  struct race_cell *cell = &r->cells[c->cell[g]];
  for (u32 i = 0; x->writes && i < cell->reader_count; i++) {
    const struct race_reader *p = &cell->readers[i];
    struct race_entry e = {.warp = p->warp,
                           .mask = p->mask,
                           .epoch = p->epoch,
                           .site = p->site,
                           .flags = ENTRY_READ,
                           .bytes = p->bytes,
                           .size = 4};
    judge(x, granule, bytes, &e, NULL);
  }
  if (!r->d->is_probe && reach_all(x, granule, cell)) return;
  bool noted = false; /* of thousands of volatile accesses one is worth a note */
  for (u32 i = 0; i < cell->entry_count; i++) {
    struct race_entry *e = &cell->entries[i];
    if (!r->d->is_probe && reach_each_other(x, granule, e)) continue;
    if (!r->d->is_probe && noted && cell->entry_count > RACED_MOST &&
        is_note_at_most(x, granule, e))
      continue;
    enum judged how = judge(x, granule, bytes, e, cell);
    if (how == ORDERED) continue;
    noted |= how == NOTED && is_note_at_most(x, granule, e);
    e->flags |= how == NOTED ? ENTRY_NOTED : ENTRY_RACED;
    cell->kinds |= how == NOTED ? CELL_NOTED : CELL_RACED;
  }
  if (cell->entry_count <= RACED_MOST) return;
  u32 n = 0;
  for (u32 i = 0; i < cell->entry_count; i++)
    if (!(cell->entries[i].flags & ENTRY_RACED)) cell->entries[n++] = cell->entries[i];
  cell->entry_count = n;
}

void detect_cell_check(struct race_lane_access *x, u32 granule, u8 bytes) {
  struct race *r = x->v.race;
  struct race_chunk *c = detect_chunk_of(x->s, granule / x->s->per);
  u32 g = granule % x->s->per;
  x->keep_slot = false;
  if (x->writes && detect_log_touches(c, g, g, NULL, x->bound)) detect_log_spill(r, c, x->bound);
  if (c->nc_epoch || x->a->nc) check_readonly(x, c, g, granule, bytes);
  if (c->w_epoch && c->w_epoch[g] > x->bound) {
    struct race_entry e = slot_entry(c->w_epoch[g], c->w_thread[g], c->w_site[g], ENTRY_WRITE);
    x->keep_slot = judge(x, granule, bytes, &e, NULL) == NOTED;
  }
  if (c->p_epoch && c->p_epoch[g] > x->bound) {
    struct race_entry e =
        slot_entry(c->p_epoch[g], c->p_thread[g], c->p_site[g], ENTRY_WRITE | ENTRY_OLD);
    judge(x, granule, bytes, &e, NULL);
  }
  if (x->writes && c->r_epoch && c->r_epoch[g] > x->bound) {
    struct race_entry e =
        slot_entry(c->r_epoch[g], c->r_warp[g] * VM_LANES, c->r_site[g], ENTRY_READ);
    e.mask = c->r_mask[g];
    judge(x, granule, bytes, &e, NULL);
  }
  check_cell(x, c, g, granule, bytes);
}

/* ---- update ---- */
/* Entries under a new write: those that everyone after it will be ordered after as well may go.
 * What another value has replaced stays a while, marked: "both wrote the same" is no excuse against
 * it. */
static void age_entries(struct race_lane_access *x, struct race_cell *cell, u8 bytes, u8 changed) {
  u32 n = 0;
  /* Whether a read-modify-write has been replaced makes no difference: it is no excuse anyway. */
  if (x->strong && !(cell->kinds & (CELL_STORES | CELL_NOTED))) return;
  for (u32 i = 0; i < cell->entry_count; i++) {
    struct race_entry e = cell->entries[i];
    bool noted = e.flags & ENTRY_NOTED, covered = !(e.bytes & ~bytes), old = e.flags & ENTRY_OLD;
    bool differs = e.bytes & changed;
    e.flags &= (u8)~ENTRY_NOTED;
    if (differs && e.flags & ENTRY_WRITE) e.flags |= ENTRY_OLD;
    bool strong = e.flags & ENTRY_STRONG;
    if (!noted && covered && !x->strong) {
      if (!strong && (old ? differs : !differs)) continue;
      if (cell->entry_count > ENTRIES_FEW) continue;
    }
    cell->entries[n++] = e;
  }
  cell->entry_count = n;
  if (x->strong || cell->reader_count <= ENTRIES_FEW) return;
  n = 0;
  for (u32 i = 0; i < cell->reader_count; i++) {
    struct race_reader *p = &cell->readers[i];
    if (p->bytes & ~bytes || detect_unknown_lanes(x, p->warp, p->mask, p->epoch))
      cell->readers[n++] = *p;
  }
  cell->reader_count = n;
}

static void clear_noted(struct race_cell *cell) {
  if (!(cell->kinds & CELL_NOTED)) return;
  cell->kinds &= (u8)~CELL_NOTED;
  for (u32 i = 0; i < cell->entry_count; i++) cell->entries[i].flags &= (u8)~ENTRY_NOTED;
}

static void update_write(struct race_lane_access *x, struct race_chunk *c, u32 g, u32 granule,
                         u8 bytes) {
  struct race *r = x->v.race;
  u8 changed = changed_bytes(x, granule, bytes);
  if (!x->strong && r->delayed_count) detect_message_plain(x);
  bool slot = c->w_epoch && c->w_epoch[g] > x->bound;
  if (slot && changed && !x->keep_slot) {
    detect_chunk_replaced(c);
    c->p_epoch[g] = c->w_epoch[g];
    c->p_thread[g] = c->w_thread[g];
    c->p_site[g] = c->w_site[g];
  }
  struct race_cell *cell = c->cell && c->cell[g] ? &r->cells[c->cell[g]] : NULL;
  if (cell) {
    age_entries(x, cell, bytes, changed);
    if (!x->strong) detect_loc_forget(cell, x->offset, x->offset + x->size, NULL);
  }
  if (x->strong) return;
  if (bytes != 15) {
    struct race_entry n = {.warp = x->v.warp_global,
                           .mask = detect_self_bit(x),
                           .epoch = x->v.w->epoch,
                           .site = x->site,
                           .flags = ENTRY_WRITE,
                           .bytes = bytes,
                           .size = (u8)x->size};
    detect_entry_push(detect_cell_get(r, c, g), &n);
    return;
  }
  if (slot && x->keep_slot) { /* unordered, same value: later accesses must be ordered after both */
    struct race_entry n = slot_entry(c->w_epoch[g], c->w_thread[g], c->w_site[g], ENTRY_WRITE);
    detect_entry_push(detect_cell_get(r, c, g), &n);
  }
  detect_chunk_writes(c);
  c->w_epoch[g] = x->v.w->epoch;
  c->w_thread[g] = x->v.warp_global * VM_LANES + x->v.lane;
  c->w_site[g] = x->site;
  if (x->v.w->epoch > c->write_newest) c->write_newest = x->v.w->epoch;
}

void detect_cell_update(struct race_lane_access *x, u32 granule, u8 bytes) {
  struct race *r = x->v.race;
  struct race_chunk *c = detect_chunk_of(x->s, granule / x->s->per);
  u32 g = granule % x->s->per;
  if (x->writes) update_write(x, c, g, granule, bytes);
  if (x->strong) {
    struct race_cell *cell = detect_cell_get(r, c, g);
    clear_noted(cell);
    detect_strong_remember(x, cell, granule, bytes);
    return;
  }
  if (c->cell && c->cell[g]) clear_noted(&r->cells[c->cell[g]]);
  if (!x->reads) return;
  if (x->a->nc) {
    detect_chunk_readonly(c);
    c->nc_epoch[g] = x->v.w->epoch;
    if (x->v.w->epoch > c->nc_newest) c->nc_newest = x->v.w->epoch;
    c->nc_thread[g] = x->v.warp_global * VM_LANES + x->v.lane;
    c->nc_site[g] = x->site;
  }
  if (bytes == 15) {
    detect_read_whole(r, c, g, x->v.warp_global, detect_self_bit(x), x->v.w->epoch, x->site,
                      x->bound);
  } else {
    struct race_reader n = {x->v.warp_global, detect_self_bit(x), x->v.w->epoch, x->site, bytes};
    detect_read_part(r, c, g, &n);
  }
}
