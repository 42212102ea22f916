/* clock.c - epochs and clocks: what each thread knows of the others, and how barriers spread it.
 * Knows nothing of memory; see message.c for what travels through memory.
 *
 * A thread knows: everything up to G; of its block up to B; of its warp up to W (or a row per lane
 * after a partial
 * __syncwarp); of others what its map says. A full block barrier gives every warp the newest epoch
 * + 1 and moves B: no maps. */
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

/* ---- blocks and lanes ---- */
/* A grid has up to 2^31 blocks, of which a few are alive: an open hash table of those. */
static u32 home(const struct race *r, u32 block) {
  return block * 0x9e3779b1u >> 7 & (r->block_slots - 1);
}

static u32 slot_of(const struct race *r, u32 block) { /* where it is, or would go */
  u32 i = home(r, block);
  while (r->blocks[i] && r->blocks[i]->block != block) i = (i + 1) & (r->block_slots - 1);
  return i;
}

static void grow_blocks(struct race *r) {
  if (r->block_slots && r->block_live * 2 < r->block_slots) return;
  struct race_block **old = r->blocks;
  u32 n = r->block_slots;
  r->block_slots = n ? n * 2 : 64;
  r->blocks = held_zeroed(r->block_slots, sizeof(struct race_block *));
  for (u32 i = 0; i < n; i++)
    if (old[i]) r->blocks[slot_of(r, old[i]->block)] = old[i];
  held_free(old);
}

/* Takes it out; what had to give way to it moves up. */
static void take_out(struct race *r, u32 i) {
  u32 mask = r->block_slots - 1;
  r->blocks[i] = NULL;
  r->block_live--;
  for (u32 k = (i + 1) & mask; r->blocks[k]; k = (k + 1) & mask) {
    struct race_block *b = r->blocks[k];
    r->blocks[k] = NULL;
    r->blocks[slot_of(r, b->block)] = b;
  }
}

struct race_block *detect_block_of(struct race *r, u32 block) {
  if (block >= r->block_count) BUG("block %u of %u", block, r->block_count);
  if (!r->block_slots) grow_blocks(r);
  struct race_block *known = r->blocks[slot_of(r, block)];
  if (known) return known;
  grow_blocks(r);
  struct race_block *b = held_zeroed(1, sizeof *b + r->warps_per_block * sizeof b->warps[0]);
  b->block = block;
  b->known = r->G;
  for (u32 w = 0; w < r->warps_per_block; w++) {
    b->warps[w].epoch = r->G + 1;
    b->warps[w].known = r->G;
  }
  r->block_live++;
  return r->blocks[slot_of(r, block)] = b;
}

struct race_lane *detect_lane_of(struct race_warp *w, u32 lane) {
  if (!w->lanes) w->lanes = held_zeroed(1, VM_LANES * sizeof *w->lanes);
  w->lanes_used |= 1u << lane;
  return &w->lanes[lane];
}

static void free_lanes(struct race_warp *w) {
  for (u32 m = w->lanes_used; m; m &= m - 1) {
    struct race_lane *lane = &w->lanes[__builtin_ctz(m)];
    detect_map_drop(lane->map);
    for (u32 c = 0; c < SCOPE_CLASSES; c++) detect_map_drop(lane->rel[c]);
    for (u32 p = 0; p < lane->pending_count; p++)
      for (u32 c = 0; c < SCOPE_CLASSES; c++) detect_map_drop(lane->pending[p].map[c]);
    for (u32 i = 0; i < lane->release_count; i++) detect_map_drop(lane->releases[i].map);
    held_free(lane->pending);
    held_free(lane->releases);
  }
  held_free(w->lanes);
  held_free(w->rows);
  held_free(w->armed);
}

void detect_clock_free_block(struct race *r, u32 block) {
  u32 at = r->block_slots ? slot_of(r, block) : 0;
  struct race_block *b = r->block_slots ? r->blocks[at] : NULL;
  if (!b) return;
  take_out(r, at);
  for (u32 w = 0; w < r->warps_per_block; w++) free_lanes(&b->warps[w]);
  for (u32 i = 0; i < b->gift_count; i++) detect_map_drop(b->gifts[i].map);
  held_free(b->gifts);
  detect_map_drop(b->map);
  detect_proxy_free(b);
  held_free(b);
}

/* Lanes that the launch gave this warp, exited or not. */
static u32 lanes_of(const struct race *r, u32 warp) {
  u32 threads = r->d->launch.threads_per_block, first = warp * VM_LANES;
  u32 n = threads > first ? threads - first : 0;
  return n >= VM_LANES ? ~0u : (1u << n) - 1;
}

void detect_clock_bump(struct race *r, struct race_warp *w) {
  if (++w->epoch > r->newest) r->newest = w->epoch;
}

