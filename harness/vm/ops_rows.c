/* ops_rows.c - ldmatrix, stmatrix: the rows of small matrices between shared memory and registers.
 * Each lane names one row of 16 bytes. Where the bytes of a row go is the shape's: see byte_at. */
#include "vm/place.h"
#include "vm/lanes.h"
#include "vm/matrix.h"

enum { REGS_MAX = 4, ROW_BYTES = 16 };
struct rows {
  u32 shape; /* MOD_M8N8: 16-bit elements; the others: bytes */
  u32 regs, addresses;
  u32 element_bits; /* in memory: 16, 8, or 6 and 4, which become bytes with zeros above */
  bool trans;
  i32 ref[REGS_MAX];
};

/* Byte b of register r of lane l: the lane that names its row, and its number there. The layouts of
 * bytes are those of CUTLASS's copy traits for sm_100, the PTX ISA shows them in figures only. */
static void byte_at(const struct rows *k, u32 l, u32 r, u32 b, u32 *row, u32 *at) {
  u32 group = l >> 2, in_group = l & 3;
  switch (k->shape) {
  case MOD_M8N8:
    *row = r * 8 + (k->trans ? in_group * 2 + (b >> 1) : group);
    *at = (k->trans ? group : in_group * 2 + (b >> 1)) * 2 + (b & 1);
    break;
  case MOD_M8N16:
    *row = r * 8 + group;
    *at = in_group * 4 + b;
    break;
  case MOD_M16N16: /* two registers a matrix */
    *row = (r >> 1) * 16 + in_group * 4 + (r & 1) * 2 + (b & 1);
    *at = group + (b >> 1) * 8;
    break;
  default: /* MOD_M16N8 */ *row = r * 8 + in_group * 2 + (b & 1); *at = group + (b >> 1) * 8;
  }
}

static bool place_rows(struct vm_exec *x, const struct vm_insn *in, const struct rows *k,
                       bool writes, struct vm_place *p) {
  vm_exec_mask(x, k->addresses == VM_LANES ? VM_FULL : (1u << k->addresses) - 1);
  bool ok = vm_place(x, in, ROW_BYTES, writes, false, p);
  if (ok && p->space != SP_SHARED) {
    vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask, "the rows of a matrix must be in shared memory");
    ok = false;
  }
  if (ok) {
    vm_count_access(x, in, p);
    if (x->m->has_access)
      vm_access_event(x, in, p, ROW_BYTES, x->mask, writes ? x->mask : 0, NULL, NULL);
  }
  vm_exec_mask(x, VM_FULL);
  return ok;
}

/* Element `at` of a row whose elements are bytes or less; whether all of its bytes are defined. */
static u8 element(const struct vm_place *p, u32 row, u32 at, u32 bits, bool *defined) {
  const struct vm_mem *mem = vm_place_mem(p, row);
  const u8 *from = vm_place_at(p, row);
  u32 first = at * bits / 8, last = (at * bits + bits - 1) / 8, word = from[first];
  if (last != first) word |= (u32)from[last] << 8;
  if (mem->valid && !mem->all_valid &&
      !vm_bits_all(mem->valid, p->offset[row] + first, last - first + 1))
    *defined = false;
  return (u8)(word >> at * bits % 8 & ((1u << bits) - 1));
}

static void act_ldmatrix(struct vm_exec *x, const struct vm_insn *in) {
  const struct rows *k = vm_warp_wide(x, in);
  struct vm_place p;
  if (!k || !place_rows(x, in, k, false, &p)) return;
  x->group->loaded = true;
  u32 bits = k->element_bits == 16 ? 8 : k->element_bits;
  for (u32 r = 0; r < k->regs; r++) {
    u8 *d = vm_data(x, k->ref[r]);
    u32 valid = VM_FULL, row = 0, at = 0;
    for (u32 l = 0; l < VM_LANES; l++) {
      bool defined = true;
      for (u32 b = 0; b < 4; b++) {
        byte_at(k, l, r, b, &row, &at);
        d[l * 4 + b] = element(&p, row, at, bits, &defined);
      }
      if (!defined) valid &= ~vm_bit(l);
    }
    struct vm_slot *h = vm_head(d);
    h->valid = valid;
    if (valid != VM_FULL) {
      byte_at(k, (u32)__builtin_ctz(~valid), r, 0, &row, &at);
      h->origin_pos = in->pos_id;
      h->origin_object = &vm_place_mem(&p, row)->o;
      h->origin_offset = p.offset[row];
      h->partial = NULL;
    }
  }
}

