/* ops_int.c - add, sub, mul, mad, neg, abs, min, max on integers, and the pickers of these opcodes;
 * the floating-point forms are in ops_float.c, ops_round.c and ops_half.c, .cc forms in
 * ops_carry.c. */
#include "vm/lanes.h"
#include "vm/lone.h"

LANES2(add_u16, u16, a + b)
LANES2(add_u32, u32, a + b)
LANES2(add_u64, u64, a + b)
LANES2(sub_u16, u16, a - b)
LANES2(sub_u32, u32, a - b)
LANES2(sub_u64, u64, a - b)

static inline i32 clamp_s32(i64 v) {
  return (i32)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}
EACH2(add_sat_s32, i32, clamp_s32((i64)a + b))
EACH2(sub_sat_s32, i32, clamp_s32((i64)a - b))

bool vm_pick_add(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_WIDTH(add_u16, add_u32, add_u64)};
  enum ptx_type t = vm_type(p, 0);
  if (vm_is_pair_form(p)) return vm_pick_pair(p, VM_ADD);
  if (vm_is_half(t)) return vm_pick_half(p, VM_ADD);
  if (vm_is_float(t)) return vm_pick_float(p, VM_ADD);
  if (ptx_has(p->in, MOD_CC)) return vm_pick_carry(p, VM_ADD);
  if (t == T_S32 && ptx_has(p->in, MOD_SAT))
    return vm_form(p, 1, 3, MOD_SAT, VM_END) && vm_use2(p, add_sat_s32, t, t, t);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, t);
}

bool vm_pick_sub(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_WIDTH(sub_u16, sub_u32, sub_u64)};
  enum ptx_type t = vm_type(p, 0);
  if (vm_is_pair_form(p)) return vm_pick_pair(p, VM_SUB);
  if (vm_is_half(t)) return vm_pick_half(p, VM_SUB);
  if (vm_is_float(t)) return vm_pick_float(p, VM_SUB);
  if (ptx_has(p->in, MOD_CC)) return vm_pick_carry(p, VM_SUB);
  if (t == T_S32 && ptx_has(p->in, MOD_SAT))
    return vm_form(p, 1, 3, MOD_SAT, VM_END) && vm_use2(p, sub_sat_s32, t, t, t);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, t);
}

