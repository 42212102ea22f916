/* again.c - single lanes: the same thread executes the same load or store again, nearby, and
 * nothing has happened since that could change the answer. What fast.c found out then is remembered
 * by instruction; here is only asked whether it still holds. Agrees with fast.c in all it says and
 * notes.
 *
 * Entries are void when race->era has moved, those of loads also with race->stamp. Weak writes of
 * others are looked for, and by stores everything that the chunk has. */
#include <string.h>
#include "detect/again.h"

enum { AGAIN_SLOTS = 512, WINDOW_BYTES = SET_GRANULES * 4 };

static inline struct race_again *slot(const struct race *r, u32 pos_id, u32 offset) {
  return &r->again[(pos_id * 5 + offset / WINDOW_BYTES) % AGAIN_SLOTS];
}

static inline bool holds(u64 stamp, const struct race_again *e, const struct vm_lone *l, u32 pos_id,
                         const struct vm_object *o) {
  return e->stamp == stamp && e->pos_id == pos_id && e->thread == l->thread &&
         e->stack == l->stack && e->object == o;
}

/* ---- learning ---- */
static struct race_again *entry_for(struct race_viewer *v, const struct vm_access *a, u32 site,
                                    u32 bound, u64 stamp) {
  struct race *r = v->race;
  if (!r->again) r->again = held_zeroed(AGAIN_SLOTS, sizeof *r->again);
  u32 lane = (u32)__builtin_ctz(a->mask);
  struct race_again *e = slot(r, a->pos_id, a->offset[lane]);
  *e = (struct race_again){.stamp = stamp,
                           .stack = a->frame ? vm_stack_id(a->frame) : 0,
                           .object = a->object,
                           .thread = v->warp_global * VM_LANES + lane,
                           .pos_id = a->pos_id,
                           .site = site,
                           .epoch = v->w->epoch,
                           .bound = bound,
                           .each = a->size_bytes / 4};
  return e;
}

void detect_again_read(struct race_viewer *v, const struct vm_access *a, u32 site, u32 bound,
                       struct race_chunk *c, const struct race_rec *rec) {
  if (rec->kind != REC_SET) return;
  u32 g = a->offset[__builtin_ctz(a->mask)] / 4;
  struct race_again *e = entry_for(v, a, site, bound, v->race->stamp);
  e->chunk = c;
  e->first = g & ~(detect_shadow_of(v->race, a->object)->per - 1);
  e->from = e->first + rec->lo;
  e->bits = c->sets[rec->set].bits;
}

void detect_again_write(struct race_viewer *v, const struct vm_access *a, u32 site, u32 bound,
                        struct race_chunk *c) {
  u32 offset = a->offset[__builtin_ctz(a->mask)];
  struct race_again *e = entry_for(v, a, site, bound, v->race->era);
  e->chunk = c;
  e->first = offset / 4 & ~(detect_shadow_of(v->race, a->object)->per - 1);
}

/* ---- asking ---- */
/* The last write of each granule is the thread's own, or known to everyone; no other is remembered.
 */
static inline bool knows_writes(const struct race *r, const struct race_again *e, u32 g) {
  const struct race_chunk *c = e->chunk;
  if (c->cell_count)
    for (u32 k = g; k < g + e->each; k++)
      if (c->cell[k] && r->cells[c->cell[k]].entry_count) return false;
  if (c->write_newest <= e->bound) return true;
  for (u32 k = g; k < g + e->each; k++)
    if (c->w_epoch[k] > e->bound && c->w_thread[k] != e->thread) return false;
  return true;
}

bool detect_read_again(void *self, const struct vm_lone *l, u32 pos_id, const struct vm_object *o,
                       u32 offset, struct vm_grant *grant) {
  struct race *r = self;
  if (!r->again) return false;
  struct race_again *e = slot(r, pos_id, offset);
  if (!holds(r->stamp, e, l, pos_id, o) || !e->bits) return false;
  const struct race_chunk *c = e->chunk;
  u32 g = offset / 4 - e->first, at = offset / 4 - e->from;
  if (at >= SET_GRANULES || g >= c->granules || e->each > c->granules - g || !knows_writes(r, e, g))
    return false;
  e->bits[at / 64] |= ((1ull << e->each) - 1) << at % 64;
  if (c->cell_count) return true;
  u32 rest = c->granules - (e->from - e->first);
  *grant = (struct vm_grant){.stamp = &r->stamp,
                             .newest = &c->write_newest,
                             .when = (const u32 *const *)&c->w_epoch,
                             .writer = (const u32 *const *)&c->w_thread,
                             .index = e->from - e->first,
                             .as_of = r->stamp,
                             .bits = e->bits,
                             .most = e->bound,
                             .from = e->from * 4,
                             .size_bytes = (rest < SET_GRANULES ? rest : SET_GRANULES) * 4};
  return true;
}

/* Reads that fast.c would have to look at closely: of others, in the log or on the granule; and
 * whatever has a cell. */
static inline bool undisturbed(const struct race_again *e, u32 g) {
  const struct race_chunk *c = e->chunk;
  if (c->log_count && c->log_newest > e->bound && c->log_owner != e->thread) return false;
  for (u32 k = g; k < g + e->each; k++) {
    if (c->cell_count && c->cell[k]) return false;
    if (c->w_epoch[k] > e->bound && c->w_thread[k] != e->thread) return false;
    if (c->r_epoch && c->r_epoch[k] > e->bound &&
        (c->r_warp[k] != e->thread / VM_LANES || c->r_mask[k] != 1u << e->thread % VM_LANES))
      return false;
  }
  return true;
}

static inline u32 word(const u8 *at) {
  u32 v;
  memcpy(&v, at, 4);
  return v;
}

bool detect_write_again(void *self, const struct vm_lone *l, u32 pos_id, const struct vm_object *o,
                        u32 offset, const u8 *value) {
  struct race *r = self;
  if (!r->again) return false;
  struct race_again *e = slot(r, pos_id, offset);
  if (!holds(r->era, e, l, pos_id, o) || e->bits) return false;
  struct race_chunk *c = e->chunk;
  u32 g = offset / 4 - e->first;
  if (g >= c->granules || e->each > c->granules - g || c->nc_newest > r->G || !undisturbed(e, g))
    return false;
  for (u32 k = g; k < g + e->each; k++) {
    if (c->w_epoch[k] > e->bound &&
        word(o->data + (e->first + k) * 4ull) != word(value + (k - g) * 4)) {
      detect_chunk_replaced(c);
      c->p_epoch[k] = c->w_epoch[k];
      c->p_thread[k] = c->w_thread[k];
      c->p_site[k] = c->w_site[k];
    }
    c->w_epoch[k] = e->epoch;
    c->w_thread[k] = e->thread;
    c->w_site[k] = e->site;
  }
  return true;
}
