/* place.c - addresses of a warp instruction: space, object, bounds, alignment, pattern. The event
 * for observers. */
#include "vm/place.h"
#include "vm/lanes.h"
#include <stdlib.h>

enum { NEAR_BYTES = 1 << 16 };

static void address_fault(struct vm_exec *x, const struct vm_insn *in, u32 lane, u64 address,
                          u32 bytes, bool writes, bool atomic, enum ptx_space space,
                          struct vm_mem *near, const char *text) {
  u64 shown = space == SP_SHARED || space == SP_LOCAL ? (u32)address : address;
  /* Reported as an undefined address already: where it leads is chance. Instructions with several
   * addresses keep them elsewhere and have looked at them (src[0] is not one, and not reported). */
  if (x->undefined && (x->m->reported[in->pos_id] & 1) && in->src[0] &&
      !(vm_valid(x, in->src[0]) >> lane & 1)) {
    x->m->stopped = true;
    x->stop = VM_STOP_FAULT;
    return;
  }
  struct vm_fault f = {.kind = VM_FAULT_BOUNDS,
                       .who = x->warp->who,
                       .mask = vm_bit(lane),
                       .frame = x->frame,
                       .pos = {x->frame->code->func, in->ptx},
                       .address = shown,
                       .size_bytes = bytes,
                       .is_write = writes,
                       .is_atomic = atomic,
                       .space = space};
  i64 offset = near ? (i64)(shown - near->o.base) : 0;
  if (near && offset > -NEAR_BYTES &&
      offset < (i64)near->o.size_bytes + NEAR_BYTES) { /* else it says nothing */
    f.object = &near->o;
    f.offset = offset;
  }
  snprintf(f.text, sizeof f.text, "%s", text);
  vm_emit_fault(x->m, &f);
  x->stop = VM_STOP_FAULT;
}

static struct vm_mem *shared_nearest(struct vm_exec *x, u64 off) {
  struct vm_mem *best = NULL;
  u64 best_gap = ~0ull;
  for (u32 i = 0; i < x->m->shared_count; i++) {
    struct vm_mem *s = &x->block->shared[i];
    u64 end = s->o.base + s->o.size_bytes;
    u64 gap = off < s->o.base ? s->o.base - off : off < end ? 0 : off - end;
    if (gap < best_gap) best = s, best_gap = gap;
  }
  return best;
}

static struct vm_mem *shared_find(const struct vm_machine *m, const struct vm_block *b, u64 off,
                                  u32 *index) {
  for (u32 i = 0; i < m->shared_count; i++) {
    struct vm_mem *s = &b->shared[i];
    if (off - s->o.base < s->o.size_bytes) return *index = i, s;
  }
  return NULL;
}

/* One lane the long way: finds its object or says what is wrong. */
static bool place_lane(struct vm_exec *x, const struct vm_insn *in, u32 lane, u64 a, u32 bytes,
                       bool writes, bool atomic, struct vm_place *p) {
  enum ptx_space space = p->space;
  struct vm_mem *mem = NULL;
  u32 index = 0;
  if (space == SP_SHARED) {
    a = (u32)a;
    const struct vm_block *b = a >> VM_RANK_SHIFT ? vm_cluster_block(x->block, (u32)a) : x->block;
    if (!b) {
      address_fault(x, in, lane, a, bytes, writes, atomic, space, NULL,
                    "shared memory of a block that is not in the cluster, or has ended");
      return false;
    }
    a &= VM_RANK_OFFSET;
    mem = shared_find(x->m, b, a, &index);
    if (mem && b == x->block) x->m->shared_cache[in->pos_id] = index;
  } else {
    mem = vm_mem_find(x->m, a);
  }
  u64 off = mem ? a - mem->o.base : 0;
  if (!mem || bytes > mem->o.size_bytes - off) {
    struct vm_mem *near = mem                  ? mem
                          : space == SP_SHARED ? shared_nearest(x, a)
                                               : vm_mem_nearest(x->m, a);
    const char *what = a < 4096 && space != SP_SHARED ? "a null pointer (or an index from one)"
                                                      : "outside of every allocation";
    address_fault(x, in, lane, a, bytes, writes, atomic, space, near, what);
    return false;
  }
  if (mem->o.state != VM_LIVE) {
    address_fault(x, in, lane, a, bytes, writes, atomic, space, mem,
                  "memory that was freed before");
    return false;
  }
  if (a & (bytes - 1)) {
    address_fault(x, in, lane, a, bytes, writes, atomic, space, mem, "misaligned");
    return false;
  }
  if (writes && mem->o.space == SP_CONST) {
    address_fault(x, in, lane, a, bytes, writes, atomic, SP_CONST, mem,
                  "constant memory, which kernels cannot write");
    return false;
  }
  if (in->space == SP_CONST && mem->o.space != SP_CONST) {
    address_fault(x, in, lane, a, bytes, writes, atomic, SP_CONST, mem, "not in constant memory");
    return false;
  }
  p->mems[lane] = mem;
  p->offset[lane] = (u32)off;
  if (space != SP_SHARED) x->m->cache[in->pos_id] = mem;
  return true;
}

