/* message.c - order that travels through memory: what strong writes publish, what strong reads
 * observe, what fences make of both (PTX ISA 8.7 release and acquire patterns, 8.9.4
 * synchronizes, 8.9.5 observation). Whether an access races is cell.c's business.
 *
 * A message is the clock of a fence or release operation, carried by the strong writes after it. A
 * chain of read-modify- writes that reach each other keeps the messages of all its links; any other
 * strong write starts anew. */
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

enum { MESSAGES_FEW = 4 };

/* ---- locations ---- */
/* A new chain begins. */
static void start_anew(const struct race *r, struct race_loc *l) {
  for (u32 i = 0; r->has_early && i < l->messages.count; i++) {
    const struct race_message *m = &l->messages.list[i];
    detect_messages_add(&l->past, m->block, m->scope, m->map);
  }
  detect_messages_clear(&l->messages);
  detect_map_drop(l->wide);
  l->wide = NULL;
}

void detect_loc_unref(struct race_loc *l) {
  if (--l->refs) return;
  detect_messages_free(&l->messages);
  detect_messages_free(&l->past);
  detect_map_drop(l->wide);
  held_free(l);
}

void detect_loc_forget(struct race_cell *cell, u64 from, u64 to, const struct race_loc *but) {
  for (u32 i = 0; i < COUNT_OF(cell->locs); i++) {
    struct race_loc *l = cell->locs[i];
    if (!l || l == but) continue;
    if (l->offset < to && from < l->offset + l->size) l->alive = false;
    if (l->alive) continue;
    cell->locs[i] = NULL;
    detect_loc_unref(l);
  }
}

static void attach(struct race_cell *cell, struct race_loc *l) {
  u32 at = 0;
  for (u32 i = 0; i < COUNT_OF(cell->locs); i++)
    if (!cell->locs[i]) at = i;
  if (cell->locs[at]) { /* four live locations in four bytes cannot overlap a fifth; keep memory
                           safe anyway */
    cell->locs[at]->alive = false;
    detect_loc_unref(cell->locs[at]);
  }
  cell->locs[at] = l;
  l->refs++;
}

static struct race_cell *cell_at(struct race_lane_access *x, u64 granule, bool create) {
  struct race *r = x->v.race;
  struct race_chunk *c = detect_chunk_of(x->s, (u32)(granule / x->s->per));
  u32 g = (u32)(granule % x->s->per);
  if (!create && (!c->cell || !c->cell[g])) return NULL;
  return detect_cell_get(r, c, g);
}

struct race_loc *detect_loc_find(struct race_lane_access *x, bool create) {
  u64 first = x->offset / 4, last = (x->offset + x->size - 1) / 4;
  struct race_cell *cell = cell_at(x, first, create);
  if (!cell) return NULL;
  for (u32 i = 0; i < COUNT_OF(cell->locs); i++) {
    struct race_loc *l = cell->locs[i];
    if (l && l->alive && l->offset == x->offset && l->size == x->size) return l;
  }
  if (!create) return NULL;
  struct race_loc *l = held_zeroed(1, sizeof *l);
  l->id = ++x->v.race->next_loc;
  l->alive = true;
  l->offset = x->offset;
  l->size = x->size;
  for (u64 g = first; g <= last; g++) {
    cell = cell_at(x, g, true);
    detect_loc_forget(cell, x->offset, x->offset + x->size, NULL);
    attach(cell, l);
  }
  return l;
}

/* ---- publishing ---- */
static void add_wide(struct race_loc *l, struct race_map *map) {
  const struct race_map *was = l->wide;
  detect_map_add(&l->wide, map);
  if (was && l->wide != was) detect_map_stamp(&l->wide, l->chain, ++l->wide_version);
}

/* Of messages that all reach far, `wide` says everything. */
static void post(const struct race *r, struct race_loc *l, u32 block, u32 scope,
                 struct race_map *map) {
  if (scope == SCOPE_FAR) add_wide(l, map);
  detect_messages_add(&l->messages, block, scope, r->far_only ? NULL : map);
}

static bool is_here(const struct race_release *rel, const struct race_lane_access *x) {
  return rel->object == x->s->object && rel->offset == x->offset && rel->size == x->size;
}

/* A release pattern may be a release operation and any later strong write of that thread to the
 * location. */
