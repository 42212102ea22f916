/* messages.c - a list of messages: by their writers' block, then by scope, one of each. What they
 * are for is message.c's business. */
#include <string.h>
#include "detect/race.h"

/* The first message of that block and at least that scope, or where it would be. */
u32 detect_messages_at(const struct race_messages *l, u32 block, u32 scope) {
  u32 lo = 0, hi = l->count;
  while (lo < hi) {
    u32 mid = lo + (hi - lo) / 2;
    const struct race_message *m = &l->list[mid];
    if (m->block < block || (m->block == block && m->scope < scope))
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

void detect_messages_add(struct race_messages *to, u32 block, u32 scope, struct race_map *map) {
  u32 at = detect_messages_at(to, block, scope);
  if (at < to->count && to->list[at].block == block && to->list[at].scope == scope) {
    detect_map_add(&to->list[at].map, map);
    return;
  }
  to->list = held_grow(to->list, &to->cap, to->count + 1u, sizeof *to->list);
  memmove(&to->list[at + 1], &to->list[at], (to->count - at) * sizeof *to->list);
  to->list[at] = (struct race_message){block, scope, detect_map_ref(map)};
  to->count++;
}

void detect_messages_clear(struct race_messages *m) {
  for (u32 i = 0; i < m->count; i++) detect_map_drop(m->list[i].map);
  m->count = 0;
}

void detect_messages_free(struct race_messages *m) {
  detect_messages_clear(m);
  held_free(m->list);
  *m = (struct race_messages){0};
}