/* ---- knowledge ---- */
bool detect_known_slow(const struct race_viewer *v, u32 warp_global, u32 lane, u32 epoch) {
  const struct race *r = v->race;
  if (epoch <= r->G) return true;
  u32 block = warp_global / r->warps_per_block, warp = warp_global % r->warps_per_block;
  if (block == v->b->block) {
    if (epoch <= v->b->known) return true;
    if (warp == v->warp) {
      if (lane == v->lane) return true;
      if (v->w->rows ? epoch <= v->w->rows[v->lane][lane] : epoch <= v->w->known) return true;
    }
  }
  if (v->w->lanes && detect_map_knows(v->w->lanes[v->lane].map, block, warp, lane, epoch))
    return true;
  return detect_map_knows(v->b->map, block, warp, lane, epoch);
}

/* What a warp's scalar or a lane's row says, as items. */
static u32 add_warp_knowledge(const struct race *r, const struct race_warp *w, u32 block, u32 warp,
                              u32 lane, struct race_item *out) {
  u32 n = 0;
  if (!w->rows) {
    if (w->known > r->G) out[n++] = (struct race_item){detect_key_warp(block, warp), w->known};
    return n;
  }
  for (u32 l = 0; l < VM_LANES; l++)
    if (w->rows[lane][l] > r->G)
      out[n++] = (struct race_item){detect_key_thread(block, warp, l), w->rows[lane][l]};
  return n;
}

struct race_map *detect_clock_kept(const struct race_viewer *v) {
  struct race_item items[VM_LANES + 3];
  u32 n = 0, block = v->b->block;
  if (v->b->known > v->race->G)
    items[n++] = (struct race_item){detect_key_block(block), v->b->known};
  n += add_warp_knowledge(v->race, v->w, block, v->warp, v->lane, items + n);
  items[n++] = (struct race_item){detect_key_thread(block, v->warp, v->lane), v->w->epoch};
  /* First what is large and mostly the same, then the few items: a join with those is a copy. */
  struct race_map *m = detect_map_ref(v->b->map), *own = detect_map_make(items, n);
  if (v->w->lanes) detect_map_add(&m, v->w->lanes[v->lane].map);
  detect_map_add(&m, own);
  detect_map_drop(own);
  return m;
}

struct race_map *detect_clock_now(const struct race_viewer *v) {
  if (v->w->lanes)
    v->w->lanes[v->lane].told = v->w->epoch;
  else
    v->w->told = v->w->epoch;
  return detect_clock_kept(v);
}

/* ---- __syncwarp ---- */
static void share_maps(struct race_warp *w, u32 mask) {
  if (!w->lanes) return;
  struct race_map *all = NULL;
  for (u32 m = mask & w->lanes_used; m; m &= m - 1)
    detect_map_add(&all, w->lanes[__builtin_ctz(m)].map);
  if (!all) return;
  for (u32 m = mask; m; m &= m - 1)
    detect_map_add(&detect_lane_of(w, (u32)__builtin_ctz(m))->map, all);
  detect_map_drop(all);
}

static void sync_rows(struct race_warp *w, u32 mask) {
  if (!w->rows) {
    w->rows = held_zeroed(1, sizeof(u32[VM_LANES][VM_LANES]));
    for (u32 i = 0; i < VM_LANES; i++)
      for (u32 j = 0; j < VM_LANES; j++) w->rows[i][j] = w->known;
  }
  u32 row[VM_LANES] = {0};
  for (u32 i = 0; i < VM_LANES; i++) {
    if (!(mask >> i & 1)) continue;
    for (u32 j = 0; j < VM_LANES; j++)
      if (w->rows[i][j] > row[j]) row[j] = w->rows[i][j];
  }
  for (u32 j = 0; j < VM_LANES; j++)
    if (mask >> j & 1) row[j] = w->epoch;
  for (u32 i = 0; i < VM_LANES; i++)
    if (mask >> i & 1) memcpy(w->rows[i], row, sizeof row);
}

static void forget_rows(struct race_warp *w, u32 known) {
  held_free(w->rows);
  w->rows = NULL;
  w->known = known;
}

static void sync_warp(struct race *r, struct race_block *b, u32 warp, u32 mask) {
  struct race_warp *w = &b->warps[warp];
  /* Lanes that exited did not come: the scalar would claim that their last accesses are known. */
  if (mask == lanes_of(r, warp))
    forget_rows(w, w->epoch);
  else
    sync_rows(w, mask);
  share_maps(w, mask);
  w->told = w->epoch;
  detect_clock_bump(r, w);
}

/* ---- block barriers ---- */
static void give(struct race *r, struct race_block *b, const struct vm_sync *s) {
  struct race_warp *w = &b->warps[s->who->warp];
  struct race_gift g = {s->barrier, s->generation, NULL};
  for (u32 l = 0; l < VM_LANES; l++) {
    if (!(s->mask >> l & 1)) continue;
    struct race_viewer v = {r, b, w, s->who->warp, l, s->who->warp_global};
    struct race_map *m = detect_clock_now(&v);
    detect_map_add(&g.map, m);
    detect_map_drop(m);
  }
  b->gifts = held_grow(b->gifts, &b->gift_cap, b->gift_count + 1u, sizeof *b->gifts);
  b->gifts[b->gift_count++] = g;
  detect_clock_bump(r, w);
}

