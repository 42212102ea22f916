/* map.h - the sparse part of a clock: foreign blocks, warps, threads -> epoch. Maps are shared and
 * never changed. Part of race.h. */
#ifndef WL_DETECT_MAP_H
#define WL_DETECT_MAP_H
#include "base/base.h"

struct race_item {
  u64 key; /* see detect_key_* */
  u32 epoch;
};
struct race_map;
/* Keys sort a block before its warps before their threads. */
static inline u64 detect_key_block(u32 block) { return (u64)block << 12; }
static inline u64 detect_key_warp(u32 block, u32 warp) {
  return (u64)block << 12 | (warp + 1) << 6;
}
static inline u64 detect_key_thread(u32 block, u32 warp, u32 lane) {
  return (u64)block << 12 | (warp + 1) << 6 | (lane + 1);
}
struct race_map *detect_map_ref(struct race_map *m); /* NULL is the empty map */
void detect_map_drop(struct race_map *m);
/* The newest of each key. */
struct race_map *detect_map_make(const struct race_item *items, u32 count);
/* *m is what `chain` has gathered up to `version`: all that it had at earlier versions, and more.
 * The numbers are the caller's, a pair of them never stands for two maps. It makes joins quick and
 * says nothing else. */
void detect_map_stamp(struct race_map **m, u32 chain, u32 version);
struct race_map *detect_map_join(struct race_map *a, struct race_map *b); /* a new reference */
/* *to = join(*to, from) */
void detect_map_add(struct race_map **to, struct race_map *from);
u32 detect_map_find(const struct race_map *m, u64 key); /* 0 when absent */
bool detect_map_knows(const struct race_map *m, u32 block, u32 warp, u32 lane, u32 epoch);
#endif
