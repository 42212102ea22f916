/* memory.c - objects: who owns which address, which bytes are defined.
 *
 * Knows nothing of instructions. Global and constant objects live in one table sorted by address
 * (addresses are handed out upwards and never reused, so a stale pointer is always recognised). */
#include "vm/machine.h"
#include <stdlib.h>
#include <sys/mman.h>

#define MAP_THRESHOLD (256u << 10) /* from here on pages come lazily from the system */

bool vm_bits_all(const u8 *bits, u64 from, u64 count) {
  u64 end = from + count;
  while (from < end && (from & 7)) {
    if (!(bits[from >> 3] >> (from & 7) & 1)) return false;
    from++;
  }
  for (; from + 64 <= end; from += 64) {
    u64 word;
    memcpy(&word, bits + (from >> 3), 8);
    if (word != ~0ull) return false;
  }
  for (; from + 8 <= end; from += 8)
    if (bits[from >> 3] != 0xff) return false;
  for (; from < end; from++)
    if (!(bits[from >> 3] >> (from & 7) & 1)) return false;
  return true;
}

void vm_bits_put(u8 *bits, u64 from, u64 count, bool value) {
  u64 end = from + count;
  for (; from < end && (from & 7); from++) {
    if (value)
      bits[from >> 3] |= (u8)(1u << (from & 7));
    else
      bits[from >> 3] &= (u8) ~(1u << (from & 7));
  }
  if (end > from && end - from >= 8) {
    memset(bits + (from >> 3), value ? 0xff : 0, (end - from) >> 3);
    from += (end - from) & ~7ull;
  }
  for (; from < end; from++) {
    if (value)
      bits[from >> 3] |= (u8)(1u << (from & 7));
    else
      bits[from >> 3] &= (u8) ~(1u << (from & 7));
  }
}