static void remember_release(struct race_lane_access *x, struct race_lane *lane) {
  u32 at = 0;
  while (at < lane->release_count &&
         !(is_here(&lane->releases[at], x) && lane->releases[at].scope == x->scope))
    at++;
  if (at == lane->release_count) {
    if (!lane->releases) lane->releases = held_zeroed(RACE_RELEASES, sizeof *lane->releases);
    if (at == RACE_RELEASES) {
      detect_map_drop(lane->releases[0].map);
      memmove(lane->releases, lane->releases + 1, --at * sizeof *lane->releases);
    } else {
      lane->release_count++;
    }
    lane->releases[at] = (struct race_release){x->s->object, x->offset, x->size, x->scope, NULL};
  }
  detect_map_drop(lane->releases[at].map);
  lane->releases[at].map = detect_clock_now(&x->v);
}

static void carry_releases(struct race_lane_access *x, struct race_loc *l,
                           const struct race_lane *lane) {
  for (u32 i = 0; i < lane->release_count; i++)
    if (is_here(&lane->releases[i], x))
      post(x->v.race, l, x->v.b->block, lane->releases[i].scope, lane->releases[i].map);
}

static void publish_clocks(struct race_lane_access *x, struct race_loc *l, u32 block) {
  if (x->v.w->lanes)
    for (u32 c = 0; c < SCOPE_CLASSES; c++) {
      struct race_lane *lane = &x->v.w->lanes[x->v.lane];
      if (!lane->rel[c]) continue;
      post(x->v.race, l, block, c, lane->rel[c]);
      if (lane->rel_epoch[c] > lane->told) lane->told = lane->rel_epoch[c];
    }
  if (x->a->sem == VM_RELEASE || x->a->sem == VM_ACQ_REL)
    remember_release(x, detect_lane_of(x->v.w, x->v.lane));
  if (x->v.w->lanes) carry_releases(x, l, &x->v.w->lanes[x->v.lane]);
}

static void publish(struct race_lane_access *x, struct race_loc *l, bool appends) {
  struct race *r = x->v.race;
  u32 me = x->v.warp_global * VM_LANES + x->v.lane, block = x->v.b->block;
  if (!appends) {
    start_anew(r, l);
    l->chain = ++r->next_chain;
    l->version = 0;
  }
  l->version++;
  if (!x->by_phase) publish_clocks(x, l, block);
  l->writer = me;
  l->writer_epoch = x->v.w->epoch;
  l->writer_site = x->site;
  l->writer_scope = x->scope;
}

/* ---- stores that others see later ---- */
/* The clock of the message is that of the store's execution, whenever it is seen. Returns what the
 * location will be; until then it is what it was. */
static const struct race_loc *publish_later(struct race_lane_access *x, u64 ticket) {
  struct race *r = x->v.race;
  size_t cap = 0;
  struct race_loc *news = held_grow(NULL, &cap, 1, sizeof *news);
  *news = (struct race_loc){.refs = 1, .offset = x->offset, .size = x->size};
  publish(x, news, false);
  r->delayed = held_grow(r->delayed, &r->delayed_cap, r->delayed_count + 1u, sizeof *r->delayed);
  r->delayed[r->delayed_count++] = (struct race_delayed){ticket, x->s, news, false};
  return news;
}

/* A plain store replaces the thread's own strong ones that nobody has seen yet: nobody hears when
 * it is seen itself. */
void detect_message_plain(const struct race_lane_access *x) {
  const struct race *r = x->v.race;
  u32 me = x->v.warp_global * VM_LANES + x->v.lane;
  for (u32 i = 0; i < r->delayed_count; i++) {
    struct race_delayed *d = &r->delayed[i];
    if (d->at == x->s && d->news->writer == me && d->news->offset < x->offset + x->size &&
        x->offset < d->news->offset + d->news->size)
      d->is_replaced = true;
  }
}

static void take_over(const struct race *r, struct race_loc *l, struct race_loc *news) {
  start_anew(r, l);
  held_free(l->messages.list);
  l->messages = news->messages;
  l->wide = news->wide;
  l->wide_version = news->wide_version;
  news->messages = (struct race_messages){0};
  news->wide = NULL;
  l->chain = news->chain;
  l->version = news->version;
  l->writer = news->writer;
  l->writer_epoch = news->writer_epoch;
  l->writer_site = news->writer_site;
  l->writer_scope = news->writer_scope;
}

static void forget_others(struct race_lane_access *x, const struct race_loc *but) {
  for (u64 g = x->offset / 4; g <= (x->offset + x->size - 1) / 4; g++) {
    struct race_cell *cell = cell_at(x, g, false);
    if (cell) detect_loc_forget(cell, x->offset, x->offset + x->size, but);
  }
}

