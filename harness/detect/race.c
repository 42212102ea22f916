/* race.c - the race detector's ears: turns machine events into checks of granules, with fast paths
 * for whole-warp accesses in well-synchronised code. The exact rule is in cell.c; a fast path only
 * ever says "certainly ordered". */
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

static struct race_viewer viewer_of(struct race *r, const struct vm_who *who) {
  struct race_block *b = detect_block_of(r, who->block);
  return (struct race_viewer){r, b, &b->warps[who->warp], who->warp, 0, who->warp_global};
}

/* Epochs that everyone who can reach the object knows of. */
u32 detect_bound_of(const struct race *r, const struct race_block *b, const struct vm_object *o) {
  bool own = o->space == SP_SHARED && o->block == b->block && !r->has_clusters;
  return own ? b->known : r->G;
}

/* ---- the exact path ---- */
static void access_piece(struct race_lane_access *x) {
  u64 first = x->offset / 4, last = (x->offset + x->size - 1) / 4;
  for (u32 step = 0; step < 2; step++) {
    for (u64 g = first; g <= last; g++) {
      u64 from = x->offset > g * 4 ? x->offset - g * 4 : 0;
      u64 to = x->offset + x->size < g * 4 + 4 ? x->offset + x->size - g * 4 : 4;
      u8 bytes = (u8)((1u << to) - (1u << from));
      if (step == 0) detect_cell_check(x, (u32)g, bytes);
      if (step == 1 || !x->strong) detect_cell_update(x, (u32)g, bytes);
    }
    if (!x->strong) return;
    if (step == 0) detect_message_access(x);
  }
}

/* Elements of a strong vector access are accesses of their own (PTX ISA 8.2.2). */
static u32 piece_bytes(const struct vm_access *a, bool strong) {
  const struct ptx_insn *in = a->pos.insn;
  if (!strong || !in || in->type_count == 0) return a->size_bytes;
  if (!ptx_has(in, MOD_V2) && !ptx_has(in, MOD_V4) && !ptx_has(in, MOD_V8)) return a->size_bytes;
  u32 n = ptx_type_bytes((enum ptx_type)in->types[in->type_count - 1]);
  return n && n < a->size_bytes && a->size_bytes % n == 0 ? n : a->size_bytes;
}

static void access_lane(struct race_lane_access *x, u32 lane) {
  const struct vm_access *a = x->a;
  struct race *r = x->v.race;
  struct vm_object *o = a->object ? a->object : a->objects[lane];
  if (!o || (o->space != SP_GLOBAL && o->space != SP_SHARED)) return;
  u64 offset = a->offset[lane];
  if (offset > o->size_bytes || a->size_bytes > o->size_bytes - offset)
    return; /* the machine reports BOUNDS */
  x->s = detect_shadow_of(r, o);
  x->bound = detect_bound_of(r, x->v.b, o);
  x->v.lane = lane;
  x->reads = VM_READS(a->kind);
  x->writes = VM_WRITES(a->kind) && (a->kind == VM_WRITE || a->wrote >> lane & 1);
  x->size = piece_bytes(a, x->strong);
  for (x->within = 0; x->within < a->size_bytes; x->within += x->size) {
    x->offset = offset + x->within;
    access_piece(x);
  }
  x->done |= 1u << lane;
}

static void access_slow(struct race_viewer *v, const struct vm_access *a, u32 site, bool strong) {
  struct race *r = v->race;
  struct race_lane_access x = {.v = *v,
                               .a = a,
                               .site = site,
                               .strong = strong,
                               .scope = (u8)detect_scope_class(a->scope),
                               .by_phase = a->pos.insn && a->pos.insn->op == OP_mbarrier};
  u32 n = (u32)__builtin_popcount(a->mask), m = a->mask;
  for (u32 i = 0; i < n; i++, m &= m - 1)
    access_lane(&x, a->order ? a->order[i] : (u32)__builtin_ctz(m));
  detect_conflict_done(r);
  if ((a->sem == VM_RELEASE || a->sem == VM_ACQ_REL) && VM_WRITES(a->kind))
    detect_clock_bump(r, v->w);
}

/* ---- fast paths: weak accesses of whole granules in one chunk ---- */
struct span { /* which granules of a chunk each lane touches */
  struct race_chunk *c;
  u32 lo, hi, each, mask;
  u16 at[VM_LANES]; /* REC_GATHER */
  enum rec_kind kind;
};