static void classify(struct vm_place *p, u32 mask, u32 bytes) {
  u32 first = (u32)__builtin_ctz(mask);
  u32 o = p->offset[first], differs = 0, gap = 0;
  const u32 *off = p->offset;
  if (mask == VM_FULL) {
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) {
      differs |= off[i] ^ o;
      gap |= off[i] ^ (o + i * bytes);
    }
    p->pattern = !differs ? VM_UNIFORM : !gap ? VM_CONTIGUOUS : VM_GATHER;
    return;
  }
  VM_EACH(l, mask) differs |= off[l] ^ o;
  p->pattern = differs ? VM_GATHER : VM_UNIFORM;
}

static bool place_slow(struct vm_exec *x, const struct vm_insn *in, const u64 *addr, u32 bytes,
                       bool writes, bool atomic, struct vm_place *p) {
  struct vm_mem *first = NULL;
  bool same = true;
  VM_EACH(l, x->mask) {
    if (!place_lane(x, in, l, addr[l], bytes, writes, atomic, p)) return false;
    if (!first) first = p->mems[l];
    same &= first == p->mems[l];
  }
  p->mem = same ? first : NULL;
  p->pattern = VM_GATHER;
  if (same) classify(p, x->mask, bytes);
  return true;
}

static bool check_local(struct vm_exec *x, const struct vm_insn *in, u32 lane, u64 a, u32 bytes,
                        bool writes, bool atomic) {
  u32 top = x->frame->local_top;
  const char *wrong = NULL;
  if (a < VM_LOCAL_START || a >= top || bytes > top - a)
    wrong = "outside of the thread's local variables";
  else if (a & (bytes - 1))
    wrong = "misaligned";
  if (wrong) address_fault(x, in, lane, a, bytes, writes, atomic, SP_LOCAL, NULL, wrong);
  return !wrong;
}

/* Local variables usually stand at one offset in every thread. */
static bool place_local(struct vm_exec *x, const struct vm_insn *in, const u64 *addr, u32 bytes,
                        bool writes, bool atomic, struct vm_place *p) {
  u32 first = (u32)__builtin_ctz(x->mask), a = (u32)addr[first], differs = 0;
  u32 *off = p->offset;
  if (vm_few(x->mask)) {
    VM_EACH(l, x->mask) off[l] = (u32)addr[l], differs |= off[l] ^ a;
  } else {
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) off[i] = (u32)addr[i];
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) differs |= (off[i] ^ a) & x->lane_mask[i];
  }
  p->mem = NULL;
  if (!differs) {
    p->pattern = VM_UNIFORM;
    return check_local(x, in, first, a, bytes, writes, atomic);
  }
  p->pattern = VM_GATHER;
  VM_EACH(l, x->mask) if (!check_local(x, in, l, off[l], bytes, writes, atomic)) return false;
  return true;
}

static enum ptx_space window_space(u32 hi) {
  return hi == VM_HI_SHARED  ? SP_SHARED
         : hi == VM_HI_LOCAL ? SP_LOCAL
         : hi == VM_HI_PARAM ? SP_PARAM
                             : SP_GLOBAL;
}

static void mixed_windows(struct vm_exec *x, const struct vm_insn *in) {
  vm_fault_now(x, in, VM_FAULT_UNSUPPORTED, x->mask,
               "%.*s: generic addresses of different memory spaces within one warp instruction",
               STR_A(in->ptx->text));
}