/* Every thread that the block ever had waits here, so that nobody can have acted since. */
static bool is_whole(const struct race *r, const struct race_block *b, const struct vm_sync *s) {
  if (!s->is_full) return false;
  for (u32 w = 0; w < r->warps_per_block; w++) {
    u32 waiting = w < s->warp_count ? s->waiting[w] : 0;
    if (waiting != lanes_of(r, w) || b->warps[w].exited) return false;
  }
  for (u32 i = 0; i < b->gift_count; i++)
    if (b->gifts[i].barrier == s->barrier && b->gifts[i].generation == s->generation) return false;
  return true;
}

static void open_whole(struct race *r, struct race_block *b) {
  u32 newest = 0;
  for (u32 w = 0; w < r->warps_per_block; w++)
    if (b->warps[w].epoch > newest) newest = b->warps[w].epoch;
  b->known = newest;
  for (u32 w = 0; w < r->warps_per_block; w++) {
    struct race_warp *warp = &b->warps[w];
    warp->told = newest;
    warp->epoch = newest + 1;
    if (warp->rows) forget_rows(warp, newest);
    warp->known = newest;
    for (u32 m = warp->lanes_used; m; m &= m - 1) {
      struct race_lane *lane = &warp->lanes[__builtin_ctz(m)];
      detect_map_add(&b->map, lane->map);
      detect_map_drop(lane->map);
      lane->map = NULL;
    }
  }
  if (newest + 1 > r->newest) r->newest = newest + 1;
}

/* What the waiting lanes of one warp know of their own warp. */
static u32 warp_items(const struct race *r, const struct race_block *b, u32 warp, u32 waiting,
                      struct race_item *out) {
  const struct race_warp *w = &b->warps[warp];
  u32 n = 0;
  if (waiting == lanes_of(r, warp)) {
    out[n++] = (struct race_item){detect_key_warp(b->block, warp), w->epoch};
    return n;
  }
  for (u32 l = 0; l < VM_LANES; l++) {
    if (!(waiting >> l & 1)) continue;
    out[n++] = (struct race_item){detect_key_thread(b->block, warp, l), w->epoch};
    if (w->rows || n == 1) n += add_warp_knowledge(r, w, b->block, warp, l, out + n);
  }
  return n;
}

/* What everyone who takes part in this generation brings. */
static struct race_map *collect(struct race *r, struct race_block *b, const struct vm_sync *s) {
  struct race_item items[VM_LANES * (VM_LANES + 1) + 1];
  struct race_map *all = NULL;
  for (u32 w = 0; w < s->warp_count && w < r->warps_per_block; w++) {
    u32 waiting = s->waiting[w];
    if (!waiting) continue;
    struct race_map *m = detect_map_make(items, warp_items(r, b, w, waiting, items));
    detect_map_add(&all, m);
    detect_map_drop(m);
    for (u32 lanes = waiting & b->warps[w].lanes_used; lanes; lanes &= lanes - 1)
      detect_map_add(&all, b->warps[w].lanes[__builtin_ctz(lanes)].map);
  }
  u32 kept = 0;
  for (u32 i = 0; i < b->gift_count; i++) {
    struct race_gift g = b->gifts[i];
    if (g.barrier == s->barrier && g.generation == s->generation) {
      detect_map_add(&all, g.map);
      detect_map_drop(g.map);
    } else {
      b->gifts[kept++] = g;
    }
  }
  b->gift_count = kept;
  return all;
}

static void open_partly(struct race *r, struct race_block *b, const struct vm_sync *s) {
  struct race_map *all = collect(r, b, s);
  if (s->is_full) detect_map_add(&b->map, all);
  for (u32 w = 0; w < s->warp_count && w < r->warps_per_block; w++) {
    u32 waiting = s->waiting[w];
    if (!waiting) continue;
    for (u32 l = 0; !s->is_full && l < VM_LANES; l++)
      if (waiting >> l & 1) detect_map_add(&detect_lane_of(&b->warps[w], l)->map, all);
    b->warps[w].told = b->warps[w].epoch;
    detect_clock_bump(r, &b->warps[w]);
  }
  detect_map_drop(all);
}

void detect_clock_sync(struct race *r, const struct vm_sync *s) {
  struct race_block *b = detect_block_of(r, s->who->block);
  switch (s->kind) {
  case VM_SYNC_WARP: sync_warp(r, b, s->who->warp, s->mask); break;
  case VM_SYNC_ARRIVE:
    if (s->leaves) give(r, b, s);
    break;
  case VM_SYNC_OPEN:
    if (is_whole(r, b, s))
      open_whole(r, b);
    else
      open_partly(r, b, s);
    if (r->copy_count && s->is_full) detect_async_settle(r, b);
    if (b->proxy_count && s->is_full) detect_proxy_settle(b);
    break;
  case VM_SYNC_EXIT: b->warps[s->who->warp].exited |= s->mask; break;
  case VM_SYNC_BLOCK_END: detect_clock_free_block(r, b->block); break;
  case VM_SYNC_FENCE:      /* message.c */
  case VM_SYNC_RENDEZVOUS: /* orders nothing in memory */
  case VM_SYNC_BLOCK_START: break;
  }
}
