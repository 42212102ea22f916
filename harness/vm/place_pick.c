/* place_pick.c - what the pickers of memory instructions share: space, semantics, scope, the
 * address operand. Runs once, at decoding; where the addresses lead is place.c's business. */
#include "vm/place.h"

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
