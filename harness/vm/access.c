/* access.c - ld, ldu, st: weak and strong loads and stores of every space but parameters (see
 * param.c).
 *
 * Order inside an instruction: place, event, then the effect: observers see memory as it was. */
#include "vm/place.h"
#include "vm/lanes.h"
#include <stdlib.h>
#include "vm/lone.h"

struct vm_vector { /* registers of a vector operand; -1 = "_" */
  i32 ref[8];
};
static i32 element_ref(const struct vm_insn *in, i32 scalar, u32 e) {
  return in->vec == 1 ? scalar : ((const struct vm_vector *)in->more)->ref[e];
}

/* ---- register <-> bytes. `b`: bytes a register holds (2, 4, 8, 16), in->size: bytes in memory
 * ---- */
static void put_lane(u8 *dst, u32 lane, u32 reg_bytes, const u8 *from, u32 size, bool sign) {
  u64 v = 0;
  switch (size) { /* copies of a known size need no call */
  case 1: v = from[0]; break;
  case 2: memcpy(&v, from, 2); break;
  case 4: memcpy(&v, from, 4); break;
  case 8: memcpy(&v, from, 8); break;
  default: memcpy(dst + lane * 16u, from, 16); return;
  }
  if (sign && size < 8 && v >> (size * 8 - 1)) v |= ~0ull << (size * 8);
  if (reg_bytes <= 8) {
    vm_put(dst, reg_bytes, lane, v);
    return;
  }
  u64 wide[2] = {v, sign && v >> 63 ? ~0ull : 0};
  memcpy(dst + (size_t)lane * reg_bytes, wide, sizeof wide);
}

static void store_register(struct vm_exec *x, const struct vm_insn *in, u8 *dst,
                           const struct vm_place *p, u32 e) {
  u32 size = in->size, rb = in->b, first = (u32)__builtin_ctz(x->mask);
  bool sign = in->c;
  if (vm_few(x->mask)) {
    VM_EACH(l, x->mask) put_lane(dst, l, rb, vm_place_at(p, l) + e * size, size, sign);
    return;
  }
  if (size == rb && p->pattern == VM_CONTIGUOUS && in->vec == 1) {
    memcpy(dst, p->mem->o.data + p->offset[0], 32u * size);
    return;
  }
  if (p->pattern == VM_UNIFORM) {
    _Alignas(16) u8 one[16];
    put_lane(one, 0, rb, vm_place_at(p, first) + e * size, size, sign);
    if (rb == 4) {
      u32 v, *d = (u32 *)(void *)dst;
      memcpy(&v, one, 4);
      VM_IVDEP
      for (u32 i = 0; i < VM_LANES; i++) d[i] = (d[i] & ~x->lane_mask[i]) | (v & x->lane_mask[i]);
    } else {
      VM_EACH(l, x->mask) memcpy(dst + l * rb, one, rb);
    }
    return;
  }
  if (size == 4 && rb == 4 && p->mem) {
    const u8 *base = p->mem->o.data + e * 4;
    u32 *d = (u32 *)(void *)dst;
    if (x->mask == VM_FULL) {
      VM_IVDEP
      for (u32 i = 0; i < VM_LANES; i++) memcpy(&d[i], base + p->offset[i], 4);
    } else {
      VM_EACH(l, x->mask) memcpy(&d[l], base + p->offset[l], 4);
    }
    return;
  }
  if (size == 4 && rb == 8 && p->mem) {
    const u8 *base = p->mem->o.data + e * 4;
    u64 *d = (u64 *)(void *)dst;
    VM_EACH(l, x->mask) {
      u32 v;
      memcpy(&v, base + p->offset[l], 4);
      d[l] = sign ? (u64)(i64)(i32)v : v;
    }
    return;
  }
  VM_EACH(l, x->mask) put_lane(dst, l, rb, vm_place_at(p, l) + e * size, size, sign);
}

/* Lanes with some bytes defined and some not: remember which, so that copying a padded struct keeps
 * its fields. */
