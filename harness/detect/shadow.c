/* shadow.c - shadow memory: for each 4-byte granule of an object what the race rule must remember.
 * Storage and the log of reads; what is a race is cell.c's business.
 *
 * Chunks of 1,024 granules (of shared variables: all of them) appear on the first touch, their
 * parts on first use: a buffer that is only read has no more than a log. The log holds whole warp
 * reads; it spills into the granules when a write comes near or it gets long. */
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

/* ---- objects and chunks ---- */
struct race_shadow *detect_shadow_of(struct race *r, struct vm_object *o) {
  if (o->shadow) return o->shadow;
  u64 granules = (o->size_bytes + 3) / 4;
  u32 per = o->space == SP_SHARED ? SHARED_GRANULES : CHUNK_GRANULES;
  u32 chunks = (u32)((granules + per - 1) / per);
  struct race_shadow *s = held_zeroed(sizeof *s + chunks * sizeof s->chunks[0], 1);
  s->object = o;
  s->chunk_count = chunks;
  s->per = per;
  s->shift = (u32)__builtin_ctz(per);
  s->index = r->shadow_count;
  r->shadows =
      held_grow(r->shadows, &r->shadow_cap, r->shadow_count + 1u, sizeof(struct race_shadow *));
  r->shadows[r->shadow_count++] = s;
  o->shadow = s;
  return s;
}

struct race_chunk *detect_chunk_of(struct race_shadow *s, u32 index) {
  if (s->chunks[index]) return s->chunks[index];
  struct race_chunk *c = held_zeroed(1, sizeof *c);
  u64 granules = (s->object->size_bytes + 3) / 4 - (u64)index * s->per;
  c->granules = granules < s->per ? (u32)granules : s->per;
  return s->chunks[index] = c;
}

static void three(struct race_chunk *c, u32 **a, u32 **b, u32 **d) {
  u32 *p = held_zeroed(c->granules, 3 * sizeof *p);
  *a = p;
  *b = p + c->granules;
  *d = p + 2 * c->granules;
}

void detect_chunk_writes(struct race_chunk *c) {
  if (!c->w_epoch) three(c, &c->w_epoch, &c->w_thread, &c->w_site);
}

void detect_chunk_replaced(struct race_chunk *c) {
  if (!c->p_epoch) three(c, &c->p_epoch, &c->p_thread, &c->p_site);
}

void detect_chunk_readonly(struct race_chunk *c) {
  if (!c->nc_epoch) three(c, &c->nc_epoch, &c->nc_thread, &c->nc_site);
}

static void chunk_free(struct race *r, struct race_chunk *c) {
  if (!c) return;
  r->stamp++;
  r->era++;
  for (u32 g = 0; c->cell && g < c->granules; g++) detect_cell_put(r, c, g);
  held_free(c->w_epoch);
  held_free(c->p_epoch);
  held_free(c->nc_epoch);
  held_free(c->r_epoch);
  held_free(c->cell);
  held_free(c->log);
  held_free(c->gather);
  held_free(c->sets);
  held_free(c->recent);
  held_free(c);
}

void detect_shadow_free(struct race *r, struct race_shadow *s) {
  for (u32 i = 0; i < s->chunk_count; i++) chunk_free(r, s->chunks[i]);
  s->object->shadow = NULL;
  struct race_shadow *last = r->shadows[--r->shadow_count];
  r->shadows[s->index] = last;
  last->index = s->index;
  held_free(s);
}

/* ---- cells: what does not fit the arrays ---- */
struct race_cell *detect_cell_get(struct race *r, struct race_chunk *c, u32 g) {
  if (!c->cell) c->cell = held_zeroed(c->granules, sizeof *c->cell);
  if (!c->cell[g]) {
    u32 i = r->cell_free;
    if (i) {
      r->cell_free = r->cells[i].next_free;
    } else {
      if (r->cell_count == 0) r->cell_count = 1;
      r->cells = held_grow(r->cells, &r->cell_cap, r->cell_count + 1u, sizeof *r->cells);
      i = r->cell_count++;
      memset(&r->cells[i], 0, sizeof r->cells[i]);
    }
    c->cell[g] = i;
    c->cell_count++;
  }
  return &r->cells[c->cell[g]];
}

