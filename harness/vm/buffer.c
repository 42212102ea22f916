/* buffer.c - delayed stores: which must land before which, and when. Does not know instructions;
 * see buffer_ops.c.
 *
 * What keeps the outcomes within the memory model (PTX ISA 8.9, 8.10):
 *   - stores of one thread to overlapping bytes land in program order, and after those that the
 *     thread could have seen (of its block);
 *   - a store after a fence becomes visible to a group of threads only when the stores before the
 *     fence are visible to as many of them as the fence's scope reaches;
 *   - who releases beyond its block first makes land whatever is with its block: it may have
 *     synchronised with the authors (cumulativity). */
#include <stdlib.h>
#include "vm/history.h"

/* ---- bytes ---- */
void vm_bytes_take(const struct vm_mem *mem, u64 offset, u32 size, struct vm_bytes *out) {
  memcpy(out->data, mem->o.data + offset, size);
  out->valid = out->undef = 0;
  for (u32 i = 0; i < size; i++) {
    bool ok = mem->all_valid || !mem->valid || vm_bits_all(mem->valid, offset + i, 1);
    out->valid |= (u32)ok << i;
    out->undef |= (u32)(mem->undef && vm_bits_all(mem->undef, offset + i, 1)) << i;
  }
}

void vm_bytes_put(struct vm_mem *mem, u64 offset, u32 size, const struct vm_bytes *in) {
  u32 all = size == 32 ? ~0u : (1u << size) - 1;
  memcpy(mem->o.data + offset, in->data, size);
  if (!mem->valid || (mem->all_valid && in->valid == all)) return;
  if (mem->all_valid) {
    mem->all_valid = false;
    vm_bits_put(mem->valid, 0, mem->o.size_bytes, true);
  }
  for (u32 i = 0; i < size; i++) {
    vm_bits_put(mem->valid, offset + i, 1, in->valid >> i & 1);
    if (mem->undef) vm_bits_put(mem->undef, offset + i, 1, in->undef >> i & 1);
  }
}

/* ---- finding ---- */
static u32 bucket_of(const struct vm_mem *mem, u64 offset) {
  u64 h = (offset / VM_DELAYED_BYTES + mem->o.id * 977u) * 0x9e3779b97f4a7c15ull;
  return (u32)(h >> 56) % VM_BUFFER_BUCKETS;
}

/* Accesses are aligned to their size: none crosses a border of 32 bytes. */
bool vm_buffer_may_hold(const struct vm_buffer *b, const struct vm_mem *mem, u64 offset) {
  return b->in_bucket[bucket_of(mem, offset)] != 0;
}

bool vm_buffer_overlaps(const struct vm_delayed *d, const struct vm_mem *mem, u64 offset,
                        u32 size) {
  return d->mem == mem && d->offset < offset + size && offset < d->offset + d->size;
}

u32 vm_buffer_thread(const struct vm_exec *x, u32 lane) {
  return x->warp->who.warp_global * VM_LANES + lane;
}
static u32 *fences_of(const struct vm_exec *x, u32 lane) {
  u32 warp = x->block->slot * x->block->warp_count + x->warp->who.warp;
  return x->m->buffer->fences[warp * VM_LANES + lane];
}

bool vm_buffer_is_empty(const struct vm_machine *m) { return !m->buffer || !m->buffer->count; }

static u64 rank(const struct vm_delayed *d) { return d->shared_at ? d->shared_at : ~0ull; }

/* ---- landing ---- */
static void drop(struct vm_buffer *b, struct vm_delayed *d) {
  u32 i = 0;
  while (b->list[i] != d) i++;
  memmove(&b->list[i], &b->list[i + 1], (--b->count - i) * sizeof b->list[0]);
  b->in_bucket[bucket_of(d->mem, d->offset)]--;
  b->free[b->free_count++] = d;
}

/* Must e land before d does? */
static bool lands_before(const struct vm_delayed *e, const struct vm_delayed *d) {
  if (e == d || e->landing) return false;
  bool same_place = vm_buffer_overlaps(e, d->mem, d->offset, d->size);
  if (e->thread == d->thread && e->seq < d->seq)
    return same_place || e->after[VM_FAR] < d->after[VM_FAR];
  return same_place && e->block == d->block && e->shared_at && rank(e) < rank(d);
}