static void arrive(struct race *r, const struct race_delayed *d) {
  struct race_lane_access x = {
      .v.race = r, .s = d->at, .offset = d->news->offset, .size = d->news->size};
  struct race_loc *l = d->is_replaced ? NULL : detect_loc_find(&x, true);
  if (l) take_over(r, l, d->news);
  forget_others(&x, l);
}

static void settle(struct race *r, u64 ticket, bool seen) {
  u32 kept = 0;
  for (u32 i = 0; i < r->delayed_count; i++) {
    struct race_delayed d = r->delayed[i];
    if (seen && d.ticket != ticket) {
      r->delayed[kept++] = d;
      continue;
    }
    if (seen && d.at) arrive(r, &d);
    detect_loc_unref(d.news);
  }
  r->delayed_count = kept;
}

void detect_message_gone(struct race *r, const struct race_shadow *s) {
  for (u32 i = 0; i < r->delayed_count; i++)
    if (r->delayed[i].at == s) r->delayed[i].at = NULL;
}
void detect_message_visible(struct race *r, u64 ticket) { settle(r, ticket, true); }
void detect_message_reset(struct race *r) { settle(r, 0, false); }

/* ---- observing ---- */
static bool reaches(const struct race_lane_access *x, const struct race_loc *l) {
  const struct race *r = x->v.race;
  u32 mine = x->v.b->block, writer = l->writer / VM_LANES / r->warps_per_block;
  return detect_covers(r, x->scope, mine, writer) &&
         detect_covers(r, l->writer_scope, writer, mine);
}

/* Those messages that reach this thread, by the scope that it needs to acquire them.
 * many: only those of its own block. */
static void gather_from(const struct race_lane_access *x, const struct race_messages *from,
                        bool many, struct race_map *out[SCOPE_CLASSES]) {
  const struct race *r = x->v.race;
  u32 mine = x->v.b->block;
  for (u32 i = many ? detect_messages_at(from, mine, 0) : 0; i < from->count; i++) {
    const struct race_message *m = &from->list[i];
    if (many && m->block != mine) break;
    if (!detect_covers(r, m->scope, m->block, mine)) continue;
    u32 need = m->block == mine                                  ? SCOPE_NEAR
               : detect_covers(r, SCOPE_CLUSTER, mine, m->block) ? SCOPE_CLUSTER
                                                                 : SCOPE_FAR;
    detect_map_add(&out[need], m->map);
  }
}

static bool is_early(const struct race_lane_access *x) {
  return x->a->late && x->a->late->early >> x->v.lane & 1;
}

/* Which of the earlier chains a read saw that came early is not known: it counts as having seen
 * them all, lest something ordered be called a race. */
static void gather(const struct race_lane_access *x, const struct race_loc *l,
                   struct race_map *out[SCOPE_CLASSES]) {
  /* Without clusters, from other blocks come those of gpu scope: all of them together. */
  const struct race *r = x->v.race;
  bool many = l->messages.count > MESSAGES_FEW && !r->has_clusters;
  if (many || r->far_only) out[SCOPE_FAR] = detect_map_ref(l->wide);
  if (r->far_only) return;
  gather_from(x, &l->messages, many, out);
  if (is_early(x)) gather_from(x, &l->past, false, out);
}

static void note_seen(struct race_lane *lane, const struct race_lane_access *x,
                      const struct race_loc *l, bool lost) {
  struct race_seen *s = NULL;
  for (u32 i = 0; i < RACE_SEEN; i++)
    if (lane->seen[i].loc == l->id) s = &lane->seen[i];
  if (!s) s = &lane->seen[lane->seen_next++ % RACE_SEEN];
  *s = (struct race_seen){.loc = l->id,
                          .writer = l->writer,
                          .epoch = l->writer_epoch,
                          .writer_site = l->writer_site,
                          .reader_site = x->site,
                          .chain = x->chain,
                          .version = x->version,
                          .writer_scope = l->writer_scope,
                          .reader_scope = x->scope,
                          .out_of_reach = lost};
}

/* What is pending for the location of x, however often it has been another one since. */
static struct race_pending *pending_at(struct race_lane *lane, const struct race_lane_access *x) {
  for (u32 i = 0; i < lane->pending_count; i++) {
    struct race_pending *p = &lane->pending[i];
    if (p->at == x->s && p->offset == x->offset && p->size == x->size) return p;
  }
  return NULL;
}

