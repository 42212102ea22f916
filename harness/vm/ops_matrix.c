/* ops_matrix.c - mma.sync, ldmatrix, stmatrix, movmatrix: pieces of 8 x 8 b16 elements, products of
 * them. */
#include "vm/matrix.h"
#include "vm/place.h"
#include "vm/lanes.h"

/* ---- mma.sync ---- */
static void act_mma(struct vm_exec *x, const struct vm_insn *in) {
  const struct vm_mma *k = vm_warp_wide(x, in);
  if (k) vm_mma(x, in, k);
}

static bool shape(const struct ptx_insn *in, u32 *m, u32 *n, u32 *k) {
  static const struct {
    u8 mod, m, n, k;
  } shapes[] = {{MOD_M16N8K16, 16, 8, 16}, {MOD_M16N8K8, 16, 8, 8}, {MOD_M16N8K32, 16, 8, 32},
                {MOD_M16N8K4, 16, 8, 4},   {MOD_M8N8K4, 8, 8, 4},   {MOD_M8N8K16, 8, 8, 16}};
  for (u32 i = 0; i < COUNT_OF(shapes); i++)
    if (ptx_has(in, shapes[i].mod))
      return *m = shapes[i].m, *n = shapes[i].n, *k = shapes[i].k, true;
  return false;
}

static bool types_fit(enum ptx_type d, enum ptx_type a, enum ptx_type b, enum ptx_type c) {
  bool byte_a = a == T_S8 || a == T_U8, byte_b = b == T_S8 || b == T_U8;
  if (byte_a) return byte_b && d == T_S32 && c == T_S32;
  if (a != b) return false;
  if (a == T_F16) return (d == T_F16 || d == T_F32) && (c == T_F16 || c == T_F32);
  if (a == T_BF16 || a == T_TF32) return d == T_F32 && c == T_F32;
  return a == T_F64 && d == T_F64 && c == T_F64;
}

bool vm_pick_mma(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  struct vm_mma *k = NEW(&p->m->arena, struct vm_mma);
  if (!ptx_has(in, MOD_SYNC) || !shape(in, &k->m, &k->n, &k->k))
    return vm_no(p, "this shape is not supported");
  if (in->type_count != 4 || !types_fit(in->types[0], in->types[1], in->types[2], in->types[3]))
    return vm_no(p, "these types are not supported");
  if (in->types[1] == T_F16 && k->m == 8) return vm_no(p, "this shape is not supported");
  k->satfinite = ptx_has(in, MOD_SATFINITE);
  k->d = (struct vm_frag){.name = 'c', .type = in->types[0], .rows = k->m, .cols = k->n};
  k->a = (struct vm_frag){.name = 'a', .type = in->types[1], .rows = k->m, .cols = k->k};
  k->b = (struct vm_frag){.name = 'b', .type = in->types[2], .rows = k->k, .cols = k->n};
  k->c = (struct vm_frag){.name = 'c', .type = in->types[3], .rows = k->m, .cols = k->n};
  return vm_frag_pick(p, &k->d, 0, true) && vm_frag_pick(p, &k->a, 1, false) &&
         vm_frag_pick(p, &k->b, 2, false) && vm_frag_pick(p, &k->c, 3, false) &&
         vm_pick_warp_wide(p, act_mma, k);
}

/* ---- ldmatrix, stmatrix: lane 8 i + r names row r of matrix i ---- */
struct rows {
  u32 count; /* matrices */
  bool trans;
  i32 ref[4];
};

/* Where lane l's half s of a matrix lies: row and column. */
static void half_at(const struct rows *k, u32 l, u32 s, u32 *row, u32 *col) {
  *row = k->trans ? (l & 3) * 2 + s : l >> 2;
  *col = k->trans ? l >> 2 : (l & 3) * 2 + s;
}

static bool place_rows(struct vm_exec *x, const struct vm_insn *in, const struct rows *k,
                       bool writes, struct vm_place *p) {
  vm_exec_mask(x, k->count == 4 ? VM_FULL : (1u << k->count * 8) - 1);
  bool ok = vm_place(x, in, 16, writes, false, p);
  if (ok && p->space != SP_SHARED) {
    vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask, "the rows of a matrix must be in shared memory");
    ok = false;
  }
  if (ok) {
    vm_count_access(x, in, p);
    if (x->m->has_access) vm_access_event(x, in, p, 16, x->mask, writes ? x->mask : 0, NULL, NULL);
  }
  vm_exec_mask(x, VM_FULL);
  return ok;
}