static void partial_load(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p,
                         u8 *dst, u32 e, u32 bad) {
  struct vm_slot *h = vm_head(dst);
  h->origin_pos = in->pos_id;
  u32 lane = (u32)__builtin_ctz(bad);
  h->origin_object = p->space == SP_LOCAL ? NULL : &vm_place_mem(p, lane)->o;
  h->origin_offset = p->space == SP_LOCAL ? 0 : p->offset[lane] + e * in->size;
  h->partial = NULL;
  u64 bits[VM_LANES] = {0};
  bool any = false;
  u32 n = in->size > 8 ? 8 : in->size;
  VM_EACH(l, bad) {
    for (u32 b = 0; b < n; b++) {
      u64 o = p->offset[l] + e * in->size + b;
      bool ok;
      if (p->space == SP_LOCAL)
        ok = x->warp->local_valid[o / 4][o & 3] >> l & 1;
      else
        ok = vm_bits_all(vm_place_mem(p, l)->valid, o, 1);
      if (ok) bits[l] |= 0xffull << b * 8;
    }
    any |= bits[l] != 0;
  }
  u64 above = in->b > n ? ~0ull << n * 8 : 0; /* an unsigned load fills up with defined zeros */
  if (above && !in->c) {
    VM_EACH(l, bad) bits[l] |= above;
    any = true;
  }
  if (any) vm_partial_set(x, h, bits);
}

static void load_validity(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p,
                          u8 *dst, u32 e) {
  struct vm_slot *h = vm_head(dst);
  u32 ok = x->mask;
  if (x->undefined && !(p->mem && p->mem->all_valid)) {
    if (in->vec == 1) {
      ok = vm_place_valid(x, p, x->mask, in->size);
    } else { /* one element of each lane's vector */
      struct vm_place q = *p;
      VM_EACH(l, x->mask) q.offset[l] += e * in->size;
      if (q.pattern == VM_CONTIGUOUS) q.pattern = VM_GATHER;
      ok = vm_place_valid(x, &q, x->mask, in->size);
    }
  }
  h->valid = (h->valid & ~x->mask) | ok;
  if (__builtin_expect(ok != x->mask, 0)) partial_load(x, in, p, dst, e, x->mask & ~ok);
}

/* Every lane's word of one row: up to 4 bytes at `shift`, extended to the register's width. */
static void load_local_words(struct vm_exec *x, const struct vm_insn *in, u8 *dst, const u32 *row,
                             u32 shift) {
  u32 up = 32 - in->size * 8u;
  i32 word[VM_LANES];
  if (in->c) {
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) word[i] = (i32)(row[i] >> shift << up) >> up;
  } else {
    VM_IVDEP
    for (u32 i = 0; i < VM_LANES; i++) word[i] = (i32)(row[i] >> shift << up >> up);
  }
  if (in->b == 4) {
    u32 *d = (u32 *)(void *)dst;
    VM_STORE_LANES(x, u32, d, (u32)word[i]);
  } else if (in->b == 8) {
    u64 *d = (u64 *)(void *)dst;
    u64 keep = in->c ? ~0ull : 0xffffffffu; /* sign or zero extension */
    VM_STORE_LANES(x, u64, d, (u64)(i64)word[i] & keep);
  } else {
    u16 *d = (u16 *)(void *)dst;
    VM_STORE_LANES(x, u16, d, (u16)word[i]);
  }
}

static void load_local(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p) {
  u32 *rows = x->warp->local, first = (u32)__builtin_ctz(x->mask);
  for (u32 e = 0; e < in->vec; e++) {
    i32 ref = element_ref(in, in->dst, e);
    if (ref == -1) continue;
    u8 *dst = vm_data(x, ref);
    u32 o = (u32)p->offset[first] + e * in->size;
    if (p->pattern == VM_UNIFORM && in->size <= 4) {
      load_local_words(x, in, dst, rows + (size_t)(o / 4) * 32, (o & 3) * 8);
    } else if (p->pattern == VM_UNIFORM && in->size == 8 && in->b == 8) {
      const u32 *row = rows + (size_t)(o / 4) * 32;
      u64 *d = (u64 *)(void *)dst;
      VM_IVDEP
      for (u32 i = 0; i < VM_LANES; i++) {
        u64 keep = (u64)(i64)(i32)x->lane_mask[i];
        d[i] = (d[i] & ~keep) | (((u64)row[i] | (u64)row[32 + i] << 32) & keep);
      }
    } else {
      VM_EACH(l, x->mask) {
        u8 bytes[16];
        u32 at = (u32)p->offset[l] + e * in->size;
        for (u32 b = 0; b < in->size; b++)
          bytes[b] = ((u8 *)&rows[(size_t)((at + b) / 4) * 32 + l])[(at + b) & 3];
        put_lane(dst, l, in->b, bytes, in->size, in->c);
      }
    }
    load_validity(x, in, p, dst, e);
  }
}

