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
  if (x->undefined && !(vm_valid(x, in->src[0]) >> lane &
                        1)) { /* reported as an undefined address: where it leads is chance */
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
  p->offset[lane] = off;
  if (space != SP_SHARED) x->m->cache[in->pos_id] = mem;
  return true;
}

static void classify(struct vm_place *p, u32 mask, u32 bytes) {
  u32 first = (u32)__builtin_ctz(mask);
  u64 o = p->offset[first], differs = 0, gap = 0;
  const u64 *off = p->offset;
  if (mask == VM_FULL) {
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) {
      differs |= off[i] ^ o;
      gap |= off[i] ^ (o + (u64)i * bytes);
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

static bool place_local(struct vm_exec *x, const struct vm_insn *in, const u64 *addr, bool same,
                        u32 bytes, bool writes, bool atomic, struct vm_place *p) {
  p->mem = NULL;
  if (same) { /* the usual case: a local variable stands at one offset in every thread */
    u32 first = (u32)__builtin_ctz(x->mask);
    u64 a = (u32)addr[first];
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) p->offset[i] = a;
    p->pattern = VM_UNIFORM;
    return check_local(x, in, first, a, bytes, writes, atomic);
  }
  p->pattern = VM_GATHER;
  VM_EACH(l, x->mask) {
    p->offset[l] = (u32)addr[l];
    if (!check_local(x, in, l, p->offset[l], bytes, writes, atomic)) return false;
  }
  return true;
}

static void lane_addresses(struct vm_exec *x, const struct vm_insn *in, u64 *addr) {
  if (in->a == 4) {
    const u32 *s = vm_u32(x, in->src[0]);
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) addr[i] = (u64)s[i] + (u64)in->imm;
  } else {
    const u64 *s = vm_u64(x, in->src[0]);
    u64 imm = (u64)in->imm;
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) addr[i] = s[i] + imm;
  }
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

bool vm_place(struct vm_exec *x, const struct vm_insn *in, u32 bytes, bool writes, bool atomic,
              struct vm_place *p) {
  u64 addr[VM_LANES];
  const u8 *slot = vm_data(x, in->src[0]);
  u32 undefined = ~vm_head((u8 *)(uintptr_t)slot)->valid & x->mask;
  if (__builtin_expect(undefined && x->undefined, 0)) vm_uninit(x, in, slot, undefined, "address");
  lane_addresses(x, in, addr);
  return vm_place_lanes(x, in, in->space, addr, bytes, writes, atomic, p);
}

bool vm_place_lanes(struct vm_exec *x, const struct vm_insn *in, enum ptx_space space, u64 *addr,
                    u32 bytes, bool writes, bool atomic, struct vm_place *p) {
  u32 mask = x->mask, first = (u32)__builtin_ctz(mask);
  u64 a0 = addr[first], differs = 0;
  VM_IVDEP
  for (u32 i = 0; i < VM_LANES; i++) differs |= (addr[i] ^ a0) & (u64)(i64)(i32)x->lane_mask[i];
  if (space == SP_GENERIC) {
    space = window_space((u32)(a0 >> 32));
    if (space != SP_GLOBAL) {
      if (differs >> 32) return mixed_windows(x, in), false;
      VM_IVDEP
      for (u32 i = 0; i < VM_LANES; i++) addr[i] = (u32)addr[i];
    }
  } else if (space == SP_CONST) {
    space = SP_GLOBAL;
  }
  p->space = space;
  if (space == SP_LOCAL) return place_local(x, in, addr, !differs, bytes, writes, atomic, p);
  if (space == SP_PARAM) {
    VM_EACH(l, mask) p->offset[l] = (u32)addr[l];
    p->mem = NULL;
    p->pattern = VM_GATHER;
    return true;
  }
  struct vm_mem *mem = NULL;
  if (space == SP_SHARED) {
    u32 i = x->m->shared_cache[in->pos_id];
    if (i < x->m->shared_count) mem = &x->block->shared[i];
  } else {
    mem = x->m->cache[in->pos_id];
  }
  if (!mem || mem->o.state != VM_LIVE || mem->o.size_bytes < bytes ||
      (writes && mem->o.space == SP_CONST))
    return place_slow(x, in, addr, bytes, writes, atomic, p);
  /* All lanes in the object that this instruction touched last? Offsets that wrap are large. */
  u64 base = mem->o.base, limit = mem->o.size_bytes - bytes, bad = 0, low = 0;
  u64 *off = p->offset;
  p->mem = mem;
  if (!differs) {
    u64 o = addr[first] - base;
    if (o > limit || ((o | base) & (bytes - 1)))
      return place_slow(x, in, addr, bytes, writes, atomic, p);
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) off[i] = o;
    p->pattern = VM_UNIFORM;
    return true;
  }
  if (mask == VM_FULL) {
    u64 gap = 0, o = addr[0] - base;
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) {
      off[i] = addr[i] - base;
      bad |= (u64)(off[i] > limit);
      low |= off[i];
      gap |= off[i] ^ (o + (u64)i * bytes);
    }
    p->pattern = gap ? VM_GATHER : VM_CONTIGUOUS;
  } else {
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) {
      u64 keep = (u64)(i64)(i32)x->lane_mask[i];
      off[i] = addr[i] - base;
      bad |= (u64)(off[i] > limit) & keep;
      low |= off[i] & keep;
    }
    p->pattern = VM_GATHER;
  }
  if (__builtin_expect(bad || ((low | base) & (bytes - 1)), 0))
    return place_slow(x, in, addr, bytes, writes, atomic, p);
  return true;
}