static void share(struct vm_machine *m, struct vm_delayed *d);

/* What d must not overtake within its block is seen by the block before d is. */
static void share_before(struct vm_machine *m, const struct vm_delayed *d) {
  struct vm_buffer *b = m->buffer;
  for (u32 i = 0; i < b->count; i++) {
    struct vm_delayed *e = b->list[i];
    if (e->thread != d->thread || e->seq >= d->seq || e->shared_at) continue;
    if (e->after[VM_NEAR] < d->after[VM_NEAR] || vm_buffer_overlaps(e, d->mem, d->offset, d->size))
      share(m, e);
  }
}

static void share(struct vm_machine *m, struct vm_delayed *d) {
  if (d->shared_at) return;
  share_before(m, d);
  d->shared_at = ++m->buffer->next_seq;
}

void vm_buffer_land(struct vm_machine *m, struct vm_delayed *d) {
  struct vm_buffer *b = m->buffer;
  d->landing = true;
  share_before(m, d);
  for (u32 i = 0; i < b->count;) {
    if (lands_before(b->list[i], d)) {
      vm_buffer_land(m, b->list[i]);
      i = 0; /* the list has changed */
    } else {
      i++;
    }
  }
  if (memcmp(d->mem->o.data + d->offset, d->bytes.data, d->size)) m->progress++;
  struct vm_past was = {.mem = d->mem,
                        .offset = d->offset,
                        .size = d->size,
                        .thread = d->thread,
                        .block = d->block,
                        .shared_at = d->shared_at};
  vm_bytes_take(d->mem, d->offset, d->size, &was.bytes);
  vm_bytes_put(d->mem, d->offset, d->size, &d->bytes);
  vm_history_add(m, &was);
  for (u32 i = 0; d->is_strong && i < m->observer_count; i++)
    if (m->observers[i]->visible) m->observers[i]->visible(m->observers[i]->self, d->seq);
  drop(b, d);
}

typedef bool wanted_fn(const struct vm_delayed *d, u32 thread, u32 block);
static bool is_of_thread(const struct vm_delayed *d, u32 thread, u32 block) {
  (void)block;
  return d->thread == thread;
}
static bool is_with_block(const struct vm_delayed *d, u32 thread, u32 block) {
  (void)thread;
  return d->shared_at && d->block == block;
}
static bool is_in_shared(const struct vm_delayed *d, u32 thread, u32 block) {
  (void)thread;
  return d->mem->o.space == SP_SHARED && d->mem->o.block == block;
}

static void land_all(struct vm_machine *m, wanted_fn *wanted, u32 thread, u32 block) {
  struct vm_buffer *b = m->buffer;
  for (u32 i = 0; i < b->count;) {
    if (wanted(b->list[i], thread, block)) {
      vm_buffer_land(m, b->list[i]);
      i = 0;
    } else {
      i++;
    }
  }
}

/* ---- what threads do ---- */
void vm_buffer_release(struct vm_exec *x, u32 mask, u32 how) {
  struct vm_buffer *b = x->m->buffer;
  if (!b->count) return;
  if (how == VM_FAR) land_all(x->m, is_with_block, 0, x->block->index);
  VM_EACH(l, mask) {
    u32 thread = vm_buffer_thread(x, l);
    if (how == VM_FAR) land_all(x->m, is_of_thread, thread, 0);
    for (u32 i = 0; how == VM_NEAR && i < b->count; i++)
      if (b->list[i]->thread == thread) share(x->m, b->list[i]);
  }
}

void vm_buffer_mark(struct vm_exec *x, u32 mask, u32 how) {
  if (how == VM_FAR) land_all(x->m, is_with_block, 0, x->block->index);
  VM_EACH(l, mask) {
    u32 *n = fences_of(x, l);
    n[VM_NEAR]++;
    if (how == VM_FAR) n[VM_FAR]++;
  }
}