/* First index whose base is above the address. */
static u32 upper(const struct vm_machine *m, u64 address) {
  u32 lo = 0, hi = m->mem_count;
  while (lo < hi) {
    u32 mid = lo + (hi - lo) / 2;
    if (m->mems[mid]->o.base <= address)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

struct vm_mem *vm_mem_find(struct vm_machine *m, u64 address) {
  u32 i = upper(m, address);
  if (!i) return NULL;
  struct vm_mem *mem = m->mems[i - 1];
  return address - mem->o.base < mem->o.size_bytes ? mem : NULL;
}

struct vm_mem *vm_mem_nearest(struct vm_machine *m, u64 address) {
  u32 i = upper(m, address);
  struct vm_mem *below = i ? m->mems[i - 1] : NULL, *above = i < m->mem_count ? m->mems[i] : NULL;
  if (!below || !above) return below ? below : above;
  u64 past = address - below->o.base;
  past = past < below->o.size_bytes ? 0 : past - below->o.size_bytes;
  return past <= above->o.base - address ? below : above;
}

static void *pages(u64 bytes) {
  held_add(bytes);
  void *p =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) base_out_of_memory(bytes);
  return p;
}
static void unmap(void *p, u64 bytes) {
  if (!p) return;
  held_sub(bytes);
  munmap(p, bytes);
}
static u64 bit_bytes(u64 size_bytes) { return (size_bytes + 7) / 8 + 8; }

void vm_mem_init(struct vm_mem *mem, u64 size_bytes, bool track, u8 fill) {
  mem->o.size_bytes = size_bytes;
  if (size_bytes >= MAP_THRESHOLD) {
    mem->is_mapped = true;
    mem->mapped_bytes = size_bytes + 64;
    mem->o.data = pages(mem->mapped_bytes);
    if (track) mem->valid = pages(bit_bytes(size_bytes));
    return; /* zero pages: poisoning would touch them all; validity says they are undefined */
  }
  mem->o.data = held_aligned(size_bytes + 64);
  if (track) mem->valid = held_zeroed(bit_bytes(size_bytes), 1);
  memset(mem->o.data, fill, size_bytes + 64);
}

static void tell_released(struct vm_machine *m, struct vm_mem *mem) {
  m->lone_run++;
  for (u32 i = 0; i < m->observer_count; i++)
    if (m->observers[i]->released) m->observers[i]->released(m->observers[i]->self, &mem->o);
  mem->o.shadow = NULL;
}

void vm_mem_renew(struct vm_machine *m, struct vm_mem *mem) {
  tell_released(m, mem);
  mem->o.id = ++m->next_object_id;
}

void vm_mem_release(struct vm_machine *m, struct vm_mem *mem) {
  tell_released(m, mem);
  if (mem->is_mapped) {
    unmap(mem->o.data, mem->mapped_bytes);
    unmap(mem->valid, bit_bytes(mem->mapped_bytes - 64));
  } else {
    held_free(mem->o.data);
    held_free(mem->valid);
  }
  held_free(mem->undef);
  held_free(mem->bars);
  mem->bars = NULL;
  mem->o.data = mem->valid = mem->undef = NULL;
}

struct vm_mem *vm_mem_new(struct vm_machine *m, enum ptx_space space, const char *name,
                          u64 size_bytes, u32 elem_bytes, struct diag *why) {
  if (size_bytes > VM_MEMORY_MAX || !held_fits(size_bytes + bit_bytes(size_bytes))) {
    diag_set(why, "%s: %llu bytes do not fit: the machine may hold %llu MiB, %llu are in use", name,
             (unsigned long long)size_bytes, (unsigned long long)(held_limit() >> 20),
             (unsigned long long)(held_bytes() >> 20));
    diag_next(why, "use smaller buffers, or --memory-limit");
    return NULL;
  }
  struct vm_mem *mem = NEW(&m->arena, struct vm_mem);
  mem->o.id = ++m->next_object_id;
  mem->o.space = space;
  mem->o.name = str_copy(&m->arena, str_of(name)).p;
  mem->o.elem_bytes = elem_bytes ? elem_bytes : 1;
  mem->o.base = m->next_address;
  vm_mem_init(mem, size_bytes, !m->config.no_undefined, VM_POISON);
  m->next_address = (m->next_address + size_bytes + VM_REDZONE + 255) & ~255ull;
  m->mems = held_grow(m->mems, &m->mem_cap, m->mem_count + 1u, sizeof *m->mems);
  m->mems[m->mem_count++] = mem;
  return mem;
}

u64 vm_alloc(struct vm_machine *m, const char *name, u64 size_bytes, u32 elem_bytes,
             struct diag *why) {
  struct vm_mem *mem = vm_mem_new(m, SP_GLOBAL, name, size_bytes ? size_bytes : 1, elem_bytes, why);
  if (mem && !size_bytes) mem->o.size_bytes = 0;
  return mem ? mem->o.base : 0;
}

void vm_mem_free(struct vm_machine *m, struct vm_mem *mem) {
  mem->o.state = VM_FREED;
  vm_mem_release(m, mem);
}

bool vm_free(struct vm_machine *m, u64 address, struct diag *why) {
  struct vm_mem *mem = vm_mem_find(m, address);
  if (!mem || mem->o.base != address || mem->o.state != VM_LIVE) {
    diag_set(why, "0x%llx is not the start of a live allocation", (unsigned long long)address);
    return false;
  }
  vm_mem_free(m, mem);
  return true;
}

static struct vm_mem *host_range(struct vm_machine *m, u64 address, u64 size_bytes,
                                 struct diag *why) {
  struct vm_mem *mem = vm_mem_find(m, address);
  u64 off = mem ? address - mem->o.base : 0;
  if (!mem || mem->o.state != VM_LIVE || size_bytes > mem->o.size_bytes - off) {
    diag_set(why, "%llu bytes at 0x%llx are not in one live allocation",
             (unsigned long long)size_bytes, (unsigned long long)address);
    return NULL;
  }
  return mem;
}

/* The bits of an object that is wholly defined are set when it first ceases to be: not here, where
 * that would touch them all. */
static void defined(struct vm_mem *mem, u64 off, u64 size_bytes) {
  if (!mem->valid) return;
  if (mem->undef) vm_bits_put(mem->undef, off, size_bytes, false);
  if (size_bytes == mem->o.size_bytes)
    mem->all_valid = true;
  else if (!mem->all_valid)
    vm_bits_put(mem->valid, off, size_bytes, true);
}

bool vm_write(struct vm_machine *m, u64 address, const void *from, u64 size_bytes,
              struct diag *why) {
  if (!size_bytes) return true;
  struct vm_mem *mem = host_range(m, address, size_bytes, why);
  if (!mem) return false;
  u64 off = address - mem->o.base;
  memcpy(mem->o.data + off, from, size_bytes);
  defined(mem, off, size_bytes);
  return true;
}

bool vm_clear(struct vm_machine *m, u64 address, struct diag *why) {
  struct vm_mem *mem = host_range(m, address, 0, why);
  if (!mem) return false;
  if (!mem->is_mapped || madvise(mem->o.data, mem->mapped_bytes, MADV_DONTNEED) != 0)
    memset(mem->o.data, 0, mem->o.size_bytes);
  defined(mem, 0, mem->o.size_bytes);
  return true;
}

bool vm_read(struct vm_machine *m, u64 address, void *to, u64 size_bytes, struct diag *why) {
  if (!size_bytes) return true;
  struct vm_mem *mem = host_range(m, address, size_bytes, why);
  if (mem) memcpy(to, mem->o.data + (address - mem->o.base), size_bytes);
  return mem != NULL;
}

static bool bytes_of(struct vm_machine *m, u64 address, u8 *out, u64 n, bool written,
                     struct diag *why) {
  if (!n) return true;
  struct vm_mem *mem = host_range(m, address, n, why);
  if (!mem) return false;
  u64 off = address - mem->o.base;
  for (u64 i = 0; i < n; i++) {
    u64 b = off + i;
    bool v = !mem->valid || mem->all_valid || (mem->valid[b >> 3] >> (b & 7) & 1);
    if (written && mem->undef && (mem->undef[b >> 3] >> (b & 7) & 1)) v = true;
    out[i] = v;
  }
  return true;
}

bool vm_defined(struct vm_machine *m, u64 address, u8 *out, u64 n, struct diag *why) {
  return bytes_of(m, address, out, n, false, why);
}
bool vm_written(struct vm_machine *m, u64 address, u8 *out, u64 n, struct diag *why) {
  return bytes_of(m, address, out, n, true, why);
}

bool vm_local_grow(struct vm_warp *w, u32 bytes) {
  if (bytes > VM_LOCAL_MAX) return false;
  u32 rows = (bytes + 3) / 4;
  if (rows <= w->local_rows) return true;
  u32 cap = w->local_rows ? w->local_rows : 256;
  while (cap < rows) cap *= 2;
  u32 *data = held_aligned((size_t)cap * 128);
  u32(*valid)[4] = held_zeroed(cap, sizeof *valid);
  if (w->local_rows) {
    memcpy(data, w->local, (size_t)w->local_rows * 128);
    memcpy(valid, w->local_valid, (size_t)w->local_rows * sizeof *valid);
  }
  memset(data + (size_t)w->local_rows * 32, VM_POISON, (size_t)(cap - w->local_rows) * 128);
  held_free(w->local);
  held_free(w->local_valid);
  w->local = data;
  w->local_valid = valid;
  w->local_rows = cap;
  return true;
}

/* Host address of one byte of a lane, or NULL. */
static u8 *lane_byte(struct vm_exec *x, u32 lane, u64 address) {
  u32 hi = (u32)(address >> 32), lo = (u32)address;
  if (hi == VM_HI_LOCAL) {
    if (lo / 4 >= x->warp->local_rows) return NULL;
    return (u8 *)&x->warp->local[(lo / 4) * 32 + lane] + (lo & 3);
  }
  if (hi == VM_HI_SHARED) {
    for (u32 i = 0; i < x->m->shared_count; i++) {
      struct vm_mem *mem = &x->block->shared[i];
      if (lo - (u32)mem->o.base < mem->o.size_bytes) return mem->o.data + (lo - (u32)mem->o.base);
    }
    return NULL;
  }
  struct vm_mem *mem = vm_mem_find(x->m, address);
  return mem && mem->o.state == VM_LIVE ? mem->o.data + (address - mem->o.base) : NULL;
}

bool vm_peek(struct vm_exec *x, u32 lane, u64 address, void *to, u32 bytes) {
  for (u32 i = 0; i < bytes; i++) {
    u8 *p = lane_byte(x, lane, address + i);
    if (!p) return false;
    ((u8 *)to)[i] = *p;
  }
  return true;
}