/* Small lists stay with the cell for its next use: shared variables come and go with every block.
 */
enum { KEPT_MAX = 16 };
void detect_cells_free(struct race *r) {
  for (u32 i = 1; i < r->cell_count; i++) {
    held_free(r->cells[i].readers);
    held_free(r->cells[i].entries);
    held_free(r->cells[i].observers);
  }
  held_free(r->cells);
}

void detect_cell_put(struct race *r, struct race_chunk *c, u32 g) {
  u32 i = c->cell[g];
  if (!i) return;
  struct race_cell *cell = &r->cells[i];
  for (u32 l = 0; l < COUNT_OF(cell->locs); l++)
    if (cell->locs[l]) detect_loc_unref(cell->locs[l]);
  struct race_cell kept = {.next_free = r->cell_free};
  held_free(cell->observers);
  if (cell->reader_cap > KEPT_MAX)
    held_free(cell->readers);
  else
    kept.readers = cell->readers, kept.reader_cap = cell->reader_cap;
  if (cell->entry_cap > KEPT_MAX)
    held_free(cell->entries);
  else
    kept.entries = cell->entries, kept.entry_cap = cell->entry_cap;
  *cell = kept;
  r->cell_free = i;
  c->cell[g] = 0;
  c->cell_count--;
}

/* ---- weak reads of granules ---- */
/* Two records of the same warp: a later read by the same threads says all that an earlier one did.
 */
static bool merge_reader(struct race_reader *old, const struct race_reader *n) {
  if (n->epoch >= old->epoch && !(old->mask & ~n->mask) && !(old->bytes & ~n->bytes)) {
    *old = *n;
    return true;
  }
  if (n->epoch <= old->epoch && !(n->mask & ~old->mask) && !(n->bytes & ~old->bytes)) return true;
  if (n->epoch == old->epoch && n->site == old->site && n->bytes == old->bytes) {
    old->mask |= n->mask;
    return true;
  }
  return false;
}

void detect_read_part(struct race *r, struct race_chunk *c, u32 g, const struct race_reader *n) {
  struct race_cell *cell = detect_cell_get(r, c, g);
  u32 lo = 0, hi = cell->reader_count;
  while (lo < hi) {
    u32 mid = lo + (hi - lo) / 2;
    if (cell->readers[mid].warp < n->warp)
      lo = mid + 1;
    else
      hi = mid;
  }
  u32 at = lo;
  for (; at < cell->reader_count && cell->readers[at].warp == n->warp; at++)
    if (merge_reader(&cell->readers[at], n)) return;
  cell->readers =
      held_grow(cell->readers, &cell->reader_cap, cell->reader_count + 1u, sizeof *cell->readers);
  memmove(&cell->readers[at + 1], &cell->readers[at],
          (cell->reader_count - at) * sizeof *cell->readers);
  cell->readers[at] = *n;
  cell->reader_count++;
}

void detect_read_whole(struct race *r, struct race_chunk *c, u32 g, u32 warp, u32 mask, u32 epoch,
                       u32 site, u32 bound) {
  if (epoch <= bound) return;
  if (!c->r_epoch) {
    u32 *p = held_zeroed(c->granules, 4 * sizeof *p);
    c->r_epoch = p;
    c->r_warp = p + c->granules;
    c->r_mask = p + 2 * c->granules;
    c->r_site = p + 3 * c->granules;
  }
  if (epoch > c->read_newest) c->read_newest = epoch;
  struct race_reader n = {warp, mask, epoch, site, 15};
  struct race_reader old = {c->r_warp[g], c->r_mask[g], c->r_epoch[g], c->r_site[g], 15};
  if (old.epoch <= bound)
    old = n;
  else if (old.warp != warp || !merge_reader(&old, &n)) {
    detect_read_part(r, c, g, &n);
    return;
  }
  c->r_epoch[g] = old.epoch;
  c->r_warp[g] = old.warp;
  c->r_mask[g] = old.mask;
  c->r_site[g] = old.site;
}