static u32 local_valid(struct vm_exec *x, const struct vm_place *p, u32 mask, u32 bytes) {
  u32 ok = 0;
  if (p->pattern == VM_UNIFORM) {
    u32 o = (u32)p->offset[__builtin_ctz(mask)];
    ok = mask;
    for (u32 b = o; b < o + bytes; b++) ok &= x->warp->local_valid[b / 4][b & 3];
    return ok;
  }
  VM_EACH(l, mask) {
    u32 o = (u32)p->offset[l], all = vm_bit(l);
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
    if (p->pattern == VM_UNIFORM)
      return vm_bits_all(p->mem->valid, p->offset[first], bytes) ? mask : 0;
    if (p->pattern == VM_CONTIGUOUS && vm_bits_all(p->mem->valid, p->offset[0], 32ull * bytes))
      return mask;
  }
  u32 ok = 0;
  if (p->mem && bytes <= 8) { /* naturally aligned: within one byte of bits */
    const u8 *bits = p->mem->valid;
    u32 ones = (1u << bytes) - 1;
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
  a.step = m->steps;
  for (u32 i = 0; i < m->observer_count; i++)
    if (m->observers[i]->access) m->observers[i]->access(m->observers[i]->self, &a);
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

static enum vm_scope scope_of(const struct ptx_insn *in) {
  if (ptx_has(in, MOD_CTA)) return VM_SCOPE_CTA;
  if (ptx_has(in, MOD_CLUSTER)) return VM_SCOPE_CLUSTER;
  if (ptx_has(in, MOD_GPU) || ptx_has(in, MOD_GL)) return VM_SCOPE_GPU;
  if (ptx_has(in, MOD_SYS)) return VM_SCOPE_SYS;
  return VM_SCOPE_NONE;
}

bool vm_pick_memory(struct vm_pick *p, u32 address_operand) {
  const struct ptx_insn *in = p->in;
  struct vm_insn *out = p->out;
  out->space = SP_GENERIC;
  if (ptx_has(in, MOD_GLOBAL)) out->space = SP_GLOBAL;
  if (ptx_has(in, MOD_SHARED) || ptx_has(in, MOD_SHARED_CTA)) out->space = SP_SHARED;
  if (ptx_has(in, MOD_SHARED_CLUSTER)) out->space = SP_SHARED;
  if (ptx_has(in, MOD_LOCAL)) out->space = SP_LOCAL;
  if (ptx_has(in, MOD_CONST)) out->space = SP_CONST;
  if (ptx_has(in, MOD_PARAM) || ptx_has(in, MOD_PARAM_ENTRY)) out->space = SP_PARAM;
  out->scope = (u8)scope_of(in);
  out->sem = VM_WEAK;
  if (ptx_has(in, MOD_RELAXED)) out->sem = VM_RELAXED;
  if (ptx_has(in, MOD_VOLATILE)) out->sem = VM_VOLATILE, out->scope = VM_SCOPE_SYS;
  if (ptx_has(in, MOD_MMIO)) out->sem = VM_RELAXED, out->scope = VM_SCOPE_SYS;
  if (ptx_has(in, MOD_ACQUIRE)) out->sem = VM_ACQUIRE;
  if (ptx_has(in, MOD_RELEASE)) out->sem = VM_RELEASE;
  if (ptx_has(in, MOD_ACQ_REL)) out->sem = VM_ACQ_REL;
  if (out->sem != VM_WEAK && out->scope == VM_SCOPE_NONE) out->scope = VM_SCOPE_GPU;
  if (ptx_has(in, MOD_NC) || in->op == OP_ldu) out->d = 1;
  if (address_operand >= in->operand_count || !in->operands[address_operand].is_addr)
    return vm_no(p, "no address operand");
  const struct ptx_operand *a = &in->operands[address_operand];
  if (a->kind == OPD_REG && ptx_has(in, MOD_PARAM) && !p->func->is_entry)
    return vm_no(p, "the address of a device function's parameter is not supported");
  if (a->kind == OPD_REG) {
    u32 w = vm_operand_bytes(p, address_operand);
    if (w != 4 && w != 8) return vm_no(p, "the address register must have 32 or 64 bits");
    out->a = (u8)w;
    out->imm = a->imm;
    return vm_src(p, 0, address_operand, w == 4 ? T_U32 : T_U64);
  }
  out->a = 8;
  if (a->kind == OPD_VAR && p->m->module->vars[a->index].space == SP_LOCAL) {
    out->imm = (i64)p->code->local_offset[a->index] + a->imm;
    out->src[0] = p->code->local_ref;
    return true;
  }
  out->imm = 0;
  return vm_src(p, 0, address_operand,
                T_U64); /* variable or absolute address: a constant, offset included */
}