void vm_buffer_settle(struct vm_exec *x, u32 mask) {
  vm_buffer_release(x, mask, VM_FAR);
  vm_history_acquire(x, mask, VM_FAR);
}

void vm_buffer_clear_way(struct vm_exec *x, u32 lane, const struct vm_mem *mem, u64 offset,
                         u32 size) {
  struct vm_buffer *b = x->m->buffer;
  u32 thread = vm_buffer_thread(x, lane);
  const u32 *now = fences_of(x, lane);
  bool may_hold = vm_buffer_may_hold(b, mem, offset);
  for (u32 i = 0; i < b->count;) {
    struct vm_delayed *d = b->list[i];
    bool mine = d->thread == thread;
    bool here = may_hold && vm_buffer_overlaps(d, mem, offset, size);
    if ((mine && (here || d->after[VM_FAR] < now[VM_FAR])) ||
        (here && d->shared_at && d->block == x->block->index)) {
      vm_buffer_land(x->m, d);
      i = 0;
      continue;
    }
    if (mine && d->after[VM_NEAR] < now[VM_NEAR]) share(x->m, d);
    i++;
  }
}

/* ---- time ---- */
void vm_buffer_make_room(struct vm_machine *m, u32 count) {
  while (m->buffer->free_count < count) vm_buffer_land(m, m->buffer->list[0]);
}

struct vm_delayed *vm_buffer_add(struct vm_exec *x, u32 lane, struct vm_mem *mem, u64 offset,
                                 u32 size) {
  struct vm_buffer *b = x->m->buffer;
  struct vm_delayed *d = b->free[--b->free_count];
  u32 thread = vm_buffer_thread(x, lane);
  *d = (struct vm_delayed){.seq = ++b->next_seq,
                           .due = x->m->steps + 1 + rng_below(&b->rng, b->patience),
                           .mem = mem,
                           .offset = offset,
                           .size = size,
                           .thread = thread,
                           .block = x->block->index};
  memcpy(d->after, fences_of(x, lane), sizeof d->after);
  b->list[b->count++] = d;
  b->in_bucket[bucket_of(mem, offset)]++;
  return d;
}

void vm_buffer_tick(struct vm_machine *m) {
  struct vm_buffer *b = m->buffer;
  for (u32 i = 0; i < b->count;) {
    if (b->list[i]->due <= m->steps) {
      vm_buffer_land(m, b->list[i]);
      i = 0;
    } else {
      i++;
    }
  }
}

void vm_buffer_block_end(struct vm_machine *m, const struct vm_block *b) {
  land_all(m, is_in_shared, 0, b->index);
  vm_history_block_end(m, b);
}
void vm_buffer_end(struct vm_machine *m) {
  struct vm_buffer *b = m->buffer;
  while (b->count) vm_buffer_land(m, b->list[rng_below(&b->rng, b->count)]);
}

/* ---- life ---- */
void vm_buffer_make(struct vm_machine *m) {
  m->buffer = NEW(&m->arena, struct vm_buffer);
  m->buffer->inner = NEWN(&m->arena, vm_fn *, m->pos_count + 1);
}

void vm_buffer_start(struct vm_machine *m) {
  static const u32 patience[] = {50, 300, 2000, 10000}, keenness[] = {8, 8, 6};
  struct vm_buffer *b = m->buffer;
  b->count = 0;
  b->next_seq = 0;
  b->rng = m->config.seed * 0xd1342543de82ef95ull + m->launches + 77;
  b->patience = patience[rng_below(&b->rng, COUNT_OF(patience))];
  b->keenness = keenness[rng_below(&b->rng, COUNT_OF(keenness))];
  b->free_count = VM_DELAYED_MAX;
  for (u32 i = 0; i < VM_DELAYED_MAX; i++) b->free[i] = &b->pool[i];
  memset(b->in_bucket, 0, sizeof b->in_bucket);
  vm_history_start(m);
  b->fences = (u32(*)[2])(void *)NEWN(&m->launch_arena, u32, 2ull * VM_LANES * m->warp_total + 2);
}
