/* collective.h - the rendezvous of a warp, between collective.c, which brings the lanes together,
 * and ops_warp.c, which computes. Private to these two. */
#ifndef WL_VM_COLLECTIVE_H
#define WL_VM_COLLECTIVE_H
#include "vm/machine.h"

struct collective {
  vm_fn *act;   /* performs the operation for x->mask, all of whom have arrived */
  i32 member;   /* operand: the member mask */
  u32 op;       /* MOD_UP ... by operation */
  i32 clamp;    /* shfl: operand c */
  i32 pred_dst; /* second destination, -1 = none */
  bool negated, is_signed, wide;
  bool is_float, absolute, nan_wins; /* redux of .f32 */
  void *own;                         /* warp-wide operations: the handler's */
};
vm_fn vm_op_collective; /* waits for the lanes of the mask, then calls act for all of them */
#endif
