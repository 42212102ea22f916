/* st_bulk.c - st.bulk: zeros over a range of shared memory, a weak store of every word. */
#include "vm/lanes.h"
#include "vm/place.h"

enum { WORD = 8 };

/* One word of the lanes in x->mask. */
static bool zero(struct vm_exec *x, const struct vm_insn *in, u64 *addr) {
  struct vm_place p;
  if (!vm_place_lanes(x, in, (enum ptx_space)in->space, addr, WORD, true, false, &p)) return false;
  if (p.space != SP_SHARED) {
    vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask, "st.bulk must go to shared memory");
    return false;
  }
  vm_count_access(x, in, &p);
  if (x->m->has_access) vm_access_event(x, in, &p, WORD, x->mask, x->mask, NULL, NULL);
  VM_EACH(l, x->mask) {
    struct vm_mem *mem = vm_place_mem(&p, l);
    memset(vm_place_at(&p, l), 0, WORD);
    if (mem->valid && !mem->all_valid) vm_bits_put(mem->valid, p.offset[l], WORD, true);
    if (mem->undef) vm_bits_put(mem->undef, p.offset[l], WORD, false);
  }
  return true;
}

static void vm_op_st_bulk(struct vm_exec *x, const struct vm_insn *in) {
  u64 addr[VM_LANES], size[VM_LANES], done = 0;
  u32 all = x->mask, odd = 0;
  u8 *slot = vm_data(x, in->src[1]);
  u32 undefined = ~vm_head(slot)->valid & all;
  if (undefined && x->undefined) vm_uninit(x, in, slot, undefined, "size of st.bulk");
  slot = vm_data(x, in->src[0]);
  undefined = ~vm_head(slot)->valid & all;
  if (undefined && x->undefined) vm_uninit(x, in, slot, undefined, "address");
  VM_EACH(l, all) {
    addr[l] = vm_get(slot, in->a, l) + (u64)in->imm;
    size[l] = vm_get(vm_data(x, in->src[1]), in->b, l);
    if (size[l] % WORD || size[l] >> 32) odd |= vm_bit(l);
  }
  if (odd) {
    vm_fault_now(x, in, VM_FAULT_TRAP, odd, "the size of st.bulk must be a multiple of 8");
    return;
  }
  x->group->changed = true;
  x->m->progress++;
  for (u32 left = all; left && !x->stop; done += WORD) {
    VM_EACH(l, left) if (size[l] <= done) left &= ~vm_bit(l);
    if (!left) break;
    vm_exec_mask(x, left);
    if (!zero(x, in, addr)) break;
    VM_EACH(l, left) addr[l] += WORD;
  }
  vm_exec_mask(x, all);
}

bool vm_pick_st_bulk(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  if (!vm_form(p, 0, 3, MOD_BULK, MOD_WEAK, MOD_SHARED, MOD_SHARED_CTA, VM_END)) return false;
  const struct ptx_operand *value = &in->operands[2];
  if (value->kind != OPD_IMM || value->imm != 0) return vm_no(p, "the value must be 0");
  u32 width = vm_operand_bytes(p, 1);
  p->out->b = width == 4 ? 4 : 8;
  p->out->size = WORD;
  p->out->kind = VM_WRITE;
  return vm_pick_memory(p, 0) && vm_src(p, 1, 1, p->out->b == 4 ? T_U32 : T_U64) &&
         vm_use(p, vm_op_st_bulk);
}