static void act_stmatrix(struct vm_exec *x, const struct vm_insn *in) {
  const struct rows *k = vm_warp_wide(x, in);
  struct vm_place p;
  if (!k || !place_rows(x, in, k, true, &p)) return;
  x->group->changed = true;
  x->m->progress++;
  for (u32 r = 0; r < k->regs; r++)
    for (u32 l = 0; l < VM_LANES; l++)
      for (u32 b = 0; b < 4; b++) {
        u32 row, at;
        byte_at(k, l, r, b, &row, &at);
        struct vm_mem *mem = vm_place_mem(&p, row);
        vm_place_at(&p, row)[at] = vm_data(x, k->ref[r])[l * 4 + b];
        bool ok = vm_valid(x, k->ref[r]) >> l & 1;
        if (!mem->valid || (mem->all_valid && ok)) continue;
        if (mem->all_valid) vm_bits_put(mem->valid, 0, mem->o.size_bytes, true);
        mem->all_valid = false;
        vm_bits_put(mem->valid, p.offset[row] + at, 1, ok);
      }
}

/* Which forms there are: PTX ISA, ldmatrix and stmatrix. */
static bool check(struct vm_pick *p, struct rows *k, bool loads) {
  const struct ptx_insn *in = p->in;
  enum ptx_type t = vm_type(p, 0), s = vm_type(p, 1);
  bool packed = t == T_B8X16 && (s == T_B6X16_P32 || s == T_B4X16_P64);
  u32 matrices = ptx_has(in, MOD_X4) ? 4 : ptx_has(in, MOD_X2) ? 2 : 1;
  k->trans = ptx_has(in, MOD_TRANS);
  k->regs = matrices;
  k->addresses = matrices * 8;
  k->element_bits = t == T_B16 ? 16 : s == T_B6X16_P32 ? 6 : s == T_B4X16_P64 ? 4 : 8;
  if (in->type_count != (packed ? 2u : 1u)) return false;
  if (ptx_has(in, MOD_M8N8)) return k->shape = MOD_M8N8, t == T_B16;
  if (!loads) return k->shape = MOD_M16N8, ptx_has(in, MOD_M16N8) && t == T_B8 && k->trans;
  if (ptx_has(in, MOD_M8N16)) return k->shape = MOD_M8N16, packed && !k->trans;
  k->shape = MOD_M16N16;
  k->regs = matrices * 2;
  k->addresses = matrices * 16;
  return ptx_has(in, MOD_M16N16) && k->trans && matrices < 4 && (packed || t == T_B8);
}

static bool pick_rows(struct vm_pick *p, u32 regs, u32 address, bool loads, vm_fn *act) {
  const struct ptx_insn *in = p->in;
  struct rows *k = NEW(&p->m->arena, struct rows);
  if (!check(p, k, loads)) return vm_no(p, "there is no such form");
  if (in->operand_count < 2) return vm_no(p, "two operands are needed");
  const struct ptx_operand *v = &in->operands[regs];
  if ((v->kind == OPD_VEC ? v->item_count : 1) != k->regs)
    return vm_no(p, "this number of registers does not fit the shape");
  for (u32 i = 0; i < k->regs; i++) {
    u32 w;
    if (!vm_item(p, v->kind == OPD_VEC ? &v->items[i] : v, T_B32, loads, &k->ref[i], &w))
      return false;
    if (w != 4 || k->ref[i] == -1) return vm_no(p, "32-bit registers are needed");
  }
  p->out->size = ROW_BYTES;
  p->out->kind = loads ? VM_READ : VM_WRITE;
  return vm_pick_memory(p, address) && vm_pick_warp_wide(p, act, k);
}
bool vm_pick_ldmatrix(struct vm_pick *p) { return pick_rows(p, 0, 1, true, act_ldmatrix); }
bool vm_pick_stmatrix(struct vm_pick *p) { return pick_rows(p, 1, 0, false, act_stmatrix); }