static struct race_pending *pending_for(struct race_lane *lane, const struct race_lane_access *x) {
  struct race_pending *known = pending_at(lane, x);
  if (known) return known;
  if (lane->pending_count == RACE_PENDING) { /* the two oldest become one */
    struct race_pending *p = lane->pending;
    for (u32 c = 0; c < SCOPE_CLASSES; c++) {
      detect_map_add(&p[0].map[c], p[1].map[c]);
      detect_map_drop(p[1].map[c]);
    }
    p[0].loc = 0;
    p[0].at = NULL;
    memmove(&p[1], &p[2], (RACE_PENDING - 2) * sizeof *p);
    lane->pending_count--;
  }
  lane->pending =
      held_grow(lane->pending, &lane->pending_cap, lane->pending_count + 1u, sizeof *lane->pending);
  struct race_pending *n = &lane->pending[lane->pending_count++];
  *n = (struct race_pending){.at = x->s, .offset = x->offset, .size = x->size};
  return n;
}

/* What was observed there becomes known as far as `scope` reaches. */
static void acquire(struct race_lane *lane, struct race_pending *p, u32 scope) {
  for (u32 c = 0; c <= scope; c++) {
    detect_map_add(&lane->map, p->map[c]);
    detect_map_drop(p->map[c]);
    p->map[c] = NULL;
  }
}

/* Has that lane seen what is there already, and what came with it? */
static bool is_pending(const struct race_lane *lane, const struct race_loc *l) {
  for (u32 i = 0; i < lane->pending_count; i++) {
    const struct race_pending *p = &lane->pending[i];
    if (p->loc == l->id) return p->chain == l->chain && p->version == l->version;
  }
  return false;
}

static void observe(struct race_lane_access *x, const struct race_loc *l, bool acquires) {
  struct race_lane *lane = detect_lane_of(x->v.w, x->v.lane);
  struct race_map *got[SCOPE_CLASSES] = {0};
  if (!acquires && !is_early(x) && is_pending(lane, l)) { /* polling: nothing new */
    note_seen(lane, x, l, false);
    return;
  }
  gather(x, l, got);
  note_seen(lane, x, l, l->messages.count > 0 && !(got[0] || got[1] || got[2]));
  for (u32 c = 0; acquires && c <= x->scope; c++) { /* taken already */
    detect_map_drop(got[c]);
    got[c] = NULL;
  }
  if (got[0] || got[1] || got[2]) {
    struct race_pending *p = pending_for(lane, x);
    p->loc = l->id;
    if (p->chain != l->chain || p->version != l->version || acquires || is_early(x)) {
      p->chain = l->chain;
      p->version = l->version;
      for (u32 c = 0; c < SCOPE_CLASSES; c++) detect_map_add(&p->map[c], got[c]);
    }
  }
  for (u32 c = 0; c < SCOPE_CLASSES; c++) detect_map_drop(got[c]);
}

/* The lane reads a store that others have made, and theirs reach it. */
static bool is_observed(const struct race_lane_access *x, const struct race_loc *l) {
  const struct vm_late *late = x->a->late;
  bool own = late && late->forwarded >> x->v.lane & 1;
  return x->reads && l->version && !own && (is_early(x) || reaches(x, l));
}

static bool can_acquire(const struct race_lane_access *x) {
  return x->reads && x->a->kind != VM_RED && !x->by_phase;
}

/* What an acquire operation takes comes before the operation itself: a flag that its owner first
 * cleared plainly and then released is no race for who acquires it (PTX ISA 8.9.5: the release
 * pattern precedes the acquire pattern). */
void detect_message_acquire(struct race_lane_access *x) {
  if (!can_acquire(x) || (x->a->sem != VM_ACQUIRE && x->a->sem != VM_ACQ_REL)) return;
  const struct race_loc *l = detect_loc_find(x, false);
  if (!l && !x->v.w->lanes) return;
  struct race_lane *lane = detect_lane_of(x->v.w, x->v.lane);
  if (l && is_observed(x, l)) {
    struct race_map *got[SCOPE_CLASSES] = {0};
    gather(x, l, got);
    for (u32 c = 0; c < SCOPE_CLASSES; c++) {
      if (c <= x->scope) detect_map_add(&lane->map, got[c]);
      detect_map_drop(got[c]);
    }
  }
  struct race_pending *p = pending_at(lane, x);
  if (p) acquire(lane, p, x->scope);
}