/* The object that this instruction touched last: it will most likely touch it again. */
static struct vm_mem *last_object(struct vm_exec *x, const struct vm_insn *in,
                                  enum ptx_space space) {
  if (space != SP_SHARED) return x->m->cache[in->pos_id];
  u32 i = x->m->shared_cache[in->pos_id];
  return i < x->m->shared_count ? &x->block->shared[i] : NULL;
}

struct extremes { /* of the active lanes' offsets */
  u32 lo, hi;
  u32 bits; /* all of them, or-ed */
  u32 gap;  /* 0: a row of all 32 lanes */
};
static inline void all_extremes(const u32 *off, u32 bytes, struct extremes *e) {
  u32 lo = ~0u, hi = 0, bits = 0, gap = 0, o = off[0];
  VM_IVDEP
  for (u32 i = 0; i < VM_LANES; i++) {
    lo = off[i] < lo ? off[i] : lo;
    hi = off[i] > hi ? off[i] : hi;
    bits |= off[i];
    gap |= off[i] ^ (o + i * bytes);
  }
  *e = (struct extremes){lo, hi, bits, gap};
}
static inline void some_extremes(const u32 *off, const u32 *lane_mask, struct extremes *e) {
  u32 lo = ~0u, hi = 0, bits = 0;
  VM_IVDEP
  for (u32 i = 0; i < VM_LANES; i++) {
    u32 on = off[i] & lane_mask[i], above = off[i] | ~lane_mask[i];
    lo = above < lo ? above : lo;
    hi = on > hi ? on : hi;
    bits |= on;
  }
  *e = (struct extremes){lo, hi, bits, 1};
}
static inline void few_extremes(const u32 *off, u32 mask, struct extremes *e) {
  *e = (struct extremes){~0u, 0, 0, 1};
  VM_EACH(l, mask) {
    e->lo = off[l] < e->lo ? off[l] : e->lo;
    e->hi = off[l] > e->hi ? off[l] : e->hi;
    e->bits |= off[l];
  }
}

/* Offsets of the active lanes from `base`; false: one is 4 GiB or more away. */
static inline bool offsets64(const struct vm_exec *x, const u64 *addr, u64 base, u32 bytes,
                             u32 *off, struct extremes *e) {
  u64 far = 0;
  if (x->mask == VM_FULL) {
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) {
      u64 d = addr[i] - base;
      far |= d;
      off[i] = (u32)d;
    }
    all_extremes(off, bytes, e);
  } else if (vm_few(x->mask)) {
    VM_EACH(l, x->mask) {
      u64 d = addr[l] - base;
      far |= d;
      off[l] = (u32)d;
    }
    few_extremes(off, x->mask, e);
  } else {
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) {
      u64 d = addr[i] - base;
      far |= d & (u64)(i64)(i32)x->lane_mask[i];
      off[i] = (u32)d;
    }
    some_extremes(off, x->lane_mask, e);
  }
  return far >> 32 == 0;
}
/* The same for 32-bit addresses of shared memory, which wrap. */
static inline void offsets32(const struct vm_exec *x, const u32 *addr, u32 base, u32 bytes,
                             u32 *off, struct extremes *e) {
  if (vm_few(x->mask)) {
    VM_EACH(l, x->mask) off[l] = addr[l] - base;
    few_extremes(off, x->mask, e);
    return;
  }
  VM_IVDEP
  for (u32 i = 0; i < VM_LANES; i++) off[i] = addr[i] - base;
  if (x->mask == VM_FULL)
    all_extremes(off, bytes, e);
  else
    some_extremes(off, x->lane_mask, e);
}

struct addresses { /* of 32 lanes; those that are off hold anything */
  enum ptx_space space;
  bool generic; /* with the window of their space above */
  u64 window;
  const u8 *from;
  u32 width; /* bytes: 4, 8 */
  u64 imm;   /* added to each */
};

/* Is it possible that the access goes to the object that the instruction touched last? */
static inline bool can_touch(const struct vm_mem *mem, u32 bytes, bool writes) {
  return mem && mem->o.state == VM_LIVE && mem->o.size_bytes >= bytes &&
         !(writes && mem->o.space == SP_CONST);
}

