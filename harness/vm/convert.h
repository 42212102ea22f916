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
/* Between integers: how a value is cut to a type and extended. sign: the sign bit of a signed type,
 * else 0. */
struct vm_cut {
  u64 mask, sign;
};
extern const struct vm_cut vm_cuts[T_COUNT]; /* ops_cvt.c */
static inline u64 vm_recut(u64 v, struct vm_cut from, struct vm_cut to) {
  v = ((v & from.mask) ^ from.sign) - from.sign;
  return ((v & to.mask) ^ to.sign) - to.sign;
}
/* Towards zero, clamped, a NaN gives 0. Out-of-range values are replaced before the conversion in
 * C. */
static inline i32 vm_to_s32(float v) {
  bool high = v >= 0x1p31f, low = v < -0x1p31f, odd = v != v;
  i32 r = (i32)(high || low || odd ? 0.0f : v);
  return high ? INT32_MAX : low ? INT32_MIN : r;
}
static inline u32 vm_to_u32(float v) {
  bool high = v >= 0x1p32f, inside = v > -1.0f && v < 0x1p32f;
  u32 r = (u32)(i64)(inside ? v : 0.0f);
  return high ? ~0u : r;
}
#endif
