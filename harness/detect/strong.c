/* strong.c - which accesses a granule remembers one by one, above all the strong ones: those that
 * any number of threads make to one location, over and over. What is said by others already goes.
 * Whether an access races is cell.c's business. */
#include <string.h>
#include "detect/race.h"

enum { ENTRIES_FIRST = 2 };

static bool is_usual(const struct race_entry *e) {
  return e->flags & ENTRY_STRONG && !(e->flags & ENTRY_VOLATILE) && e->scope == SCOPE_FAR;
}

static void note_kind(struct race_cell *cell, const struct race_entry *n) {
  if (!cell->entry_count) cell->kinds = 0;
  const struct race_entry *first = cell->entry_count ? &cell->entries[0] : n;
  if (!is_usual(n) || !is_usual(first) || n->size != first->size || n->rel != first->rel)
    cell->kinds |= CELL_UNLIKE;
  if (n->flags & ENTRY_WRITE && !(n->flags & ENTRY_READ)) cell->kinds |= CELL_STORES;
}

/* Entries before `from` are of other warps. */
static void push_from(struct race_cell *cell, const struct race_entry *n, u32 from) {
  for (u32 i = from; i < cell->entry_count; i++) {
    struct race_entry *e = &cell->entries[i];
    if (e->warp != n->warp || e->epoch != n->epoch || e->site != n->site || e->flags != n->flags ||
        e->bytes != n->bytes || e->chain != n->chain || e->version != n->version ||
        e->rel != n->rel || e->size != n->size)
      continue;
    e->mask |= n->mask;
    return;
  }
  if (!cell->entries) { /* often the only one: small, since atomics make many cells */
    cell->entries = held_zeroed(ENTRIES_FIRST, sizeof *cell->entries);
    cell->entry_cap = ENTRIES_FIRST;
  }
  note_kind(cell, n);
  if (cell->entry_count == cell->entry_cap)
    cell->entries =
        held_grow(cell->entries, &cell->entry_cap, cell->entry_count + 1u, sizeof *cell->entries);
  cell->entries[cell->entry_count++] = *n;
}

void detect_entry_push(struct race_cell *cell, const struct race_entry *n) {
  push_from(cell, n, 0);
}

static void take_out(struct race_cell *cell, u32 i) {
  cell->entry_count--;
  memmove(&cell->entries[i], &cell->entries[i + 1],
          (cell->entry_count - i) * sizeof cell->entries[0]);
}

/* ---- what a new strong access makes superfluous ---- */
struct oldest { /* the first version of a chain that is still remembered as a write: found once */
  bool known, is_any; /* is_any: there is one */
  u32 chain, version;
};

/* Somebody's write that this read-modify-write or read has seen is still remembered: then the read
 * is needed too. */
static bool orders_something(const struct race_cell *cell, const struct race_entry *z,
                             struct oldest *o) {
  if (!z->chain) return false;
  if (z->flags & ENTRY_WRITE) { /* a write other than z itself */
    for (u32 i = 0; i < cell->entry_count; i++) {
      const struct race_entry *e = &cell->entries[i];
      if (e != z && e->flags & ENTRY_WRITE && e->chain == z->chain && e->version <= z->version)
        return true;
    }
    return false;
  }
  if (!o->known || o->chain != z->chain) {
    *o = (struct oldest){.known = true, .chain = z->chain};
    for (u32 i = 0; i < cell->entry_count; i++) {
      const struct race_entry *e = &cell->entries[i];
      if (!(e->flags & ENTRY_WRITE) || e->chain != z->chain) continue;
      if (!o->is_any || e->version < o->version) o->version = e->version;
      o->is_any = true;
    }
  }
  return o->is_any && o->version <= z->version;
}

/* Of two reads of a chain by one lane, the later has seen as much. Is the earlier still of use to
 * somebody who may know of it and not of the later? Only where the lane has said something in
 * between: at a barrier, or by a release that has been published or still may be. */
static bool between(u32 told, const struct race_entry *e, const struct race_entry *later) {
  return told >= e->epoch && told < later->epoch;
}
static bool is_outdone(const struct race_lane_access *x, const struct race_entry *e,
                       const struct race_entry *later) {
  const struct race_warp *w = x->v.w;
  const struct race_lane *lane = w->lanes ? &w->lanes[x->v.lane] : NULL;
  if (e->chain != later->chain || e->version > later->version || e->epoch > later->epoch ||
      e->bytes & ~later->bytes || w->told >= e->epoch || (lane && lane->told >= e->epoch))
    return false;
  for (u32 c = 0; lane && c < SCOPE_CLASSES; c++)
    if (lane->rel[c] && between(lane->rel_epoch[c], e, later)) return false;
  return true;
}