static bool span_gather(const struct vm_access *a, struct span *s, u32 per, u32 *chunk) {
  u64 lo = ~0ull, hi = 0, odd = 0;
  for (u32 m = a->mask; m; m &= m - 1) {
    u64 o = a->offset[__builtin_ctz(m)];
    lo = o < lo ? o : lo;
    hi = o > hi ? o : hi;
    odd |= o;
  }
  u64 first = lo / 4 / per * per;
  if (odd & 3 || hi / 4 + s->each > first + per) return false;
  for (u32 l = 0; l < VM_LANES; l++) s->at[l] = (u16)(a->offset[l] / 4 - first);
  *chunk = (u32)(first / per);
  s->lo = (u32)(lo / 4 - first);
  s->hi = (u32)(hi / 4 - first) + s->each - 1;
  s->kind = REC_GATHER;
  return true;
}

static bool span_of(struct race *r, const struct vm_access *a, struct span *s) {
  if (!a->object || a->size_bytes & 3 || !a->mask) return false;
  if (a->object->space != SP_GLOBAL && a->object->space != SP_SHARED) return false;
  struct race_shadow *sh = detect_shadow_of(r, a->object);
  s->each = a->size_bytes / 4;
  s->mask = a->mask;
  u32 chunk, per = sh->per;
  if (a->pattern == VM_GATHER) {
    if (!span_gather(a, s, per, &chunk)) return false;
  } else {
    u64 o = a->offset[__builtin_ctz(a->mask)], g = o / 4;
    u32 n = a->pattern == VM_UNIFORM ? s->each : s->each * VM_LANES;
    if (o & 3 || g / per != (g + n - 1) / per) return false;
    chunk = (u32)(g / per);
    s->lo = (u32)(g % per);
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

static bool read_fast(struct race_viewer *v, const struct vm_access *a, u32 site) {
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
  detect_log_add(r, s.c, &rec, s.at, bound);
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

static bool write_fast(struct race_viewer *v, const struct vm_access *a, u32 site) {
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
  return true;
}

/* ---- hooks ---- */
static void on_access(void *self, const struct vm_access *a) {
  struct race *r = self;
  struct race_viewer v = viewer_of(r, a->who);
  u32 site = detect_site_of(r, a);
  bool strong = a->sem != VM_WEAK || (a->kind != VM_READ && a->kind != VM_WRITE);
  if (!strong && (a->kind == VM_READ ? read_fast(&v, a, site) : write_fast(&v, a, site))) return;
  access_slow(&v, a, site, strong);
}

static void on_sync(void *self, const struct vm_sync *s) {
  struct race *r = self;
  if (s->kind == VM_SYNC_FENCE)
    detect_message_fence(r, s);
  else
    detect_clock_sync(r, s);
}

static void on_async(void *self, const struct vm_async_event *e) { detect_async_event(self, e); }

static void on_released(void *self, struct vm_object *o) {
  detect_async_forget(self, o);
  if (o->shadow) detect_shadow_free(self, o->shadow);
}

static void free_blocks(struct race *r) {
  for (u32 b = 0; b < r->block_count; b++) detect_clock_free_block(r, b);
  r->block_count = 0;
}

/* The boundary of a kernel orders everything: what came before is at most G. */
static void on_start(void *self, const struct vm_launch_info *l) {
  struct race *r = self;
  detect_async_reset(r);
  free_blocks(r);
  if (r->newest > 0xc0000000u) {
    while (r->shadow_count) detect_shadow_free(r, r->shadows[r->shadow_count - 1]);
    r->newest = 0;
  }
  r->G = r->newest;
  r->newest = r->G + 1;
  r->warps_per_block = l->warps_per_block ? l->warps_per_block : 1;
  r->blocks = base_grow(r->blocks, &r->block_cap, l->block_count ? l->block_count : 1,
                        sizeof(struct race_block *));
  memset(r->blocks, 0, l->block_count * sizeof(struct race_block *));
  r->block_count = l->block_count;
  r->has_clusters = false;
  for (u32 i = 0; i < 3; i++) {
    r->cluster_size[i] = l->cluster[i];
    r->has_clusters |= r->cluster_size[i] > 1;
  }
  r->pair_count = 0;
  detect_site_reset(r);
}

static void on_end(void *self) {
  detect_async_reset(self);
  free_blocks(self);
}

void *detect_race_create(struct detect *d, struct vm_observer *hooks) {
  struct race *r = NEW(d->keep, struct race);
  r->d = d;
  hooks->launch_start = on_start;
  hooks->launch_end = on_end;
  hooks->access = on_access;
  hooks->sync = on_sync;
  hooks->async = on_async;
  hooks->released = on_released;
  return r;
}

void detect_race_destroy(void *self) {
  struct race *r = self;
  free_blocks(r);
  while (r->shadow_count) detect_shadow_free(r, r->shadows[r->shadow_count - 1]);
  free(r->blocks);
  free(r->shadows);
  free(r->cells);
  free(r->sites);
  free(r->site_last);
  free(r->site_table);
  free(r->pairs);
  free(r->copies);
  free(r->phases);
  free(r->wide);
  arena_free(&r->site_arena);
}
