/* undef.c - undefined values: where they came from, and telling the observers when one decides
 * something. */
#include "vm/machine.h"

enum {
  PARTIAL_MAX_BYTES = 64 << 20
}; /* of a launch; beyond it undefined bits count as undefined lanes */

void vm_partial_set(struct vm_exec *x, struct vm_slot *h, const u64 bits[VM_LANES]) {
  h->partial = NULL;
  if (x->m->launch_arena.used_bytes > PARTIAL_MAX_BYTES) return;
  h->partial = NEW(&x->m->launch_arena, struct vm_partial);
  memcpy(h->partial->bits, bits, sizeof h->partial->bits);
}

/* ---- bits: which bits of a result are defined although a source is not (masks, shifts,
 * bit-fields) ---- */
struct bits {
  u64 value, defined;
};
static struct bits source_bits(struct vm_exec *x, const struct vm_insn *in, int s, u32 lane,
                               u32 bytes) {
  u8 *data = vm_data(x, in->src[s]);
  const struct vm_slot *h = vm_head(data);
  struct bits b = {0, 0};
  memcpy(&b.value, data + (size_t)lane * bytes, bytes);
  bool is_dst = in->src[s] == in->dst; /* its validity has been overwritten: be careful */
  if ((h->valid >> lane & 1) && !is_dst)
    b.defined = ~0ull;
  else if (h->partial)
    b.defined = h->partial->bits[lane];
  return b;
}

static u64 shifted(enum ptx_op op, bool is_signed, struct bits a, u64 by, u32 width) {
  if (by >= width) return 0;
  if (op == OP_shl) return a.defined << by | ((1ull << by) - 1);
  u64 all = width == 64 ? ~0ull : (1ull << width) - 1, d = (a.defined & all) >> by,
      high = all & ~(all >> by);
  return !is_signed || (a.defined >> (width - 1) & 1) ? d | high : d;
}

/* The defined bits of one lane's result; 0 where nothing is known. */
static u64 result_bits(struct vm_exec *x, const struct vm_insn *in, u32 lane, u32 bytes, int nsrc) {
  struct bits a = source_bits(x, in, 0, lane, bytes), b = {0, 0};
  enum ptx_type t = in->ptx->types[0];
  bool is_signed = t == T_S16 || t == T_S32 || t == T_S64;
  if (in->op == OP_shl || in->op == OP_shr) {
    b = source_bits(x, in, 1, lane, 4);
    return b.defined == ~0ull ? shifted(in->op, is_signed, a, (u32)b.value, bytes * 8) : 0;
  }
  if (nsrc > 1) b = source_bits(x, in, 1, lane, bytes);
  switch (in->op) {
  case OP_mov:
  case OP_not: return a.defined;
  case OP_and: return (a.defined & b.defined) | (a.defined & ~a.value) | (b.defined & ~b.value);
  case OP_or: return (a.defined & b.defined) | (a.defined & a.value) | (b.defined & b.value);
  case OP_xor: return a.defined & b.defined;
  case OP_add:
  case OP_sub:
  case OP_mul: { /* carries go upwards: the bits below the lowest undefined one are defined */
    u64 undefined = ~(a.defined & b.defined);
    return (undefined & -undefined) - 1;
  }
  default: return 0;
  }
}

static bool is_bits(enum ptx_type t) {
  return t == T_PRED ? false
                     : t != T_F16 && t != T_BF16 && t != T_F32 && t != T_TF32 && t != T_F16X2 &&
                           t != T_BF16X2 && t != T_F64;
}

static bool has_bits(const struct vm_insn *in) {
  switch (in->op) {
  case OP_mul:
    if (!ptx_has(in->ptx, MOD_LO)) return false;
    break;
  case OP_mov:
  case OP_not:
  case OP_and:
  case OP_or:
  case OP_xor:
  case OP_shl:
  case OP_shr:
  case OP_add:
  case OP_sub: break;
  default: return false;
  }
  u32 bytes = ptx_type_bytes(in->ptx->types[0]);
  if (in->op != OP_mov && !is_bits(in->ptx->types[0])) return false;
  return in->ptx->type_count == 1 && bytes >= 2 && bytes <= 8 &&
         in->ptx->operands[0].kind == OPD_REG;
}