/* One lane at work: place_near without loops. */
static inline bool place_one(struct vm_exec *x, const struct vm_insn *in, const struct addresses *a,
                             u32 bytes, bool writes, struct vm_place *p) {
  struct vm_mem *mem = last_object(x, in, a->space);
  if (!can_touch(mem, bytes, writes)) return false;
  u32 lane = (u32)__builtin_ctz(x->mask);
  u64 base = mem->o.base + a->window - a->imm, off;
  if (a->width == 8)
    off = ((const u64 *)(const void *)a->from)[lane] - base;
  else if (a->space == SP_SHARED)
    off = ((const u32 *)(const void *)a->from)[lane] - (u32)base;
  else
    return false;
  if (off > mem->o.size_bytes - bytes || ((off | mem->o.base) & (bytes - 1))) return false;
  p->mem = mem;
  p->pattern = VM_UNIFORM;
  p->offset[lane] = (u32)off;
  return true;
}

/* All lanes inside the object that this instruction touched last? false says nothing yet. */
static bool place_near(struct vm_exec *x, const struct vm_insn *in, const struct addresses *a,
                       u32 bytes, bool writes, struct vm_place *p) {
  struct vm_mem *mem = last_object(x, in, a->space);
  if (!can_touch(mem, bytes, writes)) return false;
  struct extremes e;
  u64 base = mem->o.base + a->window - a->imm;
  const void *from = a->from;
  if (a->width == 8) {
    if (!offsets64(x, from, base, bytes, p->offset, &e)) return false;
  } else if (a->space == SP_SHARED) {
    offsets32(x, from, (u32)base, bytes, p->offset, &e);
  } else {
    return false;
  }
  if (e.hi > mem->o.size_bytes - bytes || ((e.bits | mem->o.base) & (bytes - 1))) return false;
  p->mem = mem;
  p->pattern = e.lo == e.hi ? VM_UNIFORM : e.gap ? VM_GATHER : VM_CONTIGUOUS;
  return true;
}

/* Local and parameter memory, and whatever is not near. */
static bool place_far(struct vm_exec *x, const struct vm_insn *in, const struct addresses *a,
                      u32 bytes, bool writes, bool atomic, struct vm_place *p) {
  u64 addr[VM_LANES], differs = 0;
  const u64 *wide = (const u64 *)(const void *)a->from;
  const u32 *narrow = (const u32 *)(const void *)a->from;
  if (a->width == 8) {
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) addr[i] = wide[i] + a->imm;
  } else {
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) addr[i] = narrow[i] + a->imm;
  }
  if (a->generic && a->space != SP_GLOBAL) {
    u64 first = addr[__builtin_ctz(x->mask)];
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++)
      differs |= (addr[i] ^ first) & (u64)(i64)(i32)x->lane_mask[i];
    if (differs >> 32) return mixed_windows(x, in), false;
  }
  if (a->space == SP_LOCAL) return place_local(x, in, addr, bytes, writes, atomic, p);
  if (a->space == SP_PARAM) {
    VM_EACH(l, x->mask) p->offset[l] = (u32)addr[l];
    p->mem = NULL;
    p->pattern = VM_GATHER;
    return true;
  }
  return place_slow(x, in, addr, bytes, writes, atomic, p);
}

static inline bool place(struct vm_exec *x, const struct vm_insn *in, struct addresses *a,
                         u32 bytes, bool writes, bool atomic, struct vm_place *p) {
  a->window = 0;
  a->generic = a->space == SP_GENERIC;
  if (a->generic) {
    u32 first = (u32)__builtin_ctz(x->mask);
    u64 hi = vm_get(a->from, a->width, first) + a->imm;
    a->space = window_space((u32)(hi >> 32));
    if (a->space != SP_GLOBAL) a->window = hi >> 32 << 32;
  } else if (a->space == SP_CONST) {
    a->space = SP_GLOBAL;
  }
  p->space = a->space;
  if (a->space == SP_GLOBAL || a->space == SP_SHARED) {
    bool alone = !(x->mask & (x->mask - 1));
    if (alone ? place_one(x, in, a, bytes, writes, p) : place_near(x, in, a, bytes, writes, p))
      return true;
  }
  return place_far(x, in, a, bytes, writes, atomic, p);
}

