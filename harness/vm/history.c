/* history.c - loads that come early: which older values a load may still return. Does not know
 * instructions; see buffer_ops.c.
 *
 * What keeps the outcomes within the memory model (PTX ISA 8.9, 8.10):
 *   - causality: a thread gets to know of other threads' stores only by acquiring, at fences and at
 *     barriers. There its horizon moves to the present, and a load never goes back behind it. A
 *     store that was with the block before it landed counts from then on for threads of the block.
 *     Where the scope is the block, the horizon for what other blocks have stored moves only as far
 *     as any thread of the block has acquired;
 *   - coherence: a load never goes back behind a store of its own thread, nor behind what the
 *     thread has read there before, or any thread of its block before the two could meet;
 *   - a load goes back over all stores to its bytes that are younger than what it returns, or none:
 *     it reads memory as it once was;
 *   - after some steps what is old is forgotten: every store is seen in the end. */
#include "vm/history.h"

#define LOOK_BYTES 4 /* what is noted together */

static u32 bucket_of(const struct vm_mem *mem, u64 offset) {
  u64 h = (offset / VM_DELAYED_BYTES + mem->o.id * 977u) * 0x9e3779b97f4a7c15ull;
  return (u32)(h >> 56) % VM_BUFFER_BUCKETS;
}

static struct vm_past *past_at(struct vm_history *h, u32 i) {
  return &h->ring[(h->first + i) % VM_PAST_MAX];
}

static u64 (*horizons(const struct vm_machine *m, const struct vm_warp *w))[2] {
  u32 warp = w->block->slot * w->block->warp_count + w->who.warp;
  return &m->buffer->history->horizon[warp * VM_LANES];
}
static u64 *horizon_of(const struct vm_exec *x, u32 lane) { return horizons(x->m, x->warp)[lane]; }

static void drop_oldest(struct vm_history *h) {
  h->in_bucket[past_at(h, 0)->bucket]--;
  h->first = (h->first + 1) % VM_PAST_MAX;
  h->count--;
}

static void forget_old(struct vm_machine *m) {
  struct vm_history *h = m->buffer->history;
  while (h->count && past_at(h, 0)->step + h->patience < m->steps) drop_oldest(h);
}

void vm_history_add(struct vm_machine *m, const struct vm_past *p) {
  struct vm_buffer *b = m->buffer;
  struct vm_history *h = b->history;
  if (!h->keenness || memcmp(p->mem->o.data + p->offset, p->bytes.data, p->size) == 0) return;
  forget_old(m);
  if (h->count == VM_PAST_MAX) drop_oldest(h);
  struct vm_past *n = past_at(h, h->count++);
  *n = *p;
  n->landed = ++b->next_seq;
  n->step = m->steps;
  n->id = p->mem->o.id;
  n->bucket = bucket_of(p->mem, p->offset);
  h->in_bucket[n->bucket]++;
}

void vm_history_take(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset, u32 size,
                     struct vm_past *out) {
  *out = (struct vm_past){.mem = mem,
                          .offset = offset,
                          .size = size,
                          .thread = vm_buffer_thread(x, lane),
                          .block = x->block->index};
  vm_bytes_take(mem, offset, size, &out->bytes);
}

void vm_history_wake(struct vm_machine *m, const struct vm_warp *w, u32 mask, u32 how) {
  if (!m->buffer) return;
  u64 now = m->buffer->next_seq, *of_block = &m->buffer->history->block_far[w->block->slot];
  if (how == VM_FAR) *of_block = now;
  VM_EACH(l, mask) {
    u64 *horizon = horizons(m, w)[l];
    horizon[VM_NEAR] = now;
    if (horizon[VM_FAR] < *of_block) horizon[VM_FAR] = *of_block;
  }
}
void vm_history_acquire(struct vm_exec *x, u32 mask, u32 how) {
  vm_history_wake(x->m, x->warp, mask, how);
}

bool vm_history_hides(struct vm_machine *m) {
  if (!m->buffer) return false;
  forget_old(m);
  return m->buffer->history->count != 0;
}

/* ---- coherence ---- */
static struct vm_look *look_at(const struct vm_exec *x, u32 lane, const struct vm_mem *mem,
                               u64 piece) {
  u64 h =
      (piece + mem->o.id * 977u + vm_buffer_thread(x, lane) * 131071ull) * 0x9e3779b97f4a7c15ull;
  return &x->m->buffer->history->looks[h >> 32 & (VM_LOOKS - 1)];
}

static struct vm_block_look *block_look_at(const struct vm_exec *x, const struct vm_mem *mem,
                                           u64 piece) {
  u64 h = (piece + mem->o.id * 977u + x->block->index * 131071ull) * 0x9e3779b97f4a7c15ull;
  return &x->m->buffer->history->block_looks[h >> 32 & (VM_LOOKS - 1)];
}
static bool is_look_at(const struct vm_block_look *k, const struct vm_exec *x,
                       const struct vm_mem *mem, u64 piece) {
  return k->mem == mem && k->piece == piece && k->block == x->block->index;
}

static void remember_block_look(struct vm_exec *x, struct vm_mem *mem, u64 piece, u64 landed) {
  struct vm_buffer *b = x->m->buffer;
  struct vm_block_look *k = block_look_at(x, mem, piece);
  if (is_look_at(k, x, mem, piece)) {
    if (landed > k->landed) k->landed = landed;
    return;
  }
  u64 *floor = &b->history->block_floor[k->slot];
  if (k->mem && *floor < k->landed) *floor = k->landed; /* no room */
  *k = (struct vm_block_look){mem, piece, landed, b->next_seq, x->block->index, x->block->slot};
}

