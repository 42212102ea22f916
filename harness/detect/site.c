/* site.c - an instruction and the calls that lead to it, as one number that shadow memory can hold.
 * Numbers are of one launch. */
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

enum { SITES_MAX = 1u << 20 };

static u64 mix(u64 x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ull;
  return x ^ x >> 29;
}

static void grow_table(struct race *r) {
  u32 size = r->site_table_size ? r->site_table_size * 2 : 256;
  held_free(r->site_table);
  size_t cap = 0;
  r->site_table = held_grow(NULL, &cap, size, sizeof *r->site_table);
  memset(r->site_table, 0, size * sizeof *r->site_table);
  r->site_table_size = size;
  for (u32 i = 1; i < r->site_count; i++) {
    u32 h = (u32)mix(r->sites[i].stack * 31 + r->sites[i].pos_id);
    while (r->site_table[h & (size - 1)]) h++;
    r->site_table[h & (size - 1)] = i;
  }
}

static u32 site_new(struct race *r, const struct vm_access *a, u64 stack) {
  if (r->site_count == 0) r->site_count = 1;
  r->sites = held_grow(r->sites, &r->site_cap, r->site_count + 1u, sizeof *r->sites);
  struct detect_calls calls;
  detect_calls_of(a->frame, &calls);
  struct race_site s = {
      .pos_id = a->pos_id, .stack = stack, .pos = a->pos, .nc = a->nc, .call_count = calls.count};
  s.op = detect_op_text(a->pos.insn, a->kind, a->sem, a->nc);
  s.calls = NEWN(&r->site_arena, struct vm_code_pos, calls.count);
  memcpy(s.calls, calls.at, calls.count * sizeof *s.calls);
  r->sites[r->site_count] = s;
  return r->site_count++;
}

static u32 site_lookup(struct race *r, const struct vm_access *a, u64 stack) {
  if (r->site_count * 2 >= r->site_table_size) grow_table(r);
  u32 h = (u32)mix(stack * 31 + a->pos_id), at;
  while ((at = r->site_table[h & (r->site_table_size - 1)])) {
    if (r->sites[at].pos_id == a->pos_id && r->sites[at].stack == stack) return at;
    h++;
  }
  if (r->site_count >= SITES_MAX)
    return r->site_last[a->pos_id] ? r->site_last[a->pos_id] : 1; /* runaway recursion */
  at = site_new(r, a, stack);
  r->site_table[h & (r->site_table_size - 1)] = at;
  return at;
}

u32 detect_site_of(struct race *r, const struct vm_access *a) {
  u64 stack = a->frame ? vm_stack_id(a->frame) : 0;
  if (a->pos_id < r->site_last_cap) {
    u32 last = r->site_last[a->pos_id];
    if (last && r->sites[last].stack == stack) return last;
  } else {
    size_t old = r->site_last_cap;
    r->site_last = held_grow(r->site_last, &r->site_last_cap, a->pos_id + 1u, sizeof *r->site_last);
    memset(r->site_last + old, 0, (r->site_last_cap - old) * sizeof *r->site_last);
  }
  return r->site_last[a->pos_id] = site_lookup(r, a, stack);
}

void detect_site_reset(struct race *r) {
  r->site_count = 0;
  if (r->site_table) memset(r->site_table, 0, r->site_table_size * sizeof *r->site_table);
  if (r->site_last) memset(r->site_last, 0, r->site_last_cap * sizeof *r->site_last);
  arena_free(&r->site_arena);
}

const struct detect_where *detect_site_where(struct race *r, u32 site) {
  struct race_site *s = &r->sites[site];
  if (!s->has_where) detect_where_of(r->d, s->pos, s->calls, s->call_count, &s->where);
  s->has_where = true;
  return &s->where;
}