bool vm_place(struct vm_exec *x, const struct vm_insn *in, u32 bytes, bool writes, bool atomic,
              struct vm_place *p) {
  const u8 *slot = vm_data(x, in->src[0]);
  u32 undefined = ~vm_head((u8 *)(uintptr_t)slot)->valid & x->mask;
  if (__builtin_expect(undefined && x->undefined, 0)) vm_uninit(x, in, slot, undefined, "address");
  p->lost = x->undefined ? undefined : 0;
  struct addresses a = {
      .space = (enum ptx_space)in->space, .from = slot, .width = in->a, .imm = (u64)in->imm};
  return place(x, in, &a, bytes, writes, atomic, p);
}

bool vm_place_lanes(struct vm_exec *x, const struct vm_insn *in, enum ptx_space space,
                    const u64 *addr, u32 bytes, bool writes, bool atomic, struct vm_place *p) {
  struct addresses a = {.space = space, .from = (const u8 *)addr, .width = 8};
  p->lost = 0;
  return place(x, in, &a, bytes, writes, atomic, p);
}

static u32 local_valid(struct vm_exec *x, const struct vm_place *p, u32 mask, u32 bytes) {
  u32 ok = 0;
  if (p->pattern == VM_UNIFORM) {
    u32 o = p->offset[__builtin_ctz(mask)];
    ok = mask;
    for (u32 b = o; b < o + bytes; b++) ok &= x->warp->local_valid[b / 4][b & 3];
    return ok;
  }
  VM_EACH(l, mask) {
    u32 o = p->offset[l], all = vm_bit(l);
    for (u32 b = o; b < o + bytes; b++) all &= x->warp->local_valid[b / 4][b & 3];
    ok |= all;
  }
  return ok;
}

u32 vm_place_valid(struct vm_exec *x, const struct vm_place *p, u32 mask, u32 bytes) {
  if (!x->undefined) return mask;
  if (p->space == SP_LOCAL) return local_valid(x, p, mask, bytes);
  u32 first = (u32)__builtin_ctz(mask);
  if (p->mem) {
    if (p->mem->all_valid || !p->mem->valid) return mask;
    if (p->pattern == VM_UNIFORM && bytes > 8)
      return vm_bits_all(p->mem->valid, p->offset[first], bytes) ? mask : 0;
    if (p->pattern == VM_CONTIGUOUS && vm_bits_all(p->mem->valid, p->offset[0], 32ull * bytes))
      return mask;
  }
  u32 ok = 0;
  if (p->mem && bytes <= 8) { /* naturally aligned: within one byte of bits */
    const u8 *bits = p->mem->valid;
    u32 ones = (1u << bytes) - 1, o = p->offset[first];
    if (p->pattern == VM_UNIFORM) return ((u32)(bits[o >> 3] >> (o & 7)) & ones) == ones ? mask : 0;
    VM_EACH(l, mask)
    ok |= (u32)(((bits[p->offset[l] >> 3] >> (p->offset[l] & 7)) & ones) == ones) << l;
    return ok;
  }
  VM_EACH(l, mask) {
    const struct vm_mem *mem = vm_place_mem(p, l);
    if (mem->all_valid || !mem->valid || vm_bits_all(mem->valid, p->offset[l], bytes))
      ok |= vm_bit(l);
  }
  return ok;
}

void vm_access_event(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p,
                     u32 bytes, u32 mask, u32 wrote, const u8 *value, const u8 *order) {
  struct vm_machine *m = x->m;
  struct vm_access a;
  struct vm_object *objects[VM_LANES];
  a.who = &x->warp->who;
  a.frame = x->frame;
  a.pos.func = x->frame->code->func;
  a.pos.insn = in->ptx;
  a.pos_id = in->pos_id;
  a.mask = mask;
  a.lost = p->lost & mask;
  a.wrote = wrote;
  a.kind = in->kind;
  a.sem = in->sem;
  a.scope = in->scope;
  a.nc = in->d == 1;
  a.size_bytes = bytes;
  a.pattern = p->pattern;
  a.object = p->mem ? &p->mem->o : NULL;
  a.objects = NULL;
  if (!p->mem) {
    VM_EACH(l, mask) objects[l] = &p->mems[l]->o;
    a.objects = objects;
  }
  a.offset = p->offset;
  a.now = NULL;
  a.value = value;
  a.order = order;
  a.late = x->late;
  a.step = m->steps;
  for (u32 i = 0; i < m->observer_count; i++)
    if (m->observers[i]->access) m->observers[i]->access(m->observers[i]->self, &a);
}
