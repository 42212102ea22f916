/* map.c - sparse clocks: which foreign blocks, warps and threads are known, and up to which epoch.
 * Maps are shared and never change once made. Who holds which map is clock.c's business. */
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

struct race_map *detect_map_ref(struct race_map *m) {
  if (m) m->refs++;
  return m;
}

void detect_map_drop(struct race_map *m) {
  if (m && --m->refs == 0) held_free(m);
}

static struct race_map *map_room(u32 count) {
  struct race_map *m = held_zeroed(1, sizeof *m + count * sizeof m->items[0]);
  m->refs = 1;
  m->count = 0;
  return m;
}

/* Appends in key order; drops what a wider key already says. */
struct widest {
  u64 block, warp;
  u32 block_epoch, warp_epoch;
};
static void append(struct race_map *m, struct widest *w, struct race_item it) {
  u64 block = it.key >> 12, warp = it.key >> 6;
  bool is_block = !(it.key & 0xfff), is_warp = !is_block && !(it.key & 0x3f);
  if (block != w->block) *w = (struct widest){.block = block, .warp = warp};
  if (warp != w->warp) {
    w->warp = warp;
    w->warp_epoch = 0;
  }
  if (!is_block && it.epoch <= w->block_epoch) return;
  if (!is_block && !is_warp && it.epoch <= w->warp_epoch) return;
  if (is_block) w->block_epoch = it.epoch;
  if (is_warp) w->warp_epoch = it.epoch;
  m->items[m->count++] = it;
}

static int by_key(const void *a, const void *b) {
  const struct race_item *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->epoch > y->epoch ? -1 : x->epoch < y->epoch;
}

struct race_map *detect_map_make(struct race_item *items, u32 count) {
  if (count == 0) return NULL;
  if (count > 1) qsort(items, count, sizeof *items, by_key);
  struct race_map *m = map_room(count);
  struct widest w = {.block = ~0ull};
  for (u32 i = 0; i < count; i++)
    if (items[i].epoch && (i == 0 || items[i].key != items[i - 1].key)) append(m, &w, items[i]);
  return m;
}

/* Does b say nothing that a does not? By exact keys: enough to avoid most copies. */
static bool contains(const struct race_map *a, const struct race_map *b) {
  if (b->count > a->count) return false;
  u32 i = 0;
  for (u32 j = 0; j < b->count; j++) {
    while (i < a->count && a->items[i].key < b->items[j].key) i++;
    if (i == a->count || a->items[i].key != b->items[j].key ||
        a->items[i].epoch < b->items[j].epoch)
      return false;
  }
  return true;
}

struct race_map *detect_map_join(struct race_map *a, struct race_map *b) {
  if (!b || a == b) return detect_map_ref(a);
  if (!a) return detect_map_ref(b);
  if (contains(a, b)) return detect_map_ref(a);
  if (contains(b, a)) return detect_map_ref(b);
  struct race_map *m = map_room(a->count + b->count);
  struct widest w = {.block = ~0ull};
  u32 i = 0, j = 0;
  while (i < a->count || j < b->count) {
    struct race_item it;
    if (j == b->count || (i < a->count && a->items[i].key < b->items[j].key)) {
      it = a->items[i++];
    } else if (i == a->count || b->items[j].key < a->items[i].key) {
      it = b->items[j++];
    } else {
      it = a->items[i++];
      if (b->items[j].epoch > it.epoch) it = b->items[j];
      j++;
    }
    append(m, &w, it);
  }
  return m;
}

void detect_map_add(struct race_map **to, struct race_map *from) {
  if (!from) return;
  struct race_map *joined = detect_map_join(*to, from);
  detect_map_drop(*to);
  *to = joined;
}

u32 detect_map_find(const struct race_map *m, u64 key) {
  if (!m) return 0;
  u32 lo = 0, hi = m->count;
  while (lo < hi) {
    u32 mid = lo + (hi - lo) / 2;
    if (m->items[mid].key < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < m->count && m->items[lo].key == key ? m->items[lo].epoch : 0;
}

bool detect_map_knows(const struct race_map *m, u32 block, u32 warp, u32 lane, u32 epoch) {
  if (!m) return false;
  return detect_map_find(m, detect_key_block(block)) >= epoch ||
         detect_map_find(m, detect_key_warp(block, warp)) >= epoch ||
         detect_map_find(m, detect_key_thread(block, warp, lane)) >= epoch;
}
