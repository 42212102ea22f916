/* traffic.c - counting accesses, and what they cost the memory system: 32-byte sectors of global
 * memory, wavefronts of shared memory, passes of atomics.
 *
 * Costs are counted only where asked for (config.count_traffic). The definitions are in
 * docs/counters.md. */
#include "vm/place.h"
#include "vm/timing.h"

enum { SECTOR_BYTES = 32, BANKS = 32, BANK_BYTES = 4 };

/* Adds v to a set of at most n + 1 numbers; true when it was new. */
static bool add(u64 *set, u32 n, u64 v) {
  for (u32 i = n; i--;)
    if (set[i] == v) return false;
  set[n] = v;
  return true;
}

/* Distinct sectors that the active lanes touch. */
static u32 sectors(const struct vm_exec *x, const struct vm_place *p, u32 bytes) {
  u64 seen[VM_LANES * 2];
  u32 n = 0;
  VM_EACH(l, x->mask) {
    u64 at = vm_place_mem(p, l)->o.base + p->offset[l];
    n += add(seen, n, at / SECTOR_BYTES);
    u64 last = (at + bytes - 1) / SECTOR_BYTES;
    if (last != at / SECTOR_BYTES) n += add(seen, n, last);
  }
  return n;
}

/* Passes through the banks: a bank serves one word at a time, the same word to all who ask. Lanes
 * with 8 bytes go half a warp at a time, with 16 bytes a quarter. */
static u32 wavefronts(const struct vm_exec *x, const struct vm_place *p, u32 bytes) {
  u32 words = bytes <= BANK_BYTES ? 1 : bytes / BANK_BYTES, lanes = VM_LANES / words, total = 0;
  for (u32 first = 0; first < VM_LANES; first += lanes) {
    u64 seen[BANKS][VM_LANES];
    u32 count[BANKS] = {0}, most = 0;
    for (u32 l = first; l < first + lanes; l++) {
      if (!(x->mask >> l & 1)) continue;
      u64 at = vm_place_mem(p, l)->o.base + p->offset[l];
      for (u32 w = 0; w < words; w++) {
        u64 word = at / BANK_BYTES + w;
        u32 bank = (u32)(word % BANKS);
        count[bank] += add(seen[bank], count[bank], word);
        if (count[bank] > most) most = count[bank];
      }
    }
    total += most;
  }
  return total;
}

/* Passes of an atomic: a sector takes as many as lanes want one and the same word of it; summed
 * over the sectors. */
static u32 passes(const struct vm_exec *x, const struct vm_place *p) {
  u64 word[VM_LANES], sector[VM_LANES];
  u32 times[VM_LANES] = {0}, most[VM_LANES] = {0}, words = 0, sectors_seen = 0, total = 0;
  VM_EACH(l, x->mask) {
    u64 at = vm_place_mem(p, l)->o.base + p->offset[l];
    u32 i = 0, s = 0;
    while (i < words && word[i] != at) i++;
    if (i == words) word[words++] = at;
    while (s < sectors_seen && sector[s] != at / SECTOR_BYTES) s++;
    if (s == sectors_seen) sector[sectors_seen++] = at / SECTOR_BYTES;
    if (++times[i] > most[s]) most[s] = times[i], total++;
  }
  return total;
}

void vm_count_traffic(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p,
                      u32 bytes) {
  struct vm_counters *c = &x->m->counters;
  bool reads = VM_READS(in->kind), atomic = in->kind == VM_RMW || in->kind == VM_RED;
  u32 first = (u32)__builtin_ctz(x->mask);
  bool has_object = p->space == SP_GLOBAL || p->space == SP_SHARED; /* not local, not parameters */
  struct vm_traffic t = {.address =
                             (has_object ? vm_place_mem(p, first)->o.base : 0) + p->offset[first],
                         .is_shared = p->space == SP_SHARED,
                         .is_atomic = atomic,
                         .is_waited_for = reads && in->kind != VM_RED};
  if (has_object) x->warp->touched |= x->mask;
  u64 moved = (u64)bytes * (u32)__builtin_popcount(x->mask);
  if (p->space == SP_GLOBAL) {
    u32 n = t.passes = atomic ? passes(x, p) : sectors(x, p, bytes);
    if (atomic)
      c->global_atomic_transactions += n;
    else if (reads)
      c->global_load_requests++, c->global_load_sectors += n, c->global_load_bytes += moved;
    else
      c->global_store_requests++, c->global_store_sectors += n, c->global_store_bytes += moved;
  } else if (p->space == SP_SHARED) {
    u32 n = t.passes = atomic ? passes(x, p) : wavefronts(x, p, bytes);
    if (atomic)
      c->shared_atomic_transactions += n;
    else if (reads)
      c->shared_load_requests++, c->shared_load_wavefronts += n,
          c->overlapped_shared_loads +=
          x->block->lanes_copying ? (u32)__builtin_popcount(x->mask) : 0;
    else
      c->shared_store_requests++, c->shared_store_wavefronts += n;
  }
  if (x->m->timed) vm_timing_traffic(x->m, &t);
}

void vm_count_access(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p) {
  struct vm_counters *c = &x->m->counters;
  u32 n = (u32)__builtin_popcount(x->mask);
  bool reads = VM_READS(in->kind), atomic = in->kind == VM_RMW || in->kind == VM_RED;
  if (p->space == SP_LOCAL) {
    if (reads)
      c->local_loads += n;
    else
      c->local_stores += n;
  } else if (p->space == SP_SHARED) {
    if (atomic)
      c->shared_atomics += n, c->shared_atomic_requests++;
    else if (reads)
      c->shared_loads += n;
    else
      c->shared_stores += n;
  } else if (p->space == SP_GLOBAL) {
    if (atomic)
      c->global_atomics += n, c->global_atomic_requests++;
    else if (reads)
      c->global_loads += n;
    else
      c->global_stores += n;
  }
  if (x->m->config.count_traffic) vm_count_traffic(x, in, p, (u32)in->size * in->vec);
}
