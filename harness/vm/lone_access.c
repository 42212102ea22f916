/* lone_access.c - weak loads and stores of a single lane, the usual case: to the object that the
 * instruction touched last or to local memory, all defined. Whatever else may be asked (faults,
 * undefined bytes, spinning, a race) is access.c's: then nothing has been done here. */
#include "vm/lone.h"
#include "vm/lanes.h"

#define INLINE static inline __attribute__((always_inline))

struct spot { /* where an access goes */
  struct vm_mem *mem;
  u64 offset;
};

INLINE u32 *validity(const struct vm_exec *x, u32 ref) {
  return (u32 *)(void *)(x->base[0] + ref - sizeof(struct vm_slot));
}

/* false: the address is not defined. */
INLINE bool address_of(const struct vm_exec *x, const struct vm_one *i, u64 *address) {
  *address = i->imm;
  if (i->flags & VM_ONE_FIXED) return true;
  if (!(*validity(x, i->a) & x->lone.bit)) return false;
  const u8 *from = x->base[0] + i->a;
  *address += i->flags & VM_ONE_WIDE ? ((const u64 *)(const void *)from)[x->lone.lane]
                                     : ((const u32 *)(const void *)from)[x->lone.lane];
  return true;
}

/* Within the object that this instruction touched last, aligned? */
INLINE bool find(const struct vm_exec *x, const struct vm_one *i, u64 address, enum ptx_space space,
                 u32 size, struct spot *s) {
  struct vm_machine *m = x->m;
  if (space == SP_SHARED) {
    u32 index = m->shared_cache[i->pos_id];
    if (index >= m->shared_count) return false;
    s->mem = &x->block->shared[index];
  } else {
    s->mem = m->cache[i->pos_id];
    if (!s->mem || s->mem->o.state != VM_LIVE) return false;
  }
  u64 bytes = s->mem->o.size_bytes, off = s->offset = address - s->mem->o.base;
  return off < bytes && bytes - off >= size && !((off | s->mem->o.base) & (size - 1));
}

/* The space of a generic address, and the address in it. */
INLINE enum ptx_space resolve(const struct vm_one *i, u64 *address) {
  if (i->space != SP_GENERIC) {
    /* Addresses of 32 bits wrap. */
    if (!(i->flags & VM_ONE_WIDE) && !(i->flags & VM_ONE_FIXED)) *address = (u32)*address;
    return (enum ptx_space)i->space;
  }
  u32 hi = (u32)(*address >> 32);
  if (hi != VM_HI_SHARED && hi != VM_HI_LOCAL && hi != VM_HI_PARAM) return SP_GLOBAL;
  *address = (u32)*address;
  return hi == VM_HI_SHARED ? SP_SHARED : hi == VM_HI_LOCAL ? SP_LOCAL : SP_PARAM;
}

INLINE u64 take(const u8 *from, u32 size, bool is_signed) {
  u64 v = 0;
  switch (size) {
  case 1: v = is_signed ? (u64)(i64)(int8_t)from[0] : from[0]; break;
  case 2: memcpy(&v, from, 2), v = is_signed ? (u64)(i64)(int16_t)v : v; break;
  case 4: memcpy(&v, from, 4), v = is_signed ? (u64)(i64)(i32)v : v; break;
  default: memcpy(&v, from, 8);
  }
  return v;
}
INLINE void store_bytes(u8 *to, u64 v, u32 size) {
  switch (size) {
  case 1: memcpy(to, &v, 1); break;
  case 2: memcpy(to, &v, 2); break;
  case 4: memcpy(to, &v, 4); break;
  default: memcpy(to, &v, 8);
  }
}