/* ---- mul: the low half, the high half, or all of the product ---- */
static inline u64 wide_u32(u32 a, u32 b) { return (u64)a * b; }
static inline i64 wide_s32(i32 a, i32 b) { return (i64)a * b; }
static inline u64 high_u64(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
static inline i64 high_s64(i64 a, i64 b) { return (i64)((__int128)a * b >> 64); }

LANES2_ZERO(mul_lo_u16, u16, u16, ((u32)a * b))
LANES2_ZERO(mul_lo_u32, u32, u32, (a * b))
LANES2_ZERO(mul_lo_u64, u64, u64, (a * b))
LANES2_ZERO(mul_wide_u16, u32, u16, ((u32)a * b))
LANES2_ZERO(mul_wide_s16, i32, int16_t, ((i32)a * b))
LANES2_ZERO(mul_wide_u32, u64, u32, ((u64)a * b))
LANES2_ZERO(mul_wide_s32, i64, i32, ((i64)a * b))
LANES2_ZERO(mul_hi_u16, u16, u16, ((u32)a * b) >> 16)
LANES2_ZERO(mul_hi_s16, int16_t, int16_t, ((i32)a * b) >> 16)
LANES2_ZERO(mul_hi_u32, u32, u32, ((u64)a * b) >> 32)
LANES2_ZERO(mul_hi_s32, i32, i32, ((i64)a * b) >> 32)
LANES2_ZERO(mul_hi_u64, u64, u64, high_u64(a, b))
LANES2_ZERO(mul_hi_s64, i64, i64, high_s64(a, b))

bool vm_pick_mul(struct vm_pick *p) {
  static vm_fn *const lo[T_COUNT] = {BY_WIDTH(mul_lo_u16, mul_lo_u32, mul_lo_u64)};
  static vm_fn *const hi[T_COUNT] = {BY_TYPE(mul_hi)};
  static vm_fn *const wide[T_COUNT] = {[T_U16] = mul_wide_u16,
                                       [T_S16] = mul_wide_s16,
                                       [T_U32] = mul_wide_u32,
                                       [T_S32] = mul_wide_s32};
  enum ptx_type t = vm_type(p, 0);
  if (vm_is_pair_form(p)) return vm_pick_pair(p, VM_MUL);
  if (vm_is_half(t)) return vm_pick_half(p, VM_MUL);
  if (vm_is_float(t)) return vm_pick_float(p, VM_MUL);
  if (ptx_has(p->in, MOD_WIDE))
    return vm_form(p, 1, 3, MOD_WIDE, VM_END) && vm_use2(p, wide[t], vm_twice(t), t, t);
  if (ptx_has(p->in, MOD_HI)) return vm_form(p, 1, 3, MOD_HI, VM_END) && vm_use2(p, hi[t], t, t, t);
  if (!ptx_has(p->in, MOD_LO)) return vm_no(p, ".lo, .hi or .wide is needed");
  return vm_form(p, 1, 3, MOD_LO, VM_END) && vm_use2(p, lo[t], t, t, t);
}

/* ---- mad: the same, plus c ---- */
LANES3(mad_lo_u16, u16, ((u32)a * b) + c)
LANES3(mad_lo_u32, u32, (a * b) + c)
LANES3(mad_lo_u64, u64, (a * b) + c)
LANES3T(mad_wide_u16, u32, u16, u16, u32, ((u32)a * b) + c)
LANES3T(mad_wide_s16, u32, int16_t, int16_t, u32, (u32)wide_s32(a, b) + c)
LANES3T(mad_wide_u32, u64, u32, u32, u64, ((u64)a * b) + c)
LANES3T(mad_wide_s32, u64, i32, i32, u64, (u64)wide_s32(a, b) + c)
LANES3(mad_hi_u16, u16, ((u32)a * b >> 16) + c)
LANES3(mad_hi_s16, int16_t, ((i32)a * b >> 16) + c)
LANES3(mad_hi_u32, u32, (u32)(wide_u32(a, b) >> 32) + c)
LANES3T(mad_hi_s32, u32, i32, i32, u32, (u32)(wide_s32(a, b) >> 32) + c)
LANES3(mad_hi_u64, u64, high_u64(a, b) + c)
LANES3T(mad_hi_s64, u64, i64, i64, u64, (u64)high_s64(a, b) + c)
EACH3(mad_hi_sat_s32, i32, clamp_s32(((i64)a * b >> 32) + c))

bool vm_pick_mad(struct vm_pick *p) {
  static vm_fn *const lo[T_COUNT] = {BY_WIDTH(mad_lo_u16, mad_lo_u32, mad_lo_u64)};
  static vm_fn *const hi[T_COUNT] = {BY_TYPE(mad_hi)};
  static vm_fn *const wide[T_COUNT] = {[T_U16] = mad_wide_u16,
                                       [T_S16] = mad_wide_s16,
                                       [T_U32] = mad_wide_u32,
                                       [T_S32] = mad_wide_s32};
  enum ptx_type t = vm_type(p, 0), w = vm_twice(t);
  if (vm_is_float(t)) return vm_pick_float(p, VM_FMA);
  if (ptx_has(p->in, MOD_CC)) return vm_pick_carry(p, VM_FMA);
  if (ptx_has(p->in, MOD_WIDE))
    return vm_form(p, 1, 4, MOD_WIDE, VM_END) && vm_use3(p, wide[t], w, t, t, w);
  if (ptx_has(p->in, MOD_HI) && ptx_has(p->in, MOD_SAT))
    return vm_form(p, 1, 4, MOD_HI, MOD_SAT, VM_END) &&
           vm_use3(p, t == T_S32 ? mad_hi_sat_s32 : NULL, t, t, t, t);
  if (ptx_has(p->in, MOD_HI))
    return vm_form(p, 1, 4, MOD_HI, VM_END) && vm_use3(p, hi[t], t, t, t, t);
  if (!ptx_has(p->in, MOD_LO)) return vm_no(p, ".lo, .hi or .wide is needed");
  return vm_form(p, 1, 4, MOD_LO, VM_END) && vm_use3(p, lo[t], t, t, t, t);
}

/* ---- neg, abs: the smallest number stays as it is ---- */
LANES1(neg_u16, u16, 0u - a)
LANES1(neg_u32, u32, 0u - a)
LANES1(neg_u64, u64, 0u - a)
LANES1T(abs_s16, u16, int16_t, a < 0 ? 0u - (u32)a : (u32)a)
LANES1T(abs_s32, u32, i32, a < 0 ? 0u - (u32)a : (u32)a)
LANES1T(abs_s64, u64, i64, a < 0 ? 0u - (u64)a : (u64)a)

bool vm_pick_neg(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {[T_S16] = neg_u16, [T_S32] = neg_u32, [T_S64] = neg_u64};
  enum ptx_type t = vm_type(p, 0);
  if (vm_is_half(t)) return vm_pick_half(p, VM_NEG);
  if (vm_is_float(t)) return vm_pick_float(p, VM_NEG);
  return vm_form(p, 1, 2, VM_END) && vm_use1(p, fn[t], t, t);
}
bool vm_pick_abs(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {[T_S16] = abs_s16, [T_S32] = abs_s32, [T_S64] = abs_s64};
  enum ptx_type t = vm_type(p, 0);
  if (vm_is_half(t)) return vm_pick_half(p, VM_ABS);
  if (vm_is_float(t)) return vm_pick_float(p, VM_ABS);
  return vm_form(p, 1, 2, VM_END) && vm_use1(p, fn[t], t, t);
}

/* ---- min, max ---- */
LANES2(min_u16, u16, a < b ? a : b)
LANES2(min_s16, int16_t, a < b ? a : b)
LANES2(min_u32, u32, a < b ? a : b)
LANES2(min_s32, i32, a < b ? a : b)
LANES2(min_u64, u64, a < b ? a : b)
LANES2(min_s64, i64, a < b ? a : b)
LANES2(max_u16, u16, a > b ? a : b)
LANES2(max_s16, int16_t, a > b ? a : b)
LANES2(max_u32, u32, a > b ? a : b)
LANES2(max_s32, i32, a > b ? a : b)
LANES2(max_u64, u64, a > b ? a : b)
LANES2(max_s64, i64, a > b ? a : b)
static inline i32 positive(i32 v) { return v > 0 ? v : 0; }
EACH2(min_relu_s32, i32, positive(a < b ? a : b))
EACH2(max_relu_s32, i32, positive(a > b ? a : b))

bool vm_pick_min(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_TYPE(min)};
  enum ptx_type t = vm_type(p, 0);
  if (vm_is_pair_form(p)) return vm_pick_pair(p, VM_MIN);
  if (vm_is_half(t)) return vm_pick_half(p, VM_MIN);
  if (vm_is_float(t)) return vm_pick_float(p, VM_MIN);
  if (t == T_S32 && ptx_has(p->in, MOD_RELU))
    return vm_form(p, 1, 3, MOD_RELU, VM_END) && vm_use2(p, min_relu_s32, t, t, t);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, t);
}
bool vm_pick_max(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_TYPE(max)};
  enum ptx_type t = vm_type(p, 0);
  if (vm_is_pair_form(p)) return vm_pick_pair(p, VM_MAX);
  if (vm_is_half(t)) return vm_pick_half(p, VM_MAX);
  if (vm_is_float(t)) return vm_pick_float(p, VM_MAX);
  if (t == T_S32 && ptx_has(p->in, MOD_RELU))
    return vm_form(p, 1, 3, MOD_RELU, VM_END) && vm_use2(p, max_relu_s32, t, t, t);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, t);
}