/* Does the new strong access say everything that e, of the same block, says? Then e need not be
 * kept. */
static bool replaces(const struct race_cell *cell, const struct race_entry *n,
                     const struct race_entry *e, u32 *same_read, struct oldest *o) {
  if (!(e->flags & ENTRY_STRONG) || e->size != n->size || e->rel != n->rel || e->scope != n->scope)
    return false;
  if (e->flags & ~n->flags & ENTRY_VOLATILE) return false;
  bool same_thread = e->warp == n->warp && e->mask == n->mask;
  if (n->flags & ENTRY_WRITE) {
    /* The chain of read-modify-writes: its newest link of a block has seen all the older ones. */
    if (n->chain && n->flags & ENTRY_READ && e->flags & ENTRY_WRITE && e->chain == n->chain)
      return true;
    if (same_thread && !(e->flags & ENTRY_READ)) return true;
    if (same_thread && !(e->flags & ENTRY_WRITE) && e->chain == n->chain && n->flags & ENTRY_READ)
      return true;
    return same_thread && !orders_something(cell, e, o);
  }
  /* Polling: of equal reads keep the first (others may know only it) and the last. */
  if (e->flags != n->flags || e->warp != n->warp || e->mask & ~n->mask) return false;
  if (e->chain == n->chain && e->version == n->version) return ++*same_read > 1;
  return !orders_something(cell, e, o);
}

/* True: nothing is left of e. */
static bool outdo(const struct race_lane_access *x, struct race_entry *e,
                  const struct race_entry *later, u32 mask) {
  bool is_same = e->chain == later->chain && e->version == later->version;
  if (!is_same && is_outdone(x, e, later)) e->mask &= ~mask;
  return !e->mask;
}

static bool is_poll(const struct race_entry *e, const struct race_entry *n) {
  return e->mask & n->mask && e->chain && e->flags == n->flags && !(e->flags & ENTRY_WRITE) &&
         e->size == n->size && e->rel == n->rel && e->scope == n->scope;
}

/* A lock that is tried over and over, and changes meanwhile: each try reads another version. */
static void thin_out(struct race_lane_access *x, struct race_cell *cell, const struct race_entry *n,
                     u32 from) {
  struct race_entry *before = NULL; /* what the lane read before this one */
  u32 kept = from;
  for (u32 i = from; i < cell->entry_count; i++) {
    struct race_entry *e = &cell->entries[kept];
    if (kept != i) *e = cell->entries[i];
    kept++;
    if (e->warp != n->warp || !is_poll(e, n)) continue;
    if (before && outdo(x, before, e, n->mask)) {
      u32 at = (u32)(before - cell->entries);
      memmove(before, before + 1, (--kept - at) * sizeof *e);
      e--;
    }
    before = e;
  }
  cell->entry_count = kept;
  if (before && outdo(x, before, n, n->mask)) take_out(cell, (u32)(before - cell->entries));
}

void detect_strong_remember(struct race_lane_access *x, struct race_cell *cell, u32 granule,
                            u8 bytes) {
  struct race_entry n = {.warp = x->v.warp_global,
                         .mask = 1u << x->v.lane,
                         .epoch = x->v.w->epoch,
                         .site = x->site,
                         .flags = ENTRY_STRONG,
                         .bytes = bytes,
                         .scope = x->scope,
                         .size = (u8)x->size,
                         .rel = (i32)((i64)x->offset - (i64)granule * 4),
                         .chain = x->chain,
                         .version = x->version};
  if (x->reads) n.flags |= ENTRY_READ;
  if (x->writes) n.flags |= ENTRY_WRITE;
  if (x->a->sem == VM_VOLATILE) n.flags |= ENTRY_VOLATILE;
  u32 same_read = 0, wpb = x->v.race->warps_per_block, first = n.warp / wpb * wpb, own = ~0u;
  struct oldest oldest = {0};
  for (u32 i = 0; i < cell->entry_count;) { /* may be thousands: nearly all are of other blocks */
    const struct race_entry *e = &cell->entries[i];
    if (e->warp - first < wpb && replaces(cell, &n, e, &same_read, &oldest)) {
      if (e->flags & ENTRY_WRITE) oldest.known = false;
      if (e->flags & ENTRY_READ && e->chain) detect_keep_observer(cell, e);
      take_out(cell, i);
      continue;
    }
    if (own == ~0u && e->warp == n.warp) own = i;
    i++;
  }
  if (own > cell->entry_count) own = cell->entry_count;
  if (!x->writes && n.chain) thin_out(x, cell, &n, own);
  push_from(cell, &n, own);
}