void detect_message_access(struct race_lane_access *x) {
  const struct vm_late *late = x->a->late;
  bool later = x->writes && late && late->delayed >> x->v.lane & 1;
  struct race_loc *l = later ? NULL : detect_loc_find(x, x->writes);
  x->chain = x->version = 0;
  if (later) {
    const struct race_loc *news = publish_later(x, late->ticket[x->v.lane]);
    x->chain = news->chain;
    x->version = news->version;
  }
  if (x->reads && is_early(x)) x->chain = x->version = CHAIN_ANY;
  if (!l) return;
  bool own = late && late->forwarded >> x->v.lane & 1, observed = is_observed(x, l);
  if (observed && !is_early(x)) {
    x->chain = l->chain;
    x->version = l->version;
  }
  if (observed && can_acquire(x))
    observe(x, l, x->a->sem == VM_ACQUIRE || x->a->sem == VM_ACQ_REL);
  else if (can_acquire(x) && l->version && !own && x->v.w->lanes)
    note_seen(&x->v.w->lanes[x->v.lane], x, l, true);
  if (!x->writes) return;
  publish(x, l, observed);
  x->chain = l->chain;
  x->version = l->version;
  forget_others(x, l);
}

/* ---- fences ---- */
static void acquire_all(struct race_lane *lane, u32 scope) {
  u32 kept = 0;
  for (u32 i = 0; i < lane->pending_count; i++) {
    struct race_pending p = lane->pending[i];
    acquire(lane, &p, scope);
    if (p.map[0] || p.map[1] || p.map[2]) lane->pending[kept++] = p;
  }
  lane->pending_count = kept;
}

static void release_all(struct race_viewer *v, struct race_lane *lane, u32 scope) {
  for (u32 c = 0; c <= scope; c++) {
    detect_map_drop(lane->rel[c]);
    lane->rel[c] = NULL;
  }
  lane->rel[scope] = detect_clock_kept(v);
  lane->rel_epoch[scope] = v->w->epoch;
}

void detect_message_fence(struct race *r, const struct vm_sync *s) {
  struct race_block *b = detect_block_of(r, s->who->block);
  struct race_viewer v = {r, b, &b->warps[s->who->warp], s->who->warp, 0, s->who->warp_global};
  u32 scope = detect_scope_class(s->scope);
  const struct ptx_insn *in = s->pos.insn; /* fence.acquire and fence.release go one way */
  bool acquires = !in || !ptx_has(in, MOD_RELEASE), releases = !in || !ptx_has(in, MOD_ACQUIRE);
  for (u32 m = s->mask; m; m &= m - 1) {
    v.lane = (u32)__builtin_ctz(m);
    struct race_lane *lane = detect_lane_of(v.w, v.lane);
    if (acquires) acquire_all(lane, scope);
    if (releases) release_all(&v, lane, scope);
  }
  detect_clock_bump(r, v.w);
}

/* ---- explanations ---- */
enum race_hint detect_message_hint(const struct race_lane_access *x, u32 warp_global, u32 lane,
                                   u32 epoch, struct race_seen *seen) {
  if (!x->v.w->lanes) return HINT_NONE;
  const struct race_lane *me = &x->v.w->lanes[x->v.lane];
  u32 wpb = x->v.race->warps_per_block, block = warp_global / wpb;
  for (u32 i = 0; i < me->pending_count; i++)
    for (u32 c = 0; c < SCOPE_CLASSES; c++) {
      if (!detect_map_knows(me->pending[i].map[c], block, warp_global % wpb, lane, epoch)) continue;
      *seen = (struct race_seen){0};
      for (u32 k = 0; k < RACE_SEEN; k++)
        if (me->seen[k].loc == me->pending[i].loc) *seen = me->seen[k];
      return HINT_NO_ACQUIRE;
    }
  for (u32 k = 0; k < RACE_SEEN; k++) {
    const struct race_seen *s = &me->seen[k];
    if (!s->loc || s->writer != warp_global * VM_LANES + lane || s->epoch < epoch) continue;
    *seen = *s;
    /* What came with the signal, if anything, is older than the write: else it would be ordered. */
    return s->out_of_reach ? HINT_SCOPE : HINT_NO_RELEASE;
  }
  /* Fences of threads that see no signal: often all of a block have one, behind the barrier. */
  bool has_seen = false, has_fenced = false;
  for (u32 k = 0; k < RACE_SEEN; k++) /* from another block */
    has_seen |= me->seen[k].loc && me->seen[k].writer / VM_LANES / wpb != x->v.b->block;
  for (u32 c = 0; c < SCOPE_CLASSES; c++) has_fenced |= me->rel[c] != NULL;
  return has_fenced && !has_seen ? HINT_FENCE_ALONE : HINT_NONE;
}
