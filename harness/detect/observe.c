/* observe.c - what a thread knows of an earlier access: through its clock, or because a strong read
 * that it knows of has seen the write (PTX ISA 8.9.5). What follows from that is cell.c's business.
 */
#include <string.h>
#include "detect/race.h"

enum { OBSERVERS_MOST = 64 };

/* Lanes of an earlier access that x's thread does not know of. */
u32 detect_unknown_lanes(const struct race_lane_access *x, u32 warp, u32 mask, u32 epoch) {
  if (epoch <= x->bound) return 0;
  u32 out = 0;
  if (warp == x->v.warp_global) mask &= ~detect_self_bit(x);
  for (; mask; mask &= mask - 1) {
    u32 lane = (u32)__builtin_ctz(mask);
    if (!detect_known(&x->v, warp, lane, epoch)) out |= 1u << lane;
  }
  return out;
}

static bool saw(u32 chain, u32 version, const struct race_entry *write) {
  return (chain == write->chain || chain == CHAIN_ANY) && version >= write->version;
}

/* A strong read orders the writes that it saw, through a chain of read-modify-writes, before all
 * that follows it, for this location (PTX ISA 8.9.5): is there such a read that x's thread knows
 * of? */
bool detect_seen_through(const struct race_lane_access *x, const struct race_cell *cell,
                         const struct race_entry *e) {
  if (!cell || !e->chain || !(e->flags & ENTRY_WRITE)) return false;
  /* The thread's own reads; their entries may have given way to later links of the chain. */
  for (u32 i = 0; x->v.w->lanes && i < RACE_SEEN; i++) {
    const struct race_seen *s = &x->v.w->lanes[x->v.lane].seen[i];
    if (s->chain == e->chain && s->version >= e->version) return true;
  }
  for (u32 i = 0; i < cell->entry_count; i++) {
    const struct race_entry *z = &cell->entries[i];
    if (!(z->flags & ENTRY_READ) || !saw(z->chain, z->version, e)) continue;
    u32 self = z->warp == x->v.warp_global ? z->mask & detect_self_bit(x) : 0;
    if (self || detect_unknown_lanes(x, z->warp, z->mask, z->epoch) != z->mask) return true;
  }
  for (u32 i = 0; i < cell->observer_count; i++) {
    const struct race_observer *z = &cell->observers[i];
    if (saw(z->chain, z->version, e) &&
        detect_unknown_lanes(x, z->warp, z->mask, z->epoch) != z->mask)
      return true;
  }
  return false;
}

/* Who knows of e knows what e saw, and need not know what takes e's place. In long chains the
 * oldest give way. */
void detect_keep_observer(struct race_cell *cell, const struct race_entry *e) {
  for (u32 i = cell->observer_count; i-- > 0;) {
    struct race_observer *z = &cell->observers[i];
    if (z->warp != e->warp || z->epoch != e->epoch || z->chain != e->chain) continue;
    z->mask |= e->mask;
    if (e->version < z->version) z->version = e->version;
    return;
  }
  if (cell->observer_count == OBSERVERS_MOST) {
    cell->observer_count /= 2;
    memmove(cell->observers, cell->observers + OBSERVERS_MOST - cell->observer_count,
            cell->observer_count * sizeof *cell->observers);
  }
  cell->observers = held_grow(cell->observers, &cell->observer_cap, cell->observer_count + 1u,
                              sizeof *cell->observers);
  cell->observers[cell->observer_count++] =
      (struct race_observer){e->warp, e->mask, e->epoch, e->chain, e->version};
}
