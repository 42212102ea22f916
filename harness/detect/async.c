/* async.c - asynchronous copies: each is a thread of its own, forked from its issuer, joined by a
 * wait or through an mbarrier. Here they are issued, joined and given back to ordinary threads; the
 * rule for their accesses is cell.c's.
 *
 * A copy's accesses stand in shadow memory under a thread number behind all real ones, at an epoch
 * that no barrier ever covers: only who has acquired the copy itself knows them. Once the copy is
 * joined by its issuer, they become the issuer's; once a whole block knows it, they are history. */
#include <stdlib.h>
#include <string.h>
#include "detect/race.h"

enum { PIECE = 4 };
static const u32 LATER = 0xfffffff0u; /* the epoch of what runs on its own */

static u32 first_number(const struct race *r) { return r->block_count * r->warps_per_block; }

const struct race_copy *detect_async_find(const struct race *r, u32 warp_global) {
  if (r->copy_count == 0 || warp_global < first_number(r)) return NULL;
  u32 lo = 0, hi = r->copy_count; /* in the order of their numbers */
  while (lo < hi) {
    u32 mid = lo + (hi - lo) / 2;
    if (r->copies[mid].number < warp_global)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < r->copy_count && r->copies[lo].number == warp_global ? &r->copies[lo] : NULL;
}

static struct race_item key_of(const struct race *r, const struct race_copy *c) {
  u32 wpb = r->warps_per_block;
  return (struct race_item){detect_key_thread(c->number / wpb, c->number % wpb, 0), LATER};
}

/* ---- issue ---- */
static void piece(struct race_lane_access *x, const struct race_viewer *issuer,
                  const struct race_viewer *copy) {
  u64 first = x->offset / 4, last = (x->offset + x->size - 1) / 4;
  for (u64 g = first; g <= last; g++) {
    u64 from = x->offset > g * 4 ? x->offset - g * 4 : 0;
    u64 to = x->offset + x->size < g * 4 + 4 ? x->offset + x->size - g * 4 : 4;
    u8 bytes = (u8)((1u << to) - (1u << from));
    x->v = *issuer;
    if (x->by_proxy) detect_proxy_check(x, g, bytes);
    detect_cell_check(x, (u32)g, bytes);
    x->v = *copy;
    detect_cell_update(x, (u32)g, bytes);
  }
}

static void touch(struct race *r, const struct vm_async_event *e, struct race_copy *c,
                  const struct vm_async_range *range, enum vm_access_kind kind) {
  if (!range->object || !range->size_bytes) return;
  if (range->object->space != SP_GLOBAL && range->object->space != SP_SHARED) return;
  if (range->offset > range->object->size_bytes ||
      range->size_bytes > range->object->size_bytes - range->offset)
    return;
  struct race_block *b = detect_block_of(r, e->who->block);
  struct race_viewer issuer = {
      r, b, &b->warps[e->who->warp], e->who->warp, e->lane, e->who->warp_global};
  struct race_viewer copy = {r, b, &r->copy_warp, 0, 0, c->number};
  u32 offset[VM_LANES] = {0};
  struct vm_access a = {.who = e->who,
                        .frame = e->frame,
                        .pos = e->pos,
                        .pos_id = e->pos_id,
                        .mask = 1u << e->lane,
                        .kind = kind,
                        .scope = VM_SCOPE_GPU,
                        .object = range->object,
                        .offset = offset,
                        .pattern = VM_UNIFORM};
  bool reduces = kind == VM_RED;
  if (reduces) a.sem = VM_RELAXED;
  u32 n = PIECE;
  if (reduces && e->pos.insn && e->pos.insn->type_count) {
    n = ptx_type_bytes((enum ptx_type)e->pos.insn->types[e->pos.insn->type_count - 1]);
    if (n == 0) n = PIECE;
  }
  struct race_lane_access x = {.a = &a,
                               .strong = reduces,
                               .scope = SCOPE_FAR,
                               .is_copy = true,
                               .by_proxy = c->is_bulk,
                               .reads = VM_READS(kind),
                               .writes = VM_WRITES(kind)};
  x.site = c->site = detect_site_of(r, &a);
  x.s = detect_shadow_of(r, range->object);
  x.bound = detect_bound_of(r, b, range->object);
  u64 end = range->offset + range->size_bytes;
  for (u64 at = range->offset; at < end && !held_over(); at += x.size) { /* over: it ends anyway */
    u64 room = reduces ? n : PIECE - at % PIECE;
    x.size = (u32)(room < end - at ? room : end - at);
    x.offset = at;
    offset[e->lane] = (u32)at;
    a.size_bytes = x.size;
    piece(&x, &issuer, &copy);
  }
  detect_conflict_done(r);
}

static void issue(struct race *r, const struct vm_async_event *e) {
  struct race_copy c = {.id = e->id,
                        .warp = e->who->warp_global,
                        .lane = e->lane,
                        .block = e->who->block,
                        .is_bulk = e->is_bulk,
                        .by_group = e->by_group,
                        .group = e->group,
                        .src = e->src,
                        .dst = e->dst};
  c.number = first_number(r) + r->next_copy++;
  r->copies = held_grow(r->copies, &r->copy_cap, r->copy_count + 1u, sizeof *r->copies);
  struct race_copy *kept = &r->copies[r->copy_count++];
  *kept = c;
  r->copy_warp.epoch = LATER;
  touch(r, e, kept, &e->src, VM_READ);
  touch(r, e, kept, &e->dst, e->is_reduction ? VM_RED : VM_WRITE);
}

/* ---- from the copy to a real thread ---- */
struct owner {
  u32 warp, lane, epoch;
};

static void retag_cell(struct race *r, struct race_chunk *c, u32 g, u32 number, struct owner to) {
  struct race_cell *cell = &r->cells[c->cell[g]];
  for (u32 i = 0; i < cell->entry_count; i++) {
    struct race_entry *e = &cell->entries[i];
    if (e->warp != number || e->epoch != LATER) continue;
    e->warp = to.warp;
    e->mask = 1u << to.lane;
    e->epoch = to.epoch;
  }
  u32 first = 0, hi = cell->reader_count; /* readers are in the order of their warps */
  while (first < hi) {
    u32 mid = first + (hi - first) / 2;
    if (cell->readers[mid].warp < number)
      first = mid + 1;
    else
      hi = mid;
  }
  for (u32 i = first; i < cell->reader_count && cell->readers[i].warp == number; i++) {
    struct race_reader n = cell->readers[i];
    if (n.epoch != LATER) continue;
    memmove(&cell->readers[i], &cell->readers[i + 1], (--cell->reader_count - i) * sizeof n);
    n.warp = to.warp;
    n.mask = 1u << to.lane;
    n.epoch = to.epoch;
    detect_read_part(r, c, g, &n); /* in its new place; there is one at most */
    return;
  }
}

static void retag(struct race *r, const struct race_copy *c, const struct vm_async_range *range,
                  struct owner to) {
  if (!range->object || !range->object->shadow || !range->size_bytes) return;
  struct race_shadow *s = range->object->shadow;
  u32 thread = c->number * VM_LANES;
  for (u64 at = range->offset / 4; at <= (range->offset + range->size_bytes - 1) / 4; at++) {
    u32 index = (u32)(at / s->per), g = (u32)(at % s->per);
    struct race_chunk *k = index < s->chunk_count ? s->chunks[index] : NULL;
    if (!k) continue;
    if (k->w_epoch && k->w_epoch[g] == LATER && k->w_thread[g] == thread) {
      k->w_thread[g] = to.warp * VM_LANES + to.lane;
      k->w_epoch[g] = to.epoch;
    }
    if (k->p_epoch && k->p_epoch[g] == LATER && k->p_thread[g] == thread) {
      k->p_thread[g] = to.warp * VM_LANES + to.lane;
      k->p_epoch[g] = to.epoch;
    }
    if (k->r_epoch && k->r_epoch[g] == LATER && k->r_warp[g] == c->number) {
      k->r_warp[g] = to.warp;
      k->r_mask[g] = 1u << to.lane;
      k->r_epoch[g] = to.epoch;
    }
    if (k->cell && k->cell[g]) retag_cell(r, k, g, c->number, to);
  }
}

/* The list closes up in one pass, in its order. */
static void keep(struct race *r, u32 to, u32 from) {
  if (to != from) r->copies[to] = r->copies[from];
}

static void wait_for(struct race *r, const struct vm_async_event *e) {
  struct race_block *b = detect_block_of(r, e->who->block);
  struct owner to = {e->who->warp_global, e->lane, b->warps[e->who->warp].epoch};
  u32 kept = 0;
  for (u32 i = 0; i < r->copy_count; i++) {
    struct race_copy *c = &r->copies[i];
    bool mine = c->warp == to.warp && c->lane == to.lane && c->is_bulk == e->is_bulk &&
                c->by_group && c->group < e->group;
    if (mine && c->is_posted) { /* others know it by its own name already */
      struct race_item key = key_of(r, c);
      struct race_map *m = detect_map_make(&key, 1);
      detect_map_add(&detect_lane_of(&b->warps[e->who->warp], e->lane)->map, m);
      detect_map_drop(m);
      mine = false;
    }
    if (mine) retag(r, c, &c->src, to), c->src.object = NULL;
    if (mine && e->kind == VM_ASYNC_WAIT)
      retag(r, c, &c->dst, to);
    else
      keep(r, kept++, i);
  }
  r->copy_count = kept;
}

/* ---- copies that outlive their block ---- */
static bool anybody_knows(const struct race_block *b, u32 warps, struct race_item key) {
  if (detect_map_find(b->map, key.key) >= key.epoch) return true;
  for (u32 w = 0; w < warps; w++)
    for (u32 l = 0; b->warps[w].lanes && l < VM_LANES; l++)
      if (detect_map_find(b->warps[w].lanes[l].map, key.key) >= key.epoch) return true;
  return false;
}

static void outlives(struct race *r, const struct race_copy *c, const struct vm_object *o,
                     u64 offset, const char *verb) {
  struct finding *f = detect_finding(r->d, V_RACE, SEVERITY_ERROR);
  u32 block = c->warp / r->warps_per_block, warp = c->warp % r->warps_per_block;
  char thread[96], object[160];
  detect_thread_text(&r->d->launch, block, warp, c->lane, thread, sizeof thread);
  detect_object_text(o, offset, 0, object, sizeof object);
  detect_object_at(r->d, f, o, offset, 0);
  detect_access_at(r->d, &f->accesses[0], r->sites[c->site].op, block, warp, c->lane,
                   detect_site_where(r, c->site));
  f->access_count = 1;
  f->message = arena_printf(
      r->d->keep,
      "The asynchronous copy that %s started may still %s %s when the block ends: nobody in the "
      "block has waited for it, and shared memory goes away with its block.",
      thread, verb, object);
  f->suggestion = "Wait before the block ends: commit the copy's group and wait for it "
                  "(cp.async.bulk.commit_group, cp.async.bulk.wait_group.read), or for the phase "
                  "of the mbarrier that counts its bytes.";
  detect_add(r->d, f);
}

void detect_async_block_end(struct race *r, const struct race_block *b) {
  for (u32 i = 0; i < r->copy_count; i++) {
    const struct race_copy *c = &r->copies[i];
    const struct vm_async_range *ends[] = {&c->src, &c->dst};
    if (!c->is_bulk || anybody_knows(b, r->warps_per_block, key_of(r, c))) continue;
    for (u32 k = 0; k < COUNT_OF(ends); k++)
      if (ends[k]->object && ends[k]->object->space == SP_SHARED &&
          ends[k]->object->block == b->block)
        outlives(r, c, ends[k]->object, ends[k]->offset, k ? "write" : "read");
  }
}

void detect_async_settle(struct race *r, struct race_block *b) {
  u32 kept = 0;
  for (u32 i = 0; i < r->copy_count; i++) {
    struct race_copy *c = &r->copies[i];
    struct race_item key = key_of(r, c);
    if (c->block == b->block && detect_map_find(b->map, key.key) >= key.epoch) {
      struct owner to = {c->warp, c->lane, b->known};
      retag(r, c, &c->src, to);
      retag(r, c, &c->dst, to);
    } else {
      keep(r, kept++, i);
    }
  }
  r->copy_count = kept;
}

static void clear_phase(struct race_phase *p) {
  detect_map_drop(p->now);
  detect_map_drop(p->done);
  p->now = p->done = NULL;
}

void detect_async_forget(struct race *r, const struct vm_object *o) {
  for (u32 i = 0; i < r->copy_count; i++) {
    if (r->copies[i].src.object == o) r->copies[i].src.object = NULL;
    if (r->copies[i].dst.object == o) r->copies[i].dst.object = NULL;
  }
  for (u32 i = 0; i < r->phase_count;) {
    if (r->phases[i].object == o) {
      clear_phase(&r->phases[i]);
      r->phases[i] = r->phases[--r->phase_count];
      r->phase_slots = 0;
    } else {
      i++;
    }
  }
}

/* The launch ends: all copies are done and everybody knows. */
void detect_async_reset(struct race *r) {
  for (u32 i = r->copy_count;
       i-- > 0;) { /* from the end, as they stand among a granule's readers */
    struct owner to = {r->copies[i].warp, r->copies[i].lane, 1};
    retag(r, &r->copies[i], &r->copies[i].src, to);
    retag(r, &r->copies[i], &r->copies[i].dst, to);
  }
  r->copy_count = r->next_copy = 0;
  for (u32 i = 0; i < r->phase_count; i++) clear_phase(&r->phases[i]);
  r->phase_count = r->phase_slots = 0;
  for (u32 i = 0; i < r->arrival_count; i++) detect_map_drop(r->arrivals[i].clock);
  r->arrival_count = 0;
}

/* ---- mbarriers: arrivals release into the phase; who sees it complete acquires the completed ones
 * ---- */
static u32 *phase_slot(struct race *r, const struct vm_object *o, u64 offset) {
  u32 i = (u32)((o->id * 0x9e3779b97f4a7c15ull ^ offset * 0xbf58476d1ce4e5b9ull) >> 29);
  for (i &= r->phase_slots - 1; r->phase_table[i]; i = (i + 1) & (r->phase_slots - 1)) {
    const struct race_phase *p = &r->phases[r->phase_table[i] - 1];
    if (p->object == o && p->offset == offset) break;
  }
  return &r->phase_table[i];
}

/* Anew when phases have gone, and when there are too many for it. */
static void phase_table(struct race *r) {
  if (r->phase_slots && r->phase_count * 2 < r->phase_slots) return;
  u32 n = 64;
  while (n < r->phase_count * 4) n *= 2;
  held_free(r->phase_table);
  r->phase_table = held_zeroed(n, sizeof *r->phase_table);
  r->phase_slots = n;
  for (u32 i = 0; i < r->phase_count; i++)
    *phase_slot(r, r->phases[i].object, r->phases[i].offset) = i + 1;
}

static struct race_phase *phase_of(struct race *r, const struct vm_async_event *e) {
  phase_table(r);
  u32 *slot = phase_slot(r, e->bar.object, e->bar.offset);
  if (*slot) return &r->phases[*slot - 1];
  *slot = r->phase_count + 1;
  r->phases = held_grow(r->phases, &r->phase_cap, r->phase_count + 1u, sizeof *r->phases);
  r->phases[r->phase_count] = (struct race_phase){e->bar.object, e->bar.offset, NULL, NULL};
  return &r->phases[r->phase_count++];
}

static void add_and_drop(struct race_map **to, struct race_map *from) {
  detect_map_add(to, from);
  detect_map_drop(from);
}

/* Copies of the lane that the mbarrier has counted now. */
static void post_copies(struct race *r, const struct vm_async_event *e, struct race_phase *p) {
  for (u32 i = 0; i < r->copy_count; i++) {
    struct race_copy *c = &r->copies[i];
    bool joined =
        e->kind == VM_ASYNC_ARRIVE_TX
            ? c->id == e->id
            : c->id < e->id && !c->is_bulk && c->warp == e->who->warp_global && c->lane == e->lane;
    if (!joined) continue;
    c->is_posted = true;
    struct race_item key = key_of(r, c);
    add_and_drop(&p->now, detect_map_make(&key, 1));
  }
}

/* What an asynchronous arrival releases was decided when it was executed. */
static void arrival_issued(struct race *r, const struct vm_async_event *e) {
  struct race_block *b = detect_block_of(r, e->who->block);
  struct race_viewer v = {
      r, b, &b->warps[e->who->warp], e->who->warp, e->lane, e->who->warp_global};
  r->arrivals = held_grow(r->arrivals, &r->arrival_cap, r->arrival_count + 1u, sizeof *r->arrivals);
  r->arrivals[r->arrival_count++] = (struct race_arrival){e->id, detect_clock_now(&v)};
  detect_clock_bump(r, v.w);
}
static void arrival_done(struct race *r, const struct vm_async_event *e, struct race_phase *p) {
  for (u32 i = 0; i < r->arrival_count; i++)
    if (r->arrivals[i].id == e->id) {
      add_and_drop(&p->now, r->arrivals[i].clock);
      r->arrivals[i] = r->arrivals[--r->arrival_count];
      return;
    }
}

static void mbarrier(struct race *r, const struct vm_async_event *e) {
  if (!e->bar.object) return;
  struct race_phase *p = phase_of(r, e);
  struct race_block *b = detect_block_of(r, e->who->block);
  struct race_viewer v = {
      r, b, &b->warps[e->who->warp], e->who->warp, e->lane, e->who->warp_global};
  bool releases = e->kind == VM_MBARRIER_ARRIVE && e->sem == VM_RELEASE;
  if (e->kind == VM_MBARRIER_INIT) clear_phase(p);
  if (e->kind == VM_ASYNC_ARRIVE_TX || e->kind == VM_ASYNC_ARRIVE_ASYNC) post_copies(r, e, p);
  if (e->kind == VM_ASYNC_ARRIVE_ASYNC) arrival_done(r, e, p);
  if (releases) {
    add_and_drop(&p->now, detect_clock_now(&v));
    detect_clock_bump(r, v.w);
  }
  if (e->kind == VM_MBARRIER_PHASE) {
    add_and_drop(&p->done, p->now);
    p->now = NULL;
  }
  if (e->kind == VM_MBARRIER_TEST_OK && e->sem == VM_ACQUIRE)
    detect_map_add(&detect_lane_of(v.w, v.lane)->map, p->done);
}

void detect_async_event(struct race *r, const struct vm_async_event *e) {
  switch (e->kind) {
  case VM_ASYNC_ISSUE: issue(r, e); break;
  case VM_ASYNC_ARRIVE_ISSUED: arrival_issued(r, e); break;
  case VM_ASYNC_WAIT:
  case VM_ASYNC_WAIT_READ: wait_for(r, e); break;
  case VM_ASYNC_ARRIVE_TX:
  case VM_ASYNC_ARRIVE_ASYNC:
  case VM_MBARRIER_INIT:
  case VM_MBARRIER_ARRIVE:
  case VM_MBARRIER_PHASE:
  case VM_MBARRIER_TEST_OK: mbarrier(r, e); break;
  case VM_ASYNC_COMMIT: /* the copy's event knows its group */
  case VM_ASYNC_READ:   /* when it happened in this run orders nothing */
  case VM_ASYNC_DONE:
  case VM_MBARRIER_INVAL:
  case VM_MBARRIER_EXPECT: break;
  case VM_ASYNC_PROXY_FENCE: detect_proxy_fence(r, e); break;
  }
}