static void load_kernel_params(struct vm_exec *x, const struct vm_insn *in,
                               const struct vm_place *p) {
  const struct vm_launch *launch = x->m->launch;
  for (u32 e = 0; e < in->vec; e++) {
    i32 ref = element_ref(in, in->dst, e);
    if (ref == -1) continue;
    u8 *dst = vm_data(x, ref);
    VM_EACH(l, x->mask) {
      u64 o = p->offset[l] + e * in->size;
      if (o > launch->param_bytes || in->size > launch->param_bytes - o) {
        vm_fault_now(x, in, VM_FAULT_BOUNDS, vm_bit(l), "outside of the kernel's parameters");
        return;
      }
      put_lane(dst, l, in->b, launch->params + o, in->size, in->c);
    }
    vm_head(dst)->valid |= x->mask;
  }
}

static void vm_op_ld(struct vm_exec *x, const struct vm_insn *in) {
  if (in->sem != VM_WEAK && x->m->may_switch && vm_switch_here(x, in)) return;
  struct vm_place p;
  u32 bytes = (u32)in->size * in->vec;
  if (!vm_place(x, in, bytes, false, false, &p)) return;
  vm_count_access(x, in, &p);
  if (p.space == SP_LOCAL) {
    load_local(x, in, &p);
    return;
  }
  if (p.space == SP_PARAM) {
    load_kernel_params(x, in, &p);
    return;
  }
  if (x->m->has_access && !(p.mem && p.mem->o.space == SP_CONST))
    vm_access_event(x, in, &p, bytes, x->mask, 0, NULL, NULL);
  struct vm_group *g = x->group;
  g->loaded = true;
  for (u32 e = 0; e < in->vec; e++) {
    i32 ref = element_ref(in, in->dst, e);
    if (ref == -1) continue;
    u8 *dst = vm_data(x, ref);
    store_register(x, in, dst, &p, e);
    load_validity(x, in, &p, dst, e);
  }
  if (g->watch) {
    u32 l = (u32)__builtin_ctz(x->mask);
    vm_watch_load(x, in, vm_place_mem(&p, l), p.offset, bytes,
                  vm_data(x, element_ref(in, in->dst, 0)), in->b);
  }
}

/* ---- stores ---- */
/* The new bytes, lane-major: element registers side by side. Returns the register itself where that
 * is them. */
static const u8 *new_bytes(struct vm_exec *x, const struct vm_insn *in, u8 *room) {
  u32 size = in->size, total = size * in->vec;
  if (in->vec == 1 && in->b == size) return vm_data(x, in->src[1]);
  for (u32 e = 0; e < in->vec; e++) {
    const u8 *src = vm_data(x, element_ref(in, in->src[1], e));
    for (u32 l = 0; l < VM_LANES; l++) memcpy(room + l * total + e * size, src + l * in->b, size);
  }
  return room;
}

/* Which lanes store a defined value; partly defined lanes are settled byte by byte here. */
static void store_validity(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p) {
  u32 size = in->size, bytes = size * in->vec, bad = 0;
  for (u32 e = 0; e < in->vec; e++) bad |= ~vm_valid(x, element_ref(in, in->src[1], e)) & x->mask;
  if (p->mem && p->mem->all_valid && !bad) return;
  if (!bad && p->mem && p->mem->valid && !p->mem->undef) {
    u8 *bits = p->mem->valid;
    if (p->pattern == VM_CONTIGUOUS) {
      vm_bits_put(bits, p->offset[0], 32ull * bytes, true);
    } else if (p->pattern == VM_UNIFORM) {
      vm_bits_put(bits, p->offset[__builtin_ctz(x->mask)], bytes, true);
    } else if (bytes <= 8) { /* aligned: within one byte of bits */
      u32 ones = bytes == 8 ? 0xff : (1u << bytes) - 1;
      VM_EACH(l, x->mask) bits[p->offset[l] >> 3] |= (u8)(ones << (p->offset[l] & 7));
    } else {
      VM_EACH(l, x->mask) vm_bits_put(bits, p->offset[l], bytes, true);
    }
    return;
  }
  for (u32 e = 0; e < in->vec; e++) {
    u8 *src = vm_data(x, element_ref(in, in->src[1], e));
    struct vm_slot *h = vm_head(src);
    VM_EACH(l, x->mask) {
      struct vm_mem *mem = vm_place_mem(p, l);
      if (!mem->valid) continue;
      u64 o = p->offset[l] + e * size;
      if (h->valid >> l & 1) {
        vm_bits_put(mem->valid, o, size, true);
        if (mem->undef) vm_bits_put(mem->undef, o, size, false);
        continue;
      }
      if (mem->all_valid) {
        mem->all_valid = false;
        vm_bits_put(mem->valid, 0, mem->o.size_bytes, true);
      }
      if (!mem->undef) { mem->undef = held_zeroed(mem->o.size_bytes / 8 + 8, 1); }
      for (u32 b = 0; b < size; b++) {
        bool ok = h->partial && b < 8 && vm_partial_byte(h->partial, l, b);
        vm_bits_put(mem->valid, o + b, 1, ok);
        vm_bits_put(mem->undef, o + b, 1, !ok);
      }
    }
    u32 undefined = ~h->valid & x->mask;
    if (undefined && p->space == SP_GLOBAL && !h->partial)
      vm_uninit_store(x, in, src, undefined, &vm_place_mem(p, (u32)__builtin_ctz(undefined))->o);
  }
}

