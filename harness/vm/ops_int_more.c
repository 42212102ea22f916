/* ops_int_more.c - div and rem, sad, the 24-bit products and the dot products of packed bytes. */
#include "vm/lanes.h"
#include "vm/lone.h"

/* ---- div, rem. Dividing by zero is unspecified in PTX; an H200 gives all ones for both, and so do
 * these. The smallest number divided by -1 is itself. ---- */
static inline i64 quotient(i64 a, i64 b) { return !b ? -1 : b == -1 ? (i64)(0 - (u64)a) : a / b; }
static inline i64 remainder_of(i64 a, i64 b) { return !b || b == -1 ? (b ? 0 : -1) : a % b; }
EACH2(div_u16, u16, b ? a / b : 0xffff)
EACH2(div_u32, u32, b ? a / b : 0xffffffffu)
EACH2(div_u64, u64, b ? a / b : ~0ull)
EACH2(div_s16, int16_t, quotient(a, b))
EACH2(div_s32, i32, quotient(a, b))
EACH2(div_s64, i64, quotient(a, b))
EACH2(rem_u16, u16, b ? a % b : 0xffff)
EACH2(rem_u32, u32, b ? a % b : 0xffffffffu)
EACH2(rem_u64, u64, b ? a % b : ~0ull)
EACH2(rem_s16, int16_t, remainder_of(a, b))
EACH2(rem_s32, i32, remainder_of(a, b))
EACH2(rem_s64, i64, remainder_of(a, b))

bool vm_pick_div(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_TYPE(div)};
  enum ptx_type t = vm_type(p, 0);
  bool approx = ptx_has(p->in, MOD_APPROX) || ptx_has(p->in, MOD_FULL);
  if (vm_is_float(t)) return approx ? vm_pick_div_approx(p) : vm_pick_float(p, VM_DIV);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, t);
}
bool vm_pick_rem(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_TYPE(rem)};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, t);
}

/* ---- sad: c + |a - b| ---- */
EACH3(sad_u16, u16, c + (a > b ? a - b : b - a))
EACH3(sad_u32, u32, c + (a > b ? a - b : b - a))
EACH3(sad_u64, u64, c + (a > b ? a - b : b - a))
EACH3(sad_s16, int16_t, c + (a > b ? a - b : b - a))
EACH3(sad_s32, i32, (u32)c + (a > b ? (u32)a - (u32)b : (u32)b - (u32)a))
EACH3(sad_s64, i64, (u64)c + (a > b ? (u64)a - (u64)b : (u64)b - (u64)a))

bool vm_pick_sad(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_TYPE(sad)};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 4, VM_END) && vm_use3(p, fn[t], t, t, t, t);
}

/* ---- mul24, mad24: 48-bit products of the low 24 bits; .lo is bits 0..31, .hi bits 16..47 ---- */
static inline u64 wide24_u(u32 a, u32 b) { return (u64)(a & 0xffffff) * (b & 0xffffff); }
static inline i64 low24(u32 a) { return (i32)(a << 8) >> 8; }
static inline i64 wide24_s(u32 a, u32 b) { return low24(a) * low24(b); }
EACH2(mul24_lo_u32, u32, wide24_u(a, b))
EACH2(mul24_hi_u32, u32, wide24_u(a, b) >> 16)
EACH2(mul24_lo_s32, u32, wide24_s(a, b))
EACH2(mul24_hi_s32, u32, wide24_s(a, b) >> 16)
EACH3(mad24_lo_u32, u32, (u32)wide24_u(a, b) + c)
EACH3(mad24_hi_u32, u32, (u32)(wide24_u(a, b) >> 16) + c)
EACH3(mad24_lo_s32, u32, (u32)wide24_s(a, b) + c)
EACH3(mad24_hi_s32, u32, (u32)(wide24_s(a, b) >> 16) + c)
static inline i32 clamp_s32(i64 v) {
  return (i32)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}
EACH3(mad24_hi_sat_s32, u32, clamp_s32((i32)(wide24_s(a, b) >> 16) + (i64)(i32)c))

