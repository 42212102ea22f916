/* ops_wmma.c - wmma.load, wmma.store, wmma.mma: whole fragments from and to memory, and their
 * product. */
#include "vm/matrix.h"
#include "vm/place.h"
#include "vm/lanes.h"

struct wmma {
  struct vm_frag f;
  bool is_col;
  i32 stride; /* -1: packed */
};

static bool shape(const struct ptx_insn *in, u32 *m, u32 *n, u32 *k) {
  static const struct {
    u8 mod, m, n, k;
  } shapes[] = {{MOD_M16N16K16, 16, 16, 16}, {MOD_M8N32K16, 8, 32, 16}, {MOD_M32N8K16, 32, 8, 16},
                {MOD_M16N16K8, 16, 16, 8},   {MOD_M8N8K4, 8, 8, 4},     {MOD_M8N8K32, 8, 8, 32},
                {MOD_M8N8K128, 8, 8, 128}};
  for (u32 i = 0; i < COUNT_OF(shapes); i++)
    if (ptx_has(in, shapes[i].mod))
      return *m = shapes[i].m, *n = shapes[i].n, *k = shapes[i].k, true;
  return false;
}

/* The fragment of that name for the instruction's shape. */
static bool frag(struct vm_pick *p, char name, enum ptx_type t, struct vm_frag *f) {
  u32 m, n, k;
  if (!shape(p->in, &m, &n, &k)) return vm_no(p, "this shape is not supported");
  switch (t) {
  case T_F16:
  case T_BF16:
  case T_TF32:
  case T_S8:
  case T_U8:
  case T_F32:
  case T_S32:
  case T_F64:
  case T_S4:
  case T_U4:
  case T_B1: break;
  default: return vm_no(p, "this type is not supported");
  }
  *f = (struct vm_frag){
      .name = name, .type = (u8)t, .rows = name == 'b' ? k : m, .cols = name == 'a' ? k : n};
  f->in_order = m != 16 && k < 32; /* m8n8k32, m8n8k128: as mma.sync has them */
  return true;
}

/* What is loaded and stored at a time: an element; of smaller ones than a byte a whole register,
 * whose elements lie side by side (rows of a, columns of b). */
static u32 unit_bytes(const struct vm_frag *f) {
  return ptx_type_bits((enum ptx_type)f->type) < 8 ? 4 : ptx_type_bytes((enum ptx_type)f->type);
}
static u32 units(const struct vm_frag *f) { return f->reg_bytes / unit_bytes(f); }

/* Address of one element of each lane. */
static void element(struct vm_exec *x, const struct vm_insn *in, const struct wmma *k, u32 reg,
                    u32 sub, u64 *addr) {
  const struct vm_frag *f = &k->f;
  u32 bits = ptx_type_bits((enum ptx_type)f->type);
  const u8 *base = vm_data(x, in->src[0]);
  for (u32 l = 0; l < VM_LANES; l++) {
    u32 row, col;
    vm_frag_at(f, l, reg, sub, &row, &col);
    u64 stride = k->stride == -1 ? (k->is_col ? f->rows : f->cols) : vm_u32(x, k->stride)[l];
    addr[l] = vm_get(base, in->a, l) + (u64)in->imm +
              (k->is_col ? col * stride + row : row * stride + col) * bits / 8;
  }
}

static void check_operands(struct vm_exec *x, const struct vm_insn *in, const struct wmma *k) {
  u8 *slot = vm_data(x, in->src[0]);
  if (~vm_head(slot)->valid & x->mask && x->undefined)
    vm_uninit(x, in, slot, ~vm_head(slot)->valid & x->mask, "address");
  if (k->stride == -1) return;
  slot = vm_data(x, k->stride);
  if (~vm_head(slot)->valid & x->mask && x->undefined)
    vm_uninit(x, in, slot, ~vm_head(slot)->valid & x->mask, "stride of a matrix");
}

static bool place(struct vm_exec *x, const struct vm_insn *in, const struct wmma *k, u32 reg,
                  u32 sub, bool writes, struct vm_place *p) {
  u64 addr[VM_LANES];
  u32 bytes = unit_bytes(&k->f);
  element(x, in, k, reg, sub, addr);
  if (!vm_place_lanes(x, in, in->space, addr, bytes, writes, false, p)) return false;
  if (p->space != SP_GLOBAL && p->space != SP_SHARED) {
    vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask, "a matrix must be in global or shared memory");
    return false;
  }
  vm_count_access(x, in, p);
  if (x->m->has_access) vm_access_event(x, in, p, bytes, x->mask, writes ? x->mask : 0, NULL, NULL);
  return true;
}