/* ---- the log ---- */
static void log_clear(struct race *r, struct race_chunk *c) {
  if (c->log_count) r->stamp++;
  c->log_count = c->gather_count = c->set_count = 0;
}

static void spill_set(struct race *r, struct race_chunk *c, const struct race_rec *rec, u32 bound) {
  for (u32 w = 0; w < SET_GRANULES / 64; w++)
    for (u64 b = c->sets[rec->set].bits[w]; b; b &= b - 1)
      detect_read_whole(r, c, rec->lo + w * 64 + (u32)__builtin_ctzll(b), rec->warp, rec->mask,
                        rec->epoch, rec->site, bound);
}

void detect_log_spill(struct race *r, struct race_chunk *c, u32 bound) {
  for (u32 i = 0; i < c->log_count; i++) {
    const struct race_rec *rec = &c->log[i];
    if (rec->epoch <= bound) continue;
    if (rec->kind == REC_SET) {
      spill_set(r, c, rec, bound);
      continue;
    }
    if (rec->kind == REC_ONE || rec->kind == REC_RUN) {
      for (u32 at = rec->lo; at <= rec->hi; at += rec->kind == REC_RUN ? rec->stride : CHUNK_MAX)
        for (u32 g = at; g < at + rec->each; g++)
          detect_read_whole(r, c, g, rec->warp, rec->mask, rec->epoch, rec->site, bound);
      continue;
    }
    for (u32 l = 0; l < VM_LANES; l++) {
      if (!(rec->mask >> l & 1)) continue;
      u32 g = rec->kind == REC_RANGE ? rec->lo + l * rec->each : c->gather[rec->gather][l];
      for (u32 k = 0; k < rec->each; k++)
        detect_read_whole(r, c, g + k, rec->warp, 1u << l, rec->epoch, rec->site, bound);
    }
  }
  log_clear(r, c);
  c->log_newest = 0;
}

static bool same_rec(const struct race_rec *a, const struct race_rec *b) {
  return a->warp == b->warp && a->mask == b->mask && a->lo == b->lo && a->hi == b->hi &&
         a->kind == b->kind && a->each == b->each;
}

/* The next read of a walk through memory: the same instruction of the same lanes, all at one
 * address, went there step by step. Notes it in the record of the walk; false: it is not. */
static bool log_walk(struct race_rec *old, const struct race_rec *n) {
  if (n->kind != REC_ONE || old->warp != n->warp || old->mask != n->mask || old->site != n->site ||
      old->epoch != n->epoch || old->each != n->each || n->lo <= old->lo)
    return false;
  if (old->kind == REC_ONE) {
    old->kind = REC_RUN;
    old->stride = (u32)n->lo - old->lo;
  } else if (old->kind != REC_RUN || n->lo != old->hi + 1u - old->each + old->stride) {
    return false;
  }
  old->hi = n->hi;
  return true;
}

static void set_add(struct race_chunk *c, const struct race_rec *to, u32 lo, u32 hi) {
  for (u32 g = lo - to->lo; g <= hi - to->lo; g++) c->sets[to->set].bits[g / 64] |= 1ull << g % 64;
}

/* A lone lane executes the same instruction again: it will do so many times, here and there. From
 * the second time on its places are kept as a set. Notes the read in the record; false: it does not
 * belong there. */
static bool log_set(struct race *r, struct race_chunk *c, struct race_rec *old,
                    const struct race_rec *n) {
  u32 base = n->lo / SET_GRANULES * SET_GRANULES, top = base + SET_GRANULES - 1;
  if (n->kind != REC_ONE || n->mask & (n->mask - 1) || old->warp != n->warp ||
      old->mask != n->mask || old->site != n->site || old->epoch != n->epoch ||
      old->each != n->each || old->lo < base || old->hi > top || n->hi > top)
    return false;
  if (old->kind == REC_ONE) {
    if (c->set_count == c->set_cap) {
      c->sets = held_grow(c->sets, &c->set_cap, c->set_count + 1u, sizeof *c->sets);
      r->stamp++;
    }
    memset(&c->sets[c->set_count], 0, sizeof *c->sets);
    struct race_rec was = *old;
    old->kind = REC_SET;
    old->set = c->set_count++;
    old->lo = (u16)base;
    old->hi = (u16)(top < c->granules ? top : c->granules - 1);
    set_add(c, old, was.lo, was.hi);
  }
  if (old->kind != REC_SET) return false;
  set_add(c, old, n->lo, n->hi);
  return true;
}

