/* fast.c - the race check for a whole warp at once: weak accesses of whole granules in one chunk,
 * in well-synchronised code. A fast path only ever says "certainly ordered"; whatever it cannot
 * vouch for goes to the exact rule in cell.c, with the same outcome. */
#include <string.h>
#include "detect/again.h"

struct span { /* which granules of a chunk each lane touches */
  struct race_chunk *c;
  u32 lo, hi, each, mask;
  u16 at[VM_LANES]; /* REC_GATHER */
  enum rec_kind kind;
};

struct extremes { /* of the active lanes' offsets */
  u32 lo, hi, bits;
};
static struct extremes extremes_of(const u32 *off, u32 mask) {
  u32 lo = ~0u, hi = 0, bits = 0;
  if (mask == ~0u) {
    for (u32 i = 0; i < VM_LANES; i++) {
      lo = off[i] < lo ? off[i] : lo;
      hi = off[i] > hi ? off[i] : hi;
      bits |= off[i];
    }
  } else {
    for (u32 m = mask; m; m &= m - 1) {
      u32 o = off[__builtin_ctz(m)];
      lo = o < lo ? o : lo;
      hi = o > hi ? o : hi;
      bits |= o;
    }
  }
  return (struct extremes){lo, hi, bits};
}

static bool span_gather(const struct vm_access *a, struct span *s, u32 shift, u32 *chunk) {
  struct extremes e = extremes_of(a->offset, a->mask);
  u32 first = e.lo / 4 >> shift << shift;
  if (e.bits & 3 || e.hi / 4 + s->each > first + (1u << shift)) return false;
  const u32 *off = a->offset;
  if (a->mask == ~0u) {
    for (u32 l = 0; l < VM_LANES; l++) s->at[l] = (u16)(off[l] / 4 - first);
  } else { /* 0 in the others: records are compared as a whole */
    memset(s->at, 0, sizeof s->at);
    for (u32 m = a->mask; m; m &= m - 1) {
      u32 l = (u32)__builtin_ctz(m);
      s->at[l] = (u16)(off[l] / 4 - first);
    }
  }
  *chunk = first >> shift;
  s->lo = e.lo / 4 - first;
  s->hi = e.hi / 4 - first + s->each - 1;
  s->kind = REC_GATHER;
  return true;
}

static bool span_of(struct race *r, const struct vm_access *a, struct span *s) {
  if (!a->object || a->size_bytes & 3 || !a->mask) return false;
  if (a->object->space != SP_GLOBAL && a->object->space != SP_SHARED) return false;
  struct race_shadow *sh = detect_shadow_of(r, a->object);
  s->each = a->size_bytes / 4;
  s->mask = a->mask;
  u32 chunk, shift = sh->shift;
  if (a->pattern == VM_GATHER) {
    if (!span_gather(a, s, shift, &chunk)) return false;
  } else {
    u32 o = a->offset[__builtin_ctz(a->mask)], g = o / 4;
    u32 n = a->pattern == VM_UNIFORM ? s->each : s->each * VM_LANES;
    if (o & 3 || g >> shift != (g + n - 1) >> shift) return false;
    chunk = g >> shift;
    s->lo = g & ((1u << shift) - 1);
    s->hi = s->lo + n - 1;
    s->kind = a->pattern == VM_UNIFORM ? REC_ONE : REC_RANGE;
  }
  if (chunk >= sh->chunk_count) return false;
  s->c = detect_chunk_of(sh, chunk);
  return s->hi < s->c->granules;
}

static inline u32 span_at(const struct span *s, u32 lane) {
  return s->kind == REC_RANGE ? s->lo + lane * s->each : s->kind == REC_ONE ? s->lo : s->at[lane];
}

/* The largest of the touched granules' values. */
static u32 newest_in(const u32 *epoch, const struct span *s) {
  u32 newest = 0;
  if (s->kind != REC_GATHER) {
    for (u32 g = s->lo; g <= s->hi; g++) newest = epoch[g] > newest ? epoch[g] : newest;
    return newest;
  }
  for (u32 m = s->mask; m; m &= m - 1)
    for (u32 k = 0, g = s->at[__builtin_ctz(m)]; k < s->each; k++)
      newest = epoch[g + k] > newest ? epoch[g + k] : newest;
  return newest;
}

