/* ops_hints.c - instructions that only advise the hardware: caches, registers, the next grid. They
 * compute nothing and order nothing here. */
#include "vm/machine.h"

static void vm_op_nothing(struct vm_exec *x, const struct vm_insn *in) { (void)x, (void)in; }
bool vm_pick_applypriority(struct vm_pick *p) { return vm_use(p, vm_op_nothing); }
bool vm_pick_discard(struct vm_pick *p) { return vm_use(p, vm_op_nothing); }
/* Launches run one after the other: the grid before this one is always complete. */
bool vm_pick_griddepcontrol(struct vm_pick *p) { return vm_use(p, vm_op_nothing); }
bool vm_pick_setmaxnreg(struct vm_pick *p) { return vm_use(p, vm_op_nothing); }

/* The policy is opaque, and no cache reads it. */
static void vm_op_createpolicy(struct vm_exec *x, const struct vm_insn *in) {
  u64 *d = vm_u64(x, in->dst);
  VM_EACH(l, x->mask) d[l] = 0;
  vm_head((u8 *)d)->valid |= x->mask;
}
bool vm_pick_createpolicy(struct vm_pick *p) {
  return vm_dst(p, 0, T_B64) && vm_use(p, vm_op_createpolicy);
}