/* cvt between integer types: the bits of the source, and above them zeros or the sign. */
static u64 converted_bits(struct vm_exec *x, const struct vm_insn *in, u32 lane) {
  const struct ptx_operand *o = &in->ptx->operands[1];
  if (o->kind != OPD_REG) return 0;
  u32 from = ptx_type_bytes(in->ptx->types[1]) * 8,
      reg = ptx_type_bytes(x->frame->code->func->regs[o->index].type);
  enum ptx_type t = in->ptx->types[1];
  struct bits a = source_bits(x, in, 0, lane, reg < 2 ? 2 : reg);
  if (from >= 64) return a.defined;
  u64 low = (1ull << from) - 1;
  bool sign_known = (t != T_S8 && t != T_S16 && t != T_S32) || (a.defined >> (from - 1) & 1);
  return (a.defined & low) | (sign_known ? ~low : 0);
}
static bool is_conversion(const struct vm_insn *in) {
  return in->op == OP_cvt && in->ptx->type_count == 2 && is_bits(in->ptx->types[0]) &&
         is_bits(in->ptx->types[1]) && !ptx_has(in->ptx, MOD_SAT) && in->ptx->operand_count == 2;
}

static void follow_bits(struct vm_exec *x, struct vm_slot *h, u32 invalid, const struct vm_insn *in,
                        int nsrc) {
  u32 bytes = ptx_type_bytes(in->ptx->types[0]);
  u64 all = bytes == 8 ? ~0ull : (1ull << bytes * 8) - 1, bits[VM_LANES] = {0}, any = 0;
  VM_EACH(l, invalid) {
    bits[l] =
        (in->op == OP_cvt ? converted_bits(x, in, l) : result_bits(x, in, l, bytes, nsrc)) & all;
    if (bits[l] == all) h->valid |= vm_bit(l); /* nothing of it is undefined after all */
    any |= bits[l];
  }
  if (any) vm_partial_set(x, h, bits);
}

/* Slow half of vm_result: some active lane is undefined. Hands on where the value came from. Runs
 * before the result is written, so that the sources are still there when one of them is the
 * destination. */
void vm_origin_copy(struct vm_exec *x, u8 *dst, u32 invalid, const struct vm_insn *in, int nsrc) {
  struct vm_slot *h = vm_head(dst), origin = {0};
  for (int s = 0; s < nsrc && !origin.origin_pos; s++) {
    if (in->src[s] == -1) continue;
    struct vm_slot *from = vm_head(vm_data(x, in->src[s]));
    if (!(~from->valid & invalid)) continue;
    origin = *from;
    if (!origin.origin_pos)
      origin.origin_pos = in->pos_id; /* a register that was never set: first use */
  }
  struct vm_partial *keep = h->partial;
  if (x->frame && (has_bits(in) || is_conversion(in))) follow_bits(x, h, invalid, in, nsrc);
  if (h->partial == keep) h->partial = NULL;
  if (!origin.origin_pos) return;
  h->origin_pos = origin.origin_pos;
  h->origin_object = origin.origin_object;
  h->origin_offset = origin.origin_offset;
}

static void report(struct vm_exec *x, const struct vm_insn *in, const u8 *slot_data, u32 lanes,
                   const char *what, struct vm_object *to) {
  struct vm_machine *m = x->m;
  u8 bit = to ? 2 : 1; /* once for each instruction and launch */
  if (m->reported[in->pos_id] & bit) return;
  m->reported[in->pos_id] |= bit;
  const struct vm_slot *h = (const struct vm_slot *)(const void *)(slot_data - sizeof *h);
  struct vm_fault f = {.kind = to ? VM_FAULT_UNINIT_STORE : VM_FAULT_UNINIT,
                       .who = x->warp->who,
                       .mask = lanes,
                       .frame = x->frame,
                       .pos = {x->frame->code->func, in->ptx},
                       .object = to,
                       .origin_object = h->origin_object,
                       .origin_offset = h->origin_offset,
                       .what = what};
  if (h->origin_pos) f.origin = vm_pos_of(m, h->origin_pos);
  if (!h->origin_object && h->origin_offset) f.origin_call = vm_pos_of(m, (u32)h->origin_offset);
  snprintf(f.text, sizeof f.text, "an undefined value: %s", what);
  vm_emit_fault(m, &f);
}

/* An undefined value decided something. */
void vm_uninit(struct vm_exec *x, const struct vm_insn *in, const u8 *slot_data, u32 lanes,
               const char *what) {
  report(x, in, slot_data, lanes, what, NULL);
}

/* An undefined value was stored to global memory: a note. */
void vm_uninit_store(struct vm_exec *x, const struct vm_insn *in, const u8 *slot_data, u32 lanes,
                     struct vm_object *to) {
  report(x, in, slot_data, lanes, "value stored to global memory", to);
}