static void act_ldmatrix(struct vm_exec *x, const struct vm_insn *in) {
  const struct rows *k = vm_warp_wide(x, in);
  struct vm_place p;
  if (!k || !place_rows(x, in, k, false, &p)) return;
  x->group->loaded = true;
  for (u32 i = 0; i < k->count; i++) {
    u8 *d = vm_data(x, k->ref[i]);
    u32 valid = VM_FULL;
    for (u32 l = 0; l < VM_LANES; l++)
      for (u32 s = 0; s < 2; s++) {
        u32 row, col;
        half_at(k, l, s, &row, &col);
        u32 from = i * 8 + row;
        const struct vm_mem *mem = vm_place_mem(&p, from);
        memcpy(d + l * 4 + s * 2, vm_place_at(&p, from) + col * 2, 2);
        if (mem->valid && !mem->all_valid && !vm_bits_all(mem->valid, p.offset[from] + col * 2, 2))
          valid &= ~vm_bit(l);
      }
    struct vm_slot *h = vm_head(d);
    h->valid = valid;
    if (valid != VM_FULL) {
      h->origin_pos = in->pos_id;
      h->origin_object = &vm_place_mem(&p, i * 8)->o;
      h->origin_offset = p.offset[i * 8];
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
  for (u32 i = 0; i < k->count; i++)
    for (u32 l = 0; l < VM_LANES; l++)
      for (u32 s = 0; s < 2; s++) {
        u32 row, col;
        half_at(k, l, s, &row, &col);
        u32 to = i * 8 + row;
        struct vm_mem *mem = vm_place_mem(&p, to);
        memcpy(vm_place_at(&p, to) + col * 2, vm_data(x, k->ref[i]) + l * 4 + s * 2, 2);
        bool ok = vm_valid(x, k->ref[i]) >> l & 1;
        if (!mem->valid || (mem->all_valid && ok)) continue;
        if (mem->all_valid) vm_bits_put(mem->valid, 0, mem->o.size_bytes, true);
        mem->all_valid = false;
        vm_bits_put(mem->valid, p.offset[to] + col * 2, 2, ok);
      }
}

static bool pick_rows(struct vm_pick *p, u32 regs, u32 address, bool is_dst, vm_fn *act) {
  const struct ptx_insn *in = p->in;
  struct rows *k = NEW(&p->m->arena, struct rows);
  k->count = ptx_has(in, MOD_X4) ? 4 : ptx_has(in, MOD_X2) ? 2 : 1;
  k->trans = ptx_has(in, MOD_TRANS);
  if (!ptx_has(in, MOD_M8N8) || vm_type(p, 0) != T_B16)
    return vm_no(p, "only .m8n8 with .b16 is supported");
  if (in->operand_count < 2) return vm_no(p, "two operands are needed");
  const struct ptx_operand *v = &in->operands[regs];
  if ((v->kind == OPD_VEC ? v->item_count : 1) != k->count)
    return vm_no(p, "a register for each matrix is needed");
  for (u32 i = 0; i < k->count; i++) {
    u32 w;
    if (!vm_item(p, v->kind == OPD_VEC ? &v->items[i] : v, T_B32, is_dst, &k->ref[i], &w))
      return false;
    if (w != 4 || k->ref[i] == -1) return vm_no(p, "32-bit registers are needed");
  }
  p->out->size = 16;
  p->out->kind = is_dst ? VM_READ : VM_WRITE;
  return vm_pick_memory(p, address) && vm_pick_warp_wide(p, act, k);
}
bool vm_pick_ldmatrix(struct vm_pick *p) { return pick_rows(p, 0, 1, true, act_ldmatrix); }
bool vm_pick_stmatrix(struct vm_pick *p) { return pick_rows(p, 1, 0, false, act_stmatrix); }

/* ---- movmatrix: transposes an 8 x 8 matrix held in one register a lane ---- */
static void act_movmatrix(struct vm_exec *x, const struct vm_insn *in) {
  if (!vm_warp_wide(x, in)) return;
  const u32 *a = vm_u32(x, in->src[0]);
  u32 out[VM_LANES], from = vm_valid(x, in->src[0]), valid = 0;
  for (u32 l = 0; l < VM_LANES; l++) {
    u32 row = l >> 2, col = (l & 3) * 2; /* of the result: elements (row, col) and (row, col + 1) */
    u32 l0 = col * 4 + row / 2, l1 = (col + 1) * 4 + row / 2, shift = (row & 1) * 16;
    out[l] = (a[l0] >> shift & 0xffff) | (a[l1] >> shift & 0xffff) << 16;
    valid |= (from >> l0 & from >> l1 & 1) << l;
  }
  u8 *d = vm_data(x, in->dst);
  vm_result(x, in, d, valid, 1);
  memcpy(d, out, sizeof out);
}
bool vm_pick_movmatrix(struct vm_pick *p) {
  if (!ptx_has(p->in, MOD_TRANS) || vm_type(p, 0) != T_B16)
    return vm_no(p, "only .trans with .b16 exists");
  return vm_dst(p, 0, T_B32) && vm_src(p, 0, 1, T_B32) &&
         vm_pick_warp_wide(p, act_movmatrix, p->out);
}