/* Is every write under the access known to each lane that touches it? */
static bool writes_known(struct race_viewer *v, const struct span *s, u32 mask, u32 bound) {
  const struct race_chunk *c = s->c;
  if (c->write_newest <= bound || newest_in(c->w_epoch, s) <= bound) return true;
  for (u32 m = mask; m; m &= m - 1) {
    v->lane = (u32)__builtin_ctz(m);
    u32 g = span_at(s, v->lane);
    for (u32 k = 0; k < s->each; k++)
      if (c->w_epoch[g + k] > bound &&
          !detect_known(v, c->w_thread[g + k] / VM_LANES, c->w_thread[g + k] % VM_LANES,
                        c->w_epoch[g + k]))
        return false;
  }
  return true;
}

static bool reads_known(struct race_viewer *v, const struct span *s, u32 mask, u32 bound) {
  const struct race_chunk *c = s->c;
  if (c->read_newest <= bound || newest_in(c->r_epoch, s) <= bound) return true;
  for (u32 m = mask; m; m &= m - 1) {
    v->lane = (u32)__builtin_ctz(m);
    u32 g = span_at(s, v->lane);
    for (u32 k = 0; k < s->each; k++) {
      if (c->r_epoch[g + k] <= bound) continue;
      for (u32 q = c->r_mask[g + k]; q; q &= q - 1)
        if (!detect_known(v, c->r_warp[g + k], (u32)__builtin_ctz(q), c->r_epoch[g + k]))
          return false;
    }
  }
  return true;
}

static bool has_cells(const struct span *s) { return s->c->cell_count && newest_in(s->c->cell, s); }

/* Does some granule remember more writes than its last one? Lists of readers do not concern a read.
 */
static bool has_entries(const struct race *r, const struct span *s) {
  if (!has_cells(s)) return false;
  for (u32 m = s->kind == REC_ONE ? 1 : s->mask; m; m &= m - 1)
    for (u32 k = 0, g = span_at(s, (u32)__builtin_ctz(m)); k < s->each; k++)
      if (s->c->cell[g + k] && r->cells[s->c->cell[g + k]].entry_count) return true;
  return false;
}

bool detect_read_fast(struct race_viewer *v, const struct vm_access *a, u32 site) {
  struct span s;
  struct race *r = v->race;
  if (!span_of(r, a, &s) || has_entries(r, &s)) return false;
  u32 bound = detect_bound_of(r, v->b, a->object);
  if (!writes_known(v, &s, a->mask, bound)) return false;
  if (a->nc) {
    if (s.c->write_newest > r->G) return false;
    detect_chunk_readonly(s.c);
    if (v->w->epoch > s.c->nc_newest) s.c->nc_newest = v->w->epoch;
    for (u32 m = a->mask; m; m &= m - 1) {
      u32 lane = (u32)__builtin_ctz(m), g = span_at(&s, lane);
      for (u32 k = 0; k < s.each; k++) {
        s.c->nc_epoch[g + k] = v->w->epoch;
        s.c->nc_thread[g + k] = v->warp_global * VM_LANES + lane;
        s.c->nc_site[g + k] = site;
      }
    }
  }
  struct race_rec rec = {.warp = v->warp_global,
                         .epoch = v->w->epoch,
                         .site = site,
                         .mask = a->mask,
                         .lo = (u16)s.lo,
                         .hi = (u16)s.hi,
                         .kind = (u8)s.kind,
                         .each = (u8)s.each};
  struct race_rec *now = detect_log_add(r, s.c, &rec, s.at, bound);
  if (!(a->mask & (a->mask - 1)) && !a->nc) detect_again_read(v, a, site, bound, s.c, now);
  return true;
}