static void remember_look(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset, u32 size,
                          u64 landed) {
  u32 thread = vm_buffer_thread(x, lane);
  for (u64 piece = offset / LOOK_BYTES; piece <= (offset + size - 1) / LOOK_BYTES; piece++) {
    struct vm_look *k = look_at(x, lane, mem, piece);
    bool same = k->mem == mem && k->piece == piece && k->thread == thread;
    for (u32 how = VM_NEAR; k->mem && !same && how <= VM_FAR; how++)
      if (k->horizon[how] < k->landed) k->horizon[how] = k->landed; /* no room: all of it */
    u64 old = same ? k->landed : 0;
    *k = (struct vm_look){mem, piece, landed > old ? landed : old, horizon_of(x, lane), thread};
    remember_block_look(x, mem, piece, landed);
  }
}

static u64 looked(struct vm_exec *x, u32 lane, const struct vm_mem *mem, u64 offset, u32 size) {
  u64 newest = 0, met = horizon_of(x, lane)[VM_NEAR];
  for (u64 piece = offset / LOOK_BYTES; piece <= (offset + size - 1) / LOOK_BYTES; piece++) {
    const struct vm_look *k = look_at(x, lane, mem, piece);
    if (k->mem == mem && k->piece == piece && k->thread == vm_buffer_thread(x, lane) &&
        k->landed > newest)
      newest = k->landed;
    const struct vm_block_look *of_block = block_look_at(x, mem, piece);
    if (is_look_at(of_block, x, mem, piece) && of_block->first <= met && of_block->landed > newest)
      newest = of_block->landed;
  }
  return newest;
}

void vm_history_saw(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset, u32 size) {
  struct vm_history *h = x->m->buffer->history;
  if (h->in_bucket[bucket_of(mem, offset)])
    remember_look(x, lane, mem, offset, size, x->m->buffer->next_seq);
}

/* ---- going back ---- */
static void put_back(const struct vm_past *p, u64 offset, u32 size, struct vm_bytes *out) {
  for (u32 i = 0; i < size; i++) {
    u64 at = offset + i - p->offset;
    if (offset + i < p->offset || at >= p->size) continue;
    out->data[i] = p->bytes.data[at];
    out->valid = (out->valid & ~(1u << i)) | (p->bytes.valid >> at & 1) << i;
    out->undef = (out->undef & ~(1u << i)) | (p->bytes.undef >> at & 1) << i;
  }
}

static bool must_see(const struct vm_exec *x, const struct vm_past *p, u32 thread,
                     const u64 horizon[2], u64 look) {
  if (p->is_joint && p->thread / VM_LANES == thread / VM_LANES) return true;
  if (p->thread == thread || p->landed <= look) return true;
  if (p->block != x->block->index) {
    u64 floor = x->m->buffer->history->block_floor[x->block->slot];
    return p->landed <= horizon[VM_FAR] || p->landed <= floor;
  }
  u64 since = p->shared_at && p->shared_at < p->landed ? p->shared_at : p->landed;
  return since <= horizon[VM_NEAR];
}

bool vm_history_early(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset, u32 size,
                      struct vm_bytes *out) {
  struct vm_machine *m = x->m;
  struct vm_history *h = m->buffer->history;
  if (!h->in_bucket[bucket_of(mem, offset)]) return false;
  forget_old(m);
  u32 thread = vm_buffer_thread(x, lane);
  const u64 *horizon = horizon_of(x, lane);
  u64 look = looked(x, lane, mem, offset, size), landed = 0;
  bool early = false;
  for (u32 i = h->count; i-- > 0;) {
    const struct vm_past *p = past_at(h, i);
    if (p->mem != mem || p->id != mem->o.id || p->offset >= offset + size ||
        offset >= p->offset + p->size)
      continue;
    landed = p->landed;
    if (must_see(x, p, thread, horizon, look) || rng_below(&m->buffer->rng, 8) >= h->keenness)
      break;
    if (!early) vm_bytes_take(mem, offset, size, out);
    early = true;
    put_back(p, offset, size, out);
    landed = p->landed - 1;
  }
  if (!early) {
    vm_history_saw(x, lane, mem, offset, size);
    return false;
  }
  remember_look(x, lane, mem, offset, size, landed);
  m->progress++; /* what it does next may differ: nobody is stuck yet */
  return true;
}

/* ---- life ---- */
void vm_history_start(struct vm_machine *m) {
  static const u32 keenness[] = {0, 2, 4, 6};
  struct vm_buffer *b = m->buffer;
  if (!b->history) b->history = NEW(&m->arena, struct vm_history);
  struct vm_history *h = b->history;
  h->first = h->count = 0;
  memset(h->in_bucket, 0, sizeof h->in_bucket);
  memset(h->looks, 0, sizeof h->looks);
  memset(h->block_looks, 0, sizeof h->block_looks);
  h->horizon = (u64(*)[2])(void *)NEWN(&m->launch_arena, u64, 2ull * VM_LANES * m->warp_total + 2);
  h->block_far = NEWN(&m->launch_arena, u64, 2ull * m->block_slots + 2);
  h->block_floor = h->block_far + m->block_slots + 1;
  h->patience = 20 + rng_below(&b->rng, b->patience);
  h->keenness = keenness[rng_below(&b->rng, COUNT_OF(keenness))];
}

void vm_history_block_end(struct vm_machine *m, const struct vm_block *b) {
  struct vm_history *h = m->buffer->history;
  u32 kept = 0;
  for (u32 i = 0; i < h->count; i++) {
    const struct vm_past *p = past_at(h, i);
    if (p->mem->o.space == SP_SHARED && p->mem->o.block == b->index)
      h->in_bucket[p->bucket]--;
    else
      *past_at(h, kept++) = *p;
  }
  h->count = kept;
}
