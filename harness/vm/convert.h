/* convert.h - cvt of one value between any two scalar types. Private to vm/. */
#ifndef WL_VM_CONVERT_H
#define WL_VM_CONVERT_H
#include "vm/lanes.h"

struct vm_conversion {
  enum ptx_type to, from;
  enum vm_round mode;
  u8 flags; /* enum vm_flag */
};
/* `bits` of a register that holds a value of type `from`, perhaps wider than it; the result is
 * extended as the type `to` asks, to 64 bits. */
u64 vm_convert(const struct vm_conversion *how, u64 bits);

/* ops_cvt_small.c: packs of 8-, 6- and 4-bit floats, .rs, cvt.pack. Is it one of these? */
bool vm_is_small_cvt(const struct vm_pick *p);
bool vm_pick_small_cvt(struct vm_pick *p);
#endif