VM_LONE_TABLE(int, VM_LONE_ROW(add_u16), VM_LONE_ROW(add_u32), VM_LONE_ROW(add_u64),
              VM_LONE_ROW(sub_u16), VM_LONE_ROW(sub_u32), VM_LONE_ROW(sub_u64),
              VM_LONE_ROW(mul_lo_u16), VM_LONE_ROW(mul_lo_u32), VM_LONE_ROW(mul_lo_u64),
              VM_LONE_ROW(mul_wide_u16), VM_LONE_ROW(mul_wide_s16), VM_LONE_ROW(mul_wide_u32),
              VM_LONE_ROW(mul_wide_s32), VM_LONE_ROW(mul_hi_u32), VM_LONE_ROW(mul_hi_s32),
              VM_LONE_ROW(mad_lo_u32), VM_LONE_ROW(mad_lo_u64), VM_LONE_ROW(mad_wide_u32),
              VM_LONE_ROW(mad_wide_s32), VM_LONE_ROW(neg_u32), VM_LONE_ROW(neg_u64),
              VM_LONE_ROW(abs_s32), VM_LONE_ROW(min_u32), VM_LONE_ROW(min_s32),
              VM_LONE_ROW(min_u64), VM_LONE_ROW(min_s64), VM_LONE_ROW(max_u32),
              VM_LONE_ROW(max_s32), VM_LONE_ROW(max_u64), VM_LONE_ROW(max_s64))