/* Do two lanes store to one granule? */
static bool lanes_meet(const struct span *s, u32 mask) {
  if (s->kind == REC_RANGE || !(mask & (mask - 1))) return false;
  if (s->kind == REC_ONE) return true;
  u64 used[SHARED_GRANULES / 64];
  memset(used + s->lo / 64, 0, (s->hi / 64 - s->lo / 64 + 1) * sizeof used[0]);
  for (u32 m = mask; m; m &= m - 1) {
    u32 g = s->at[__builtin_ctz(m)];
    for (u32 k = 0; k < s->each; k++) {
      if (used[(g + k) / 64] >> ((g + k) % 64) & 1) return true;
      used[(g + k) / 64] |= 1ull << ((g + k) % 64);
    }
  }
  return false;
}

/* Writes that are replaced by another value are remembered a while longer, see cell.c. */
static void keep_replaced(const struct span *s, const struct vm_access *a, u32 bound) {
  struct race_chunk *c = s->c;
  detect_chunk_replaced(c);
  for (u32 m = a->mask; m; m &= m - 1) {
    u32 lane = (u32)__builtin_ctz(m), g = span_at(s, lane);
    const u8 *now = a->now            ? a->now[lane]
                    : a->object->data ? a->object->data + a->offset[lane]
                                      : NULL;
    const u8 *new = a->value ? a->value + lane * a->size_bytes : NULL;
    for (u32 k = 0; k < s->each; k++) {
      if (c->w_epoch[g + k] <= bound) continue;
      if (now && new &&memcmp(now + k * 4, new + k * 4, 4) == 0) continue;
      c->p_epoch[g + k] = c->w_epoch[g + k];
      c->p_thread[g + k] = c->w_thread[g + k];
      c->p_site[g + k] = c->w_site[g + k];
    }
  }
}

static void set_writes(struct race_viewer *v, const struct span *s, u32 mask, u32 site) {
  struct race_chunk *c = s->c;
  u32 epoch = v->w->epoch, thread = v->warp_global * VM_LANES;
  if (s->kind == REC_RANGE) {
    for (u32 g = s->lo; g <= s->hi; g++) c->w_epoch[g] = epoch;
    for (u32 g = s->lo; g <= s->hi; g++) c->w_site[g] = site;
    if (s->each == 1)
      for (u32 i = 0; i < VM_LANES; i++) c->w_thread[s->lo + i] = thread + i;
    else
      for (u32 i = 0; i < VM_LANES * s->each; i++) c->w_thread[s->lo + i] = thread + i / s->each;
  } else {
    for (u32 m = mask; m; m &= m - 1) {
      u32 lane = (u32)__builtin_ctz(m), g = span_at(s, lane);
      for (u32 k = 0; k < s->each; k++) {
        c->w_epoch[g + k] = epoch;
        c->w_thread[g + k] = thread + lane;
        c->w_site[g + k] = site;
      }
    }
  }
  if (epoch > c->write_newest) c->write_newest = epoch;
}

bool detect_write_fast(struct race_viewer *v, const struct vm_access *a, u32 site) {
  struct span s;
  struct race *r = v->race;
  if (!span_of(r, a, &s) || s.c->nc_newest > r->G || lanes_meet(&s, a->mask)) return false;
  u32 bound = detect_bound_of(r, v->b, a->object);
  struct race_rec own = {.warp = v->warp_global,
                         .lo = (u16)s.lo,
                         .hi = (u16)s.hi,
                         .kind = (u8)s.kind,
                         .each = (u8)s.each};
  if (s.c->log_count > LOG_FEW || detect_log_touches(s.c, s.lo, s.hi, &own, bound))
    detect_log_spill(r, s.c, bound);
  if (has_cells(&s) || !writes_known(v, &s, a->mask, bound) || !reads_known(v, &s, a->mask, bound))
    return false;
  detect_chunk_writes(s.c);
  if (s.c->write_newest > bound && newest_in(s.c->w_epoch, &s) > bound) keep_replaced(&s, a, bound);
  set_writes(v, &s, a->mask, site);
  if (!(a->mask & (a->mask - 1))) detect_again_write(v, a, site, bound, s.c);
  return true;
}
