/* outcome.c - may these values come out? The axioms of the memory model (PTX ISA 8.10) over one
 * run, byte by byte: there must be an order of all stores to the byte (coherence) that contradicts
 * neither causality nor what was read. Fence-SC and the atomicity of read-modify-writes of
 * different sizes are left to tests/unit/test_buffered.c. */
#include <string.h>
#include "oracle/oracle.h"

enum { STORES_MAX = 64 };

struct byte { /* of memory */
  const struct oracle *o;
  const struct vm_object *object;
  const char *name;
  u64 at;
  u32 store[STORES_MAX + 1], count; /* events; [0] stands for what was there at first */
  bool before[STORES_MAX + 1][STORES_MAX + 1];
};

static bool touches(const struct byte *b, const struct oracle_event *e) {
  return e->object == b->object && e->offset <= b->at && b->at < e->offset + e->size;
}

/* The store that a read event got the byte from: index into b->store; -1 = not known. Observers
 * hear of a read-modify-write when memory has changed already, and not when a plain store lands. */
static i32 read_from(const struct byte *b, const struct oracle_event *r) {
  for (u32 i = 1; r->writes && i < b->count; i++)
    if (!b->o->events[b->store[i]].strong) return -1;
  i32 w =
      r->writes ? (r->saw >= 0 ? r->saw : -2) : oracle_source(b->o, r, (u32)(b->at - r->offset));
  for (u32 i = 1; i < b->count; i++)
    if (w >= 0 && b->store[i] == (u32)w) return (i32)i;
  return w == -1 ? 0 : -1;
}

static bool causes(const struct byte *b, u32 store, const struct oracle_event *y) {
  return store == 0 || oracle_is_before(&b->o->events[b->store[store]], y);
}

/* What one read says of the order of the stores. */
static void learn(struct byte *b, const struct oracle_event *r, i32 from) {
  const struct oracle *o = b->o;
  for (u32 i = 0; i < b->count; i++) {
    if ((i32)i == from || (i && &o->events[b->store[i]] == r)) continue;
    if (causes(b, i, r)) b->before[i][from] = true; /* else it would have been read */
    if (i && oracle_is_before(r, &o->events[b->store[i]])) b->before[from][i] = true;
  }
  if (r->writes) /* a read-modify-write */
    for (u32 i = 1; i < b->count; i++)
      if (&o->events[b->store[i]] == r) b->before[from][i] = true;
  for (u32 k = 0; k < o->event_count; k++) { /* later reads see nothing older */
    const struct oracle_event *n = &o->events[k];
    if (n == r || !n->reads || !touches(b, n) || !oracle_is_before(r, n)) continue;
    i32 to = read_from(b, n);
    if (to >= 0 && to != from) b->before[from][to] = true;
  }
}

static bool is_cyclic(struct byte *b) {
  for (u32 k = 0; k < b->count; k++)
    for (u32 i = 0; i < b->count; i++)
      for (u32 j = 0; b->before[i][k] && j < b->count; j++)
        if (b->before[k][j]) b->before[i][j] = true;
  for (u32 i = 0; i < b->count; i++)
    if (b->before[i][i]) return true;
  return false;
}

static bool check_byte(struct byte *b, struct strbuf *why) {
  const struct oracle *o = b->o;
  b->count = 1;
  for (u32 i = 0; i < o->event_count; i++)
    if (o->events[i].writes && touches(b, &o->events[i])) {
      if (b->count > STORES_MAX) return true;
      b->store[b->count++] = i;
    }
  memset(b->before, 0, sizeof b->before);
  for (u32 i = 0; i < b->count; i++)
    for (u32 j = 1; j < b->count; j++)
      if (i != j && causes(b, i, &o->events[b->store[j]])) b->before[i][j] = true;
  for (u32 i = 0; i < o->event_count; i++) {
    const struct oracle_event *r = &o->events[i];
    i32 from = r->reads && touches(b, r) ? read_from(b, r) : -1;
    if (from >= 0) learn(b, r, from);
  }
  if (!is_cyclic(b)) return true;
  strbuf_printf(why, "the values read at %s+%u cannot come out\n", b->name, (u32)b->at);
  return false;
}

bool oracle_outcome(const struct oracle *o, struct strbuf *why) {
  if (o->program->has_sums) return true;
  for (u32 i = 0; i < o->memory_count; i++)
    for (u64 at = 0; at < o->memory[i].size_bytes; at++) {
      struct byte b = {.o = o, .object = o->memory[i].object, .name = o->memory[i].name, .at = at};
      if (!check_byte(&b, why)) return false;
    }
  return true;
}