static void log_push(struct race *r, struct race_chunk *c, const struct race_rec *rec,
                     const u16 *gather) {
  if (c->log_count == c->log_cap) {
    c->log = held_grow(c->log, &c->log_cap, c->log_count + 1u, sizeof *c->log);
    r->stamp++;
  }
  bool is_one = !(rec->mask & (rec->mask - 1));
  u32 thread = is_one ? rec->warp * VM_LANES + (u32)__builtin_ctz(rec->mask) : ~0u;
  c->log_owner = !c->log_count || c->log_owner == thread ? thread : ~0u;
  struct race_rec *n = &c->log[c->log_count++];
  *n = *rec;
  if (rec->kind != REC_GATHER) return;
  if (c->gather_count == c->gather_cap)
    c->gather = held_grow(c->gather, &c->gather_cap, c->gather_count + 1u, sizeof *c->gather);
  n->gather = c->gather_count;
  memcpy(c->gather[c->gather_count++], gather, sizeof *c->gather);
}

struct race_rec *detect_log_add(struct race *r, struct race_chunk *c, const struct race_rec *rec,
                                const u16 *gather, u32 bound) {
  if (c->log_newest <= bound) log_clear(r, c);
  if (rec->epoch > c->log_newest) c->log_newest = rec->epoch;
  if (!c->recent) c->recent = held_zeroed(LOG_RECENT, sizeof *c->recent);
  u32 key = rec->kind == REC_ONE ? rec->site * 5u + rec->lo / SET_GRANULES * 131u
                                 : rec->lo * 5u ^ rec->lo >> 5;
  u16 *recent = &c->recent[(rec->warp * 37u ^ key) % LOG_RECENT];
  struct race_rec *old = *recent < c->log_count ? &c->log[*recent] : NULL;
  if (old && (log_set(r, c, old, rec) || log_walk(old, rec))) return old;
  if (old && same_rec(old, rec)) {
    if (rec->kind != REC_GATHER || memcmp(c->gather[old->gather], gather, sizeof *c->gather) == 0) {
      /* The same threads read the same again, later: says all that the earlier record said. */
      old->epoch = rec->epoch;
      old->site = rec->site;
      return old;
    }
  }
  if (c->log_count == LOG_MAX) {
    detect_log_spill(r, c, bound);
    c->log_newest = rec->epoch;
  }
  *recent = (u16)c->log_count;
  log_push(r, c, rec, gather);
  return &c->log[c->log_count - 1];
}

static bool set_touches(const struct race_set *s, u32 lo, u32 hi) {
  for (u32 g = lo; g <= hi; g++)
    if (s->bits[g / 64] >> g % 64 & 1) return true;
  return false;
}

bool detect_log_touches(const struct race_chunk *c, u32 lo, u32 hi, const struct race_rec *own,
                        u32 bound) {
  if (c->log_newest <= bound) return false;
  for (u32 i = 0; i < c->log_count; i++) {
    const struct race_rec *rec = &c->log[i];
    if (rec->lo > hi || rec->hi < lo || rec->epoch <= bound) continue;
    if (rec->kind == REC_SET && !set_touches(&c->sets[rec->set], lo > rec->lo ? lo - rec->lo : 0,
                                             (hi < rec->hi ? hi : rec->hi) - rec->lo))
      continue;
    if (own && own->kind == REC_RANGE && rec->kind == REC_RANGE && rec->warp == own->warp &&
        rec->lo == own->lo && rec->each == own->each)
      continue;
    return true;
  }
  return false;
}