bool vm_pick_mul24(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  bool hi = ptx_has(p->in, MOD_HI);
  vm_fn *fn = t == T_U32   ? (hi ? mul24_hi_u32 : mul24_lo_u32)
              : t == T_S32 ? (hi ? mul24_hi_s32 : mul24_lo_s32)
                           : NULL;
  return vm_form(p, 1, 3, MOD_LO, MOD_HI, VM_END) && vm_use2(p, fn, t, t, t);
}
bool vm_pick_mad24(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  bool hi = ptx_has(p->in, MOD_HI);
  vm_fn *fn = t == T_U32   ? (hi ? mad24_hi_u32 : mad24_lo_u32)
              : t == T_S32 ? (hi ? mad24_hi_s32 : mad24_lo_s32)
                           : NULL;
  if (ptx_has(p->in, MOD_SAT)) {
    if (!hi || t != T_S32) return vm_no(p, ".sat goes with .hi.s32 only");
    fn = mad24_hi_sat_s32;
  }
  return vm_form(p, 1, 4, MOD_LO, MOD_HI, MOD_SAT, VM_END) && vm_use3(p, fn, t, t, t, t);
}

/* ---- dp4a, dp2a. in->a, in->b: a, b are signed; in->c: first byte of b (dp2a) ---- */
static inline i32 byte_of(u32 v, u32 i, bool is_signed) {
  u32 b = v >> i * 8 & 0xff;
  return is_signed ? (i32)(b ^ 0x80) - 0x80 : (i32)b;
}
static inline i32 word_of(u32 v, u32 i, bool is_signed) {
  u32 h = v >> i * 16 & 0xffff;
  return is_signed ? (i32)(h ^ 0x8000) - 0x8000 : (i32)h;
}
static u32 dot4(const struct vm_insn *in, u32 a, u32 b, u32 c) {
  for (u32 i = 0; i < 4; i++) c += (u32)(byte_of(a, i, in->a) * byte_of(b, i, in->b));
  return c;
}
static u32 dot2(const struct vm_insn *in, u32 a, u32 b, u32 c) {
  for (u32 i = 0; i < 2; i++) c += (u32)(word_of(a, i, in->a) * byte_of(b, in->c + i, in->b));
  return c;
}
static void dp4a(struct vm_exec *x, const struct vm_insn *in) {
  vm_result3(x, in);
  u32 *d = vm_u32(x, in->dst);
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]), *c = vm_u32(x, in->src[2]);
  VM_EACH(i, x->mask) d[i] = dot4(in, a[i], b[i], c[i]);
}
static void dp2a(struct vm_exec *x, const struct vm_insn *in) {
  vm_result3(x, in);
  u32 *d = vm_u32(x, in->dst);
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]), *c = vm_u32(x, in->src[2]);
  VM_EACH(i, x->mask) d[i] = dot2(in, a[i], b[i], c[i]);
}
static bool pick_dot(struct vm_pick *p, vm_fn *fn) {
  enum ptx_type a = vm_type(p, 0), b = vm_type(p, 1);
  if ((a != T_U32 && a != T_S32) || (b != T_U32 && b != T_S32)) fn = NULL;
  p->out->a = a == T_S32;
  p->out->b = b == T_S32;
  return vm_use3(p, fn, T_B32, T_B32, T_B32, T_B32);
}
bool vm_pick_dp4a(struct vm_pick *p) { return vm_form(p, 2, 4, VM_END) && pick_dot(p, dp4a); }
bool vm_pick_dp2a(struct vm_pick *p) {
  p->out->c = ptx_has(p->in, MOD_HI) ? 2 : 0;
  return vm_form(p, 2, 4, MOD_LO, MOD_HI, VM_END) && pick_dot(p, dp2a);
}

VM_LONE_TABLE(div, VM_LONE_ROW(div_u32), VM_LONE_ROW(div_u64), VM_LONE_ROW(div_s32),
              VM_LONE_ROW(rem_u32), VM_LONE_ROW(rem_u64), VM_LONE_ROW(rem_s32))