static bool changes(struct vm_exec *x, const struct vm_place *p, const u8 *bytes, u32 n) {
  if (p->pattern == VM_CONTIGUOUS)
    return memcmp(p->mem->o.data + p->offset[0], bytes, 32ull * n) != 0;
  VM_EACH(l, x->mask) {
    if (memcmp(vm_place_at(p, l), bytes + l * n, n)) return true;
  }
  return false;
}

static void store_local(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p) {
  struct vm_warp *w = x->warp;
  u32 size = in->size, first = (u32)__builtin_ctz(x->mask);
  for (u32 e = 0; e < in->vec; e++) {
    u8 *src = vm_data(x, element_ref(in, in->src[1], e));
    struct vm_slot *h = vm_head(src);
    u32 o = (u32)p->offset[first] + e * size;
    u32 *row = w->local + (size_t)(o / 4) * 32;
    if (p->pattern == VM_UNIFORM && (size == 4 || size == 8) && in->b == size) {
      const u32 *s4 = (const u32 *)(const void *)src;
      const u64 *s8 = (const u64 *)(const void *)src;
      VM_IVDEP
      for (u32 i = 0; i < VM_LANES; i++) {
        u32 k = x->lane_mask[i], lo = size == 4 ? s4[i] : (u32)s8[i];
        row[i] = (row[i] & ~k) | (lo & k);
      }
      if (size == 8) VM_IVDEP
      for (u32 i = 0; i < VM_LANES; i++) {
        u32 k = x->lane_mask[i];
        row[32 + i] = (row[32 + i] & ~k) | ((u32)(s8[i] >> 32) & k);
      }
      if (!(~h->valid & x->mask)) {
        for (u32 b = 0; b < size; b++) w->local_valid[o / 4 + b / 4][b & 3] |= x->mask;
        continue;
      }
    } else {
      VM_EACH(l, x->mask) {
        u32 at = (u32)p->offset[l] + e * size;
        for (u32 b = 0; b < size; b++)
          ((u8 *)&w->local[(size_t)((at + b) / 4) * 32 + l])[(at + b) & 3] = src[l * in->b + b];
      }
    }
    VM_EACH(l, x->mask) {
      u32 at = (u32)p->offset[l] + e * size;
      for (u32 b = 0; b < size; b++) {
        bool ok = (h->valid >> l & 1) || (h->partial && b < 8 && vm_partial_byte(h->partial, l, b));
        u32 *v = &w->local_valid[(at + b) / 4][(at + b) & 3];
        *v = ok ? *v | vm_bit(l) : *v & ~vm_bit(l);
      }
    }
  }
}

static void vm_op_st(struct vm_exec *x, const struct vm_insn *in) {
  if (in->sem != VM_WEAK && x->m->may_switch && vm_switch_here(x, in)) return;
  struct vm_place p;
  u32 bytes = (u32)in->size * in->vec;
  if (!vm_place(x, in, bytes, true, false, &p)) return;
  vm_count_access(x, in, &p);
  if (p.space == SP_LOCAL) {
    store_local(x, in, &p);
    return;
  }
  if (p.space == SP_PARAM) {
    vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask,
                 "a store into the kernel's parameters, which are constant");
    return;
  }
  u8 room[VM_LANES * 64];
  const u8 *value = new_bytes(x, in, room);
  if (x->m->has_access) vm_access_event(x, in, &p, bytes, x->mask, x->mask, value, NULL);
  struct vm_group *g = x->group;
  bool strong = in->sem != VM_WEAK;
  if ((!g->changed || (strong && !g->published)) && changes(x, &p, value, bytes)) {
    g->changed = true;
    g->published |= strong;
  }
  if (g->changed) x->m->progress++;
  if (p.pattern == VM_CONTIGUOUS) {
    memcpy(p.mem->o.data + p.offset[0], value, 32ull * bytes);
  } else if (bytes == 4 && p.mem) {
    VM_EACH(l, x->mask) memcpy(p.mem->o.data + p.offset[l], value + l * 4, 4);
  } else {
    VM_EACH(l, x->mask) memcpy(vm_place_at(&p, l), value + l * bytes, bytes);
  }
  if (x->undefined) store_validity(x, in, &p);
}