/* ---- local memory: words of 32 lanes each ---- */
INLINE bool local_at(const struct vm_exec *x, u64 o, u32 size) {
  u32 top = x->frame->local_top;
  return o >= VM_LOCAL_START && o < top && size <= top - o && !(o & (size - 1));
}
INLINE u32 local_known(const struct vm_warp *w, u32 o, u32 size) {
  const u32 *v = w->local_valid[o / 4];
  switch (size) {
  case 1: return v[o & 3];
  case 2: return v[o & 3] & v[(o & 3) + 1];
  case 4: return v[0] & v[1] & v[2] & v[3];
  default: return v[0] & v[1] & v[2] & v[3] & v[4] & v[5] & v[6] & v[7];
  }
}
INLINE void is_local(const struct vm_exec *x, const struct vm_one *i, enum vm_lone_op op) {
  if (i->flags & VM_ONE_WIDE) x->frame->code->ones[i - x->frame->code->ones].op = (u16)op;
}
INLINE bool load_local(struct vm_exec *x, const struct vm_one *i, u64 at, u32 size, u64 *value) {
  const struct vm_warp *w = x->warp;
  if (!local_at(x, at, size)) return false;
  u32 o = (u32)at;
  if (x->undefined && !(local_known(w, o, size) & x->lone.bit)) return false;
  const u32 *row = w->local + (size_t)(o / 4) * 32 + x->lone.lane;
  if (size == 8) {
    *value = row[0] | (u64)row[32] << 32;
  } else {
    u32 word = row[0] >> (o & 3) * 8;
    *value = take((const u8 *)&word, size, i->flags & VM_ONE_SIGNED);
  }
  x->m->counters.local_loads++;
  return true;
}
INLINE bool store_local(struct vm_exec *x, u64 at, u32 size, u64 value) {
  struct vm_warp *w = x->warp;
  if (!local_at(x, at, size)) return false;
  u32 o = (u32)at, bit = x->lone.bit;
  u32 *row = w->local + (size_t)(o / 4) * 32 + x->lone.lane;
  if (size == 8) {
    row[0] = (u32)value;
    row[32] = (u32)(value >> 32);
  } else {
    store_bytes((u8 *)row + (o & 3), value, size);
  }
  u32 *valid = &w->local_valid[o / 4][o & 3];
  for (u32 b = 0; b < size; b++) valid[b] |= bit;
  x->m->counters.local_stores++;
  return true;
}

/* ---- loads ---- */
/* `grant`: NULL without an observer, or in constant memory: all of the object. */
static void remember(struct vm_exec *x, const struct vm_one *i, const struct spot *s, u64 address,
                     u32 size, const struct vm_grant *grant, u64 *counter) {
  struct vm_machine *m = x->m;
  struct vm_grant all = {
      .stamp = &m->never, .newest = &m->nothing, .size_bytes = (u32)s->mem->o.size_bytes};
  if (grant && !grant->bits) return;
  if (grant) all = *grant;
  if (all.size_bytes < size) return;
  *vm_repeat_of(m, i->pos_id, address) =
      (struct vm_repeat){.grant = all,
                         .run = m->lone_run,
                         .stack = x->lone.stack,
                         .thread = x->lone.thread,
                         .address = address - (s->offset - all.from),
                         .data = s->mem->o.data + all.from,
                         .mem = s->mem,
                         .counter = counter,
                         .pos_id = i->pos_id,
                         .last = all.size_bytes - size};
}

