/* proxy.c - bulk copies read and write memory through the async proxy: what threads have stored the
 * ordinary (generic) way comes before that only across a fence.proxy.async on the way from the
 * store to the copy (PTX ISA 8.9.4, proxy-preserved order). Whether store and copy are ordered at
 * all is cell.c's business.
 *
 * A fence covers what its thread knows by then. A store is safe where some fence covers it and the
 * issuer of the copy knows of that fence. Asked about are a copy's source and its destination after
 * plain or atomic stores of the same launch. Not asked about:
 *   - a destination after plain reads. By the letter they need the fence as well; but a load has
 * its value when its thread goes on to the barrier, and memcpy_async() of the toolkit, which issues
 *     bulk copies, leaves the fence out;
 *   - st.async, red.async and cp.async, which go through the generic proxy;
 *   - what follows the end of a copy: waiting for it includes the fence. */
#include <stdlib.h>
#include "detect/race.h"

enum { PROXIES_MAX = 2048 }; /* fences of one block since its last full barrier */

void detect_proxy_free(struct race_block *b) {
  for (u32 i = 0; i < b->proxy_count; i++) detect_map_drop(b->proxies[i].covers);
  held_free(b->proxies);
  detect_map_drop(b->proxied);
}

/* Every thread of the block knows of all fences now. */
void detect_proxy_settle(struct race_block *b) {
  for (u32 i = 0; i < b->proxy_count; i++) {
    detect_map_add(&b->proxied, b->proxies[i].covers);
    detect_map_drop(b->proxies[i].covers);
  }
  b->proxy_count = 0;
}

/* Epochs before, of, and after the fence differ: who synchronised earlier does not know of it. */
void detect_proxy_fence(struct race *r, const struct vm_async_event *e) {
  const struct ptx_insn *in = e->pos.insn; /* of whatever memory: the narrow forms count as wide */
  if (!in || !(ptx_has(in, MOD_ASYNC) || ptx_has(in, MOD_ASYNC_GENERIC))) return;
  struct race_block *b = detect_block_of(r, e->who->block);
  struct race_viewer v = {r, b, &b->warps[e->who->warp], e->who->warp, 0, e->who->warp_global};
  detect_clock_bump(r, v.w);
  for (u32 m = e->mask; m; m &= m - 1) {
    v.lane = (u32)__builtin_ctz(m);
    if (b->proxy_count == PROXIES_MAX) {
      b->proxies_lost = true;
      break;
    }
    b->proxies = held_grow(b->proxies, &b->proxy_cap, b->proxy_count + 1u, sizeof *b->proxies);
    b->proxies[b->proxy_count++] =
        (struct race_proxy){v.warp, v.lane, v.w->epoch, detect_clock_now(&v)};
  }
  detect_clock_bump(r, v.w);
}

struct store {
  u32 warp, lane, epoch, site; /* warp in the grid */
};

static bool covers(const struct race *r, const struct race_map *m, const struct store *s) {
  u32 wpb = r->warps_per_block;
  return detect_map_knows(m, s->warp / wpb, s->warp % wpb, s->lane, s->epoch);
}

static bool covered_in(const struct race_lane_access *x, const struct race_block *b,
                       const struct store *s) {
  const struct race *r = x->v.race;
  if (b->proxies_lost || covers(r, b->proxied, s)) return true;
  for (u32 i = 0; i < b->proxy_count; i++) {
    const struct race_proxy *p = &b->proxies[i];
    u32 warp_global = b->block * r->warps_per_block + p->warp;
    if (covers(r, p->covers, s) && detect_known(&x->v, warp_global, p->lane, p->epoch)) return true;
  }
  return false;
}

static bool is_safe(const struct race_lane_access *x, const struct store *s) {
  const struct race *r = x->v.race;
  if (s->epoch <= r->G || s->warp >= r->block_count * r->warps_per_block) return true;
  const struct ptx_insn *in = r->sites[s->site].pos.insn;
  if (!in || ptx_has(in, MOD_BULK) || (in->op != OP_cp && ptx_has(in, MOD_ASYNC))) return true;
  /* Not ordered at all: that has been reported. */
  if (!detect_known(&x->v, s->warp, s->lane, s->epoch)) return true;
  const struct race_block *theirs = r->blocks[s->warp / r->warps_per_block];
  return covered_in(x, x->v.b, s) || !theirs || (theirs != x->v.b && covered_in(x, theirs, s));
}

/* The toolkit's memcpy_async() writes to shared memory by bulk copies, and has no fence. Its users
 * have done what its manual says. */
static bool in_library(const struct race_lane_access *x) {
  const struct race_site *s = &x->v.race->sites[x->site];
  return detect_passes_through(x->v.race->d, s->pos, s->calls, s->call_count, "__memcpy_async");
}

static bool check(const struct race_lane_access *x, u64 granule, const struct store *s) {
  if (is_safe(x, s)) return true;
  struct race_conflict c = {.x = x,
                            .warp = s->warp,
                            .lane = s->lane,
                            .epoch = s->epoch,
                            .site = s->site,
                            .flags = ENTRY_WRITE,
                            .offset = granule * 4,
                            .why = WHY_PROXY,
                            .policy = x->writes && in_library(x) ? CASE_LIBRARY : CASE_RACE};
  detect_conflict(x->v.race, &c);
  return false;
}

void detect_proxy_check(const struct race_lane_access *x, u64 granule, u8 bytes) {
  const struct race *r = x->v.race;
  const struct race_chunk *c = detect_chunk_of(x->s, (u32)(granule / x->s->per));
  u32 g = (u32)(granule % x->s->per);
  if (c->w_epoch && c->w_epoch[g]) {
    struct store s = {c->w_thread[g] / VM_LANES, c->w_thread[g] % VM_LANES, c->w_epoch[g],
                      c->w_site[g]};
    if (!check(x, granule, &s)) return;
  }
  const struct race_cell *cell = c->cell && c->cell[g] ? &r->cells[c->cell[g]] : NULL;
  for (u32 i = 0; cell && i < cell->entry_count; i++) {
    const struct race_entry *e = &cell->entries[i];
    if (!(e->flags & ENTRY_WRITE) || !(e->bytes & bytes) || !e->mask) continue;
    struct store s = {e->warp, (u32)__builtin_ctz(e->mask), e->epoch, e->site};
    if (!check(x, granule, &s)) return;
  }
}
