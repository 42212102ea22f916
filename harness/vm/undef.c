/* undef.c - undefined values: where they came from, and telling the observers when one decides something. */
#include "vm/machine.h"

/* Slow half of vm_result: some active lane is undefined. Hands on where the value came from. */
void vm_origin_copy(struct vm_exec *x, u8 *dst, u32 invalid, const struct vm_insn *in, int nsrc) {
  struct vm_slot *h = vm_head(dst);
  for (int s = 0; s < nsrc; s++) {
    if (in->src[s] == -1) continue;
    u8 *d = vm_data(x, in->src[s]);
    struct vm_slot *from = vm_head(d);
    if (!(~from->valid & invalid)) continue;
    h->origin_pos = from->origin_pos;
    h->origin_object = from->origin_object;
    h->origin_offset = from->origin_offset;
    h->partial = in->op == OP_mov ? from->partial : NULL;
    if (!h->origin_pos) h->origin_pos = in->pos_id; /* a register that was never set: first use */
    return;
  }
}

/* what == NULL: stored to global memory (a note). Once for each instruction and launch. */
void vm_uninit(struct vm_exec *x, const struct vm_insn *in, const u8 *slot_data, u32 lanes, const char *what) {
  struct vm_machine *m = x->m;
  u8 bit = what ? 1 : 2;
  if (m->reported[in->pos_id] & bit) return;
  m->reported[in->pos_id] |= bit;
  const struct vm_slot *h = (const struct vm_slot *)(const void *)(slot_data - sizeof *h);
  struct vm_fault f = {.kind = what ? VM_FAULT_UNINIT : VM_FAULT_UNINIT_STORE, .who = x->warp->who, .mask = lanes, .frame = x->frame,
                       .pos = {x->frame->code->func, in->ptx}, .origin_object = h->origin_object, .origin_offset = h->origin_offset,
                       .what = what ? what : "value stored to global memory"};
  if (h->origin_pos) f.origin = vm_pos_of(m, h->origin_pos);
  if (!h->origin_object && h->origin_offset) f.origin_call = vm_pos_of(m, (u32)h->origin_offset);
  snprintf(f.text, sizeof f.text, "an undefined value: %s", f.what);
  vm_emit_fault(m, &f);
}