INLINE bool load(struct vm_exec *x, const struct vm_one *i, u32 size, u32 bytes) {
  struct vm_machine *m = x->m;
  u64 address, value;
  if (!address_of(x, i, &address)) return false;
  u64 computed = address;
  enum ptx_space space = resolve(i, &address);
  if (space == SP_LOCAL) {
    if (!load_local(x, i, address, size, &value)) return false;
    if (size == bytes && size >= 4)
      is_local(x, i, size == 4 ? VM_LONE_local_load4 : VM_LONE_local_load8);
  } else {
    struct spot s;
    if (space == SP_PARAM || !find(x, i, address, space, size, &s) ||
        (x->undefined && !vm_lone_defined(s.mem, s.offset, size)))
      return false;
    u64 *counter = space == SP_SHARED ? &m->counters.shared_loads : &m->counters.global_loads;
    struct vm_grant grant = {.bits = NULL};
    bool asks = m->has_access && s.mem->o.space != SP_CONST;
    if (asks && (size < 4 || !m->again ||
                 !m->again->read_again(m->again->self, &x->lone, i->pos_id, &s.mem->o,
                                       (u32)s.offset, &grant)))
      return false;
    if (size >= 4) remember(x, i, &s, computed, size, asks ? &grant : NULL, counter);
    ++*counter;
    x->group->loaded = true;
    value = take(s.mem->o.data + s.offset, size, i->flags & VM_ONE_SIGNED);
    if (bytes < 8) value &= (1ull << bytes * 8) - 1;
    if (x->group->watch)
      vm_watch_lone(x, &x->code[i - x->frame->code->ones], s.mem, (u32)s.offset, size, value);
  }
  vm_put(x->base[0] + i->d, bytes, x->lone.lane, value);
  *validity(x, i->d) |= x->lone.bit;
  return true;
}
bool vm_lone_load4(struct vm_exec *x, const struct vm_one *i) { return load(x, i, 4, 4); }
bool vm_lone_load8(struct vm_exec *x, const struct vm_one *i) { return load(x, i, 8, 8); }
bool vm_lone_load_small(struct vm_exec *x, const struct vm_one *i) {
  if (i->c == 16) return false;
  switch (i->b) {
  case 1: return load(x, i, 1, i->c);
  case 2: return load(x, i, 2, i->c);
  case 4: return load(x, i, 4, i->c);
  default: return load(x, i, 8, i->c);
  }
}

/* ---- stores ---- */
INLINE bool set_defined(const struct vm_exec *x, const struct spot *s, u32 size, bool really) {
  struct vm_mem *mem = s->mem;
  if (!x->undefined || mem->all_valid) return true;
  if (!mem->valid || mem->undef) return false;
  u32 ones = (1u << size) - 1;
  if (really) mem->valid[s->offset >> 3] |= (u8)(ones << (s->offset & 7));
  return true;
}

INLINE bool store(struct vm_exec *x, const struct vm_one *i, u32 size, u32 bytes) {
  struct vm_machine *m = x->m;
  struct vm_group *g = x->group;
  u64 address;
  if (!address_of(x, i, &address) || !(*validity(x, i->d) & x->lone.bit)) return false;
  enum ptx_space space = resolve(i, &address);
  u64 value = vm_get(x->base[0] + i->d, bytes, x->lone.lane);
  if (space == SP_LOCAL) {
    if (!store_local(x, address, size, value)) return false;
    if (size == bytes && size >= 4)
      is_local(x, i, size == 4 ? VM_LONE_local_store4 : VM_LONE_local_store8);
    return true;
  }
  struct spot s;
  if ((space != SP_GLOBAL && space != SP_SHARED) || !find(x, i, address, space, size, &s) ||
      s.mem->o.space == SP_CONST || !set_defined(x, &s, size, false))
    return false;
  if (m->has_access && (size < 4 || !m->again ||
                        !m->again->write_again(m->again->self, &x->lone, i->pos_id, &s.mem->o,
                                               (u32)s.offset, (const u8 *)&value)))
    return false;
  if (space == SP_SHARED)
    m->counters.shared_stores++;
  else
    m->counters.global_stores++;
  u8 *to = s.mem->o.data + s.offset;
  u64 old = take(to, size, false), ones = size == 8 ? ~0ull : (1ull << size * 8) - 1;
  if (old != (value & ones)) g->changed = true;
  if (g->changed) m->progress++;
  store_bytes(to, value, size);
  set_defined(x, &s, size, true);
  return true;
}
bool vm_lone_store4(struct vm_exec *x, const struct vm_one *i) { return store(x, i, 4, 4); }
bool vm_lone_store8(struct vm_exec *x, const struct vm_one *i) { return store(x, i, 8, 8); }
bool vm_lone_store_small(struct vm_exec *x, const struct vm_one *i) {
  if (i->c == 16) return false;
  switch (i->b) {
  case 1: return store(x, i, 1, i->c);
  case 2: return store(x, i, 2, i->c);
  case 4: return store(x, i, 4, i->c);
  default: return store(x, i, 8, i->c);
  }
}