static void act_load(struct vm_exec *x, const struct vm_insn *in) {
  const struct wmma *k = vm_warp_wide(x, in);
  if (!k) return;
  const struct vm_frag *f = &k->f;
  u32 bytes = unit_bytes(f);
  check_operands(x, in, k);
  x->group->loaded = true;
  u32 valid[FRAG_REGS], bad_reg = FRAG_REGS;
  u8 room[FRAG_REGS][VM_LANES * 8];
  struct vm_slot origin = {.origin_pos = in->pos_id};
  for (u32 r = 0; r < f->regs; r++) {
    valid[r] = VM_FULL;
    for (u32 s = 0; s < units(f); s++) {
      struct vm_place p;
      if (!place(x, in, k, r, s, false, &p)) return;
      u32 ok = vm_place_valid(x, &p, x->mask, bytes);
      valid[r] &= ok;
      for (u32 l = 0; l < VM_LANES; l++)
        memcpy(room[r] + l * f->reg_bytes + s * bytes, vm_place_at(&p, l), bytes);
      if (ok == VM_FULL || bad_reg != FRAG_REGS) continue;
      bad_reg = r;
      u32 first = (u32)__builtin_ctz(~ok);
      origin.origin_object = &vm_place_mem(&p, first)->o;
      origin.origin_offset = p.offset[first];
    }
  }
  for (u32 r = 0; r < f->regs; r++) { /* last: the address may stand in one of these registers */
    u8 *d = vm_data(x, f->ref[r]);
    memcpy(d, room[r], (size_t)VM_LANES * f->reg_bytes);
    if (valid[r] != VM_FULL) *vm_head(d) = origin;
    vm_head(d)->valid = valid[r];
  }
}

static void act_store(struct vm_exec *x, const struct vm_insn *in) {
  const struct wmma *k = vm_warp_wide(x, in);
  if (!k) return;
  const struct vm_frag *f = &k->f;
  u32 bytes = unit_bytes(f);
  check_operands(x, in, k);
  x->group->changed = true;
  x->m->progress++;
  for (u32 r = 0; r < f->regs; r++)
    for (u32 s = 0; s < units(f); s++) {
      struct vm_place p;
      if (!place(x, in, k, r, s, true, &p)) return;
      u32 ok = vm_valid(x, f->ref[r]);
      for (u32 l = 0; l < VM_LANES; l++) {
        struct vm_mem *mem = vm_place_mem(&p, l);
        bool defined = ok >> l & 1;
        memcpy(vm_place_at(&p, l), vm_data(x, f->ref[r]) + l * f->reg_bytes + s * bytes, bytes);
        if (!mem->valid || (mem->all_valid && defined)) continue;
        if (mem->all_valid) vm_bits_put(mem->valid, 0, mem->o.size_bytes, true);
        mem->all_valid = false;
        vm_bits_put(mem->valid, p.offset[l], bytes, defined);
        if (mem->undef) vm_bits_put(mem->undef, p.offset[l], bytes, !defined);
      }
      if (~ok && p.space == SP_GLOBAL && x->undefined)
        vm_uninit(x, in, vm_data(x, f->ref[r]), ~ok, NULL);
    }
}

static void act_mma(struct vm_exec *x, const struct vm_insn *in) {
  const struct vm_mma *k = vm_warp_wide(x, in);
  if (k) vm_mma(x, in, k);
}

static bool pick_memory(struct vm_pick *p, bool load) {
  const struct ptx_insn *in = p->in;
  struct wmma *k = NEW(&p->m->arena, struct wmma);
  char name = load ? (ptx_has(in, MOD_A) ? 'a' : ptx_has(in, MOD_B) ? 'b' : 'c') : 'c';
  u32 address = load ? 1 : 0, regs = load ? 0 : 1;
  if (in->operand_count < 2 || !frag(p, name, vm_type(p, 0), &k->f) ||
      !vm_frag_pick(p, &k->f, regs, load))
    return vm_no(p, "no such form");
  k->is_col = ptx_has(in, MOD_COL);
  k->stride = -1;
  if (in->operand_count > 2) {
    if (!vm_src(p, 2, 2, T_U32)) return false;
    k->stride = p->out->src[2];
  }
  if (!vm_pick_memory(p, address)) return false;
  p->out->size = (u8)unit_bytes(&k->f);
  p->out->kind = load ? VM_READ : VM_WRITE;
  return vm_pick_warp_wide(p, load ? act_load : act_store, k);
}

bool vm_pick_wmma(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  if (ptx_has(in, MOD_LOAD)) return pick_memory(p, true);
  if (ptx_has(in, MOD_STORE)) return pick_memory(p, false);
  if (!ptx_has(in, MOD_MMA)) return vm_no(p, "no such form");
  struct vm_mma *k = NEW(&p->m->arena, struct vm_mma);
  bool all = in->type_count == 4; /* else d and c: halves */
  if (!all && in->type_count != 2) return vm_no(p, "two or four types are needed");
  enum ptx_type a = all ? vm_type(p, 1) : T_F16, b = all ? vm_type(p, 2) : T_F16;
  if (!shape(in, &k->m, &k->n, &k->k)) return vm_no(p, "this shape is not supported");
  k->satfinite = ptx_has(in, MOD_SATFINITE);
  if (a == T_B1) k->bits = ptx_has(in, MOD_XOR) ? MOD_XOR : MOD_AND;
  if (a == T_B1 && !ptx_has(in, MOD_POPC)) return vm_no(p, ".and.popc or .xor.popc is needed");
  return frag(p, 'c', vm_type(p, 0), &k->d) && frag(p, 'a', a, &k->a) && frag(p, 'b', b, &k->b) &&
         frag(p, 'c', vm_type(p, all ? 3 : 1), &k->c) && vm_frag_pick(p, &k->d, 0, true) &&
         vm_frag_pick(p, &k->a, 1, false) && vm_frag_pick(p, &k->b, 2, false) &&
         vm_frag_pick(p, &k->c, 3, false) && vm_pick_warp_wide(p, act_mma, k);
}