/* ---- picking ---- */
static bool pick_access(struct vm_pick *p, u32 value_operand, u32 address_operand, bool writes) {
  const struct ptx_insn *in = p->in;
  struct vm_insn *out = p->out;
  enum ptx_type t = vm_type(p, 0);
  u32 vec = ptx_has(in, MOD_V2) ? 2 : ptx_has(in, MOD_V4) ? 4 : ptx_has(in, MOD_V8) ? 8 : 1;
  if (!ptx_type_bytes(t) || in->type_count != 1) return vm_no(p, "one type is needed");
  if (!vm_pick_memory(p, address_operand)) return false;
  out->size = (u8)ptx_type_bytes(t);
  out->vec = (u8)vec;
  out->kind = writes ? VM_WRITE : VM_READ;
  out->c = t == T_S8 || t == T_S16 || t == T_S32;
  if ((u32)out->size * vec > 32) return vm_no(p, "a vector of more than 32 bytes");
  const struct ptx_operand *v = &in->operands[value_operand];
  if (vec > 1) {
    if (v->kind != OPD_VEC || v->item_count != vec)
      return vm_no(p, "the vector operand does not have that many elements");
    struct vm_vector *list = NEW(&p->m->arena, struct vm_vector);
    u32 width = 0;
    for (u32 e = 0; e < vec; e++) {
      u32 w;
      if (!vm_item(p, &v->items[e], t, !writes, &list->ref[e], &w)) return false;
      if (list->ref[e] == -1) continue;
      if (width && w != width) return vm_no(p, "vector elements of different widths");
      width = w;
    }
    if (!width) return vm_no(p, "no register in the vector operand");
    out->b = (u8)width;
    out->more = list;
  } else {
    u32 w;
    i32 ref;
    if (!vm_item(p, v, t, !writes, &ref, &w)) return false;
    if (ref == -1) return vm_no(p, "no register");
    out->b = (u8)w;
    if (writes)
      out->src[1] = ref;
    else
      out->dst = ref;
  }
  if (out->b < out->size) return vm_no(p, "the register is narrower than the type");
  return true;
}

static bool is_param(const struct vm_pick *p) {
  return ptx_has(p->in, MOD_PARAM) || ptx_has(p->in, MOD_PARAM_ENTRY) ||
         ptx_has(p->in, MOD_PARAM_FUNC);
}

bool vm_pick_ld(struct vm_pick *p) {
  if (p->in->operand_count < 2) return vm_no(p, "two operands are needed");
  if (is_param(p) && p->in->operands[1].kind == OPD_PARAM) return vm_pick_ld_param(p);
  if (is_param(p) && p->in->operands[1].kind == OPD_REG && !p->func->is_entry)
    return vm_pick_ld_func_param(p);
  return pick_access(p, 0, 1, false) && vm_use(p, vm_op_ld);
}
bool vm_pick_ldu(struct vm_pick *p) { return vm_pick_ld(p); }
bool vm_pick_st_async(struct vm_pick *p); /* ops_async.c */
bool vm_pick_st(struct vm_pick *p) {
  if (ptx_has(p->in, MOD_ASYNC)) return vm_pick_st_async(p);
  if (ptx_has(p->in, MOD_BULK)) return vm_pick_st_bulk(p);
  if (p->in->operand_count < 2) return vm_no(p, "two operands are needed");
  if (is_param(p) && p->in->operands[0].kind == OPD_PARAM) return vm_pick_st_param(p);
  return pick_access(p, 1, 0, true) && vm_use(p, vm_op_st);
}

VM_LONE_TABLE(access, {vm_op_ld, VM_LONE_load4}, {vm_op_st, VM_LONE_load4})
