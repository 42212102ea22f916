/* ops_bits.c - bitwise logic and shifts: and, or, xor, not, cnot, lop3, shl, shr, shf. */
#include "vm/lanes.h"
#include "vm/lone.h"

/* Rows by type for untyped bits. */
#define BY_BITS(f16, f32, f64) [T_B16] = f16, [T_B32] = f32, [T_B64] = f64

LANES2_ZERO(and_b16, u16, u16, (a & b))
LANES2_ZERO(and_b32, u32, u32, (a & b))
LANES2_ZERO(and_b64, u64, u64, (a & b))
LANES2_ONES(or_b16, u16, a | b)
LANES2_ONES(or_b32, u32, a | b)
LANES2_ONES(or_b64, u64, a | b)
LANES2(xor_b16, u16, a ^ b)
LANES2(xor_b32, u32, a ^ b)
LANES2(xor_b64, u64, a ^ b)
LANES1(not_b16, u16, ~a)
LANES1(not_b32, u32, ~a)
LANES1(not_b64, u64, ~a)
LANES1(cnot_b16, u16, a == 0)
LANES1(cnot_b32, u32, a == 0)
LANES1(cnot_b64, u64, a == 0)

/* Predicates: 32 lanes in one word. */
static void and_pred(struct vm_exec *x, const struct vm_insn *in) {
  u32 a = *vm_pred(x, in->src[0]), b = *vm_pred(x, in->src[1]);
  u32 va = vm_valid(x, in->src[0]), vb = vm_valid(x, in->src[1]);
  vm_put_pred(x, in, in->dst, a & b, (va & vb) | (va & ~a) | (vb & ~b), 2);
}
static void or_pred(struct vm_exec *x, const struct vm_insn *in) {
  u32 a = *vm_pred(x, in->src[0]), b = *vm_pred(x, in->src[1]);
  u32 va = vm_valid(x, in->src[0]), vb = vm_valid(x, in->src[1]);
  vm_put_pred(x, in, in->dst, a | b, (va & vb) | (va & a) | (vb & b), 2);
}
static void xor_pred(struct vm_exec *x, const struct vm_insn *in) {
  u32 a = *vm_pred(x, in->src[0]), b = *vm_pred(x, in->src[1]);
  vm_put_pred(x, in, in->dst, a ^ b, vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]), 2);
}
static void not_pred(struct vm_exec *x, const struct vm_insn *in) {
  vm_put_pred(x, in, in->dst, ~*vm_pred(x, in->src[0]), vm_valid(x, in->src[0]), 1);
}

bool vm_pick_and(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_BITS(and_b16, and_b32, and_b64), [T_PRED] = and_pred};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, t);
}
bool vm_pick_or(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_BITS(or_b16, or_b32, or_b64), [T_PRED] = or_pred};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, t);
}
bool vm_pick_xor(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_BITS(xor_b16, xor_b32, xor_b64), [T_PRED] = xor_pred};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, t);
}
bool vm_pick_not(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_BITS(not_b16, not_b32, not_b64), [T_PRED] = not_pred};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 2, VM_END) && vm_use1(p, fn[t], t, t);
}
bool vm_pick_cnot(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_BITS(cnot_b16, cnot_b32, cnot_b64)};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 2, VM_END) && vm_use1(p, fn[t], t, t);
}

/* ---- lop3: any function of three bits, given as its truth table (bit 4a + 2b + c) ---- */
static inline u32 lop3_lane(u32 a, u32 b, u32 c, const u32 term[8]) {
  u32 low = (~b & ~c & term[0]) | (~b & c & term[1]) | (b & ~c & term[2]) | (b & c & term[3]);
  u32 high = (~b & ~c & term[4]) | (~b & c & term[5]) | (b & ~c & term[6]) | (b & c & term[7]);
  return (~a & low) | (a & high);
}
static void lop3(struct vm_exec *x, const struct vm_insn *in) {
  u32 term[8];
  for (u32 k = 0; k < 8; k++) term[k] = in->imm >> k & 1 ? VM_FULL : 0;
  vm_result3(x, in);
  u32 *d = vm_u32(x, in->dst);
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]), *c = vm_u32(x, in->src[2]);
  VM_STORE_LANES(x, u32, d, lop3_lane(a[i], b[i], c[i], term))
}
/* lop3.and.b32 d|p, a, b, c, table, q: p is (d != 0) combined with q. in->a: MOD_AND, MOD_OR,
 * MOD_XOR. */
static void lop3_test(struct vm_exec *x, const struct vm_insn *in) {
  u32 valid = vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]) & vm_valid(x, in->src[2]) &
              vm_valid(x, in->src[3]);
  u32 q = *vm_pred(x, in->src[3]) ^ (in->b ? VM_FULL : 0), set = 0;
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]), *c = vm_u32(x, in->src[2]);
  VM_EACH(i, x->mask) {
    u32 term[8];
    for (u32 k = 0; k < 8; k++) term[k] = in->imm >> k & 1 ? VM_FULL : 0;
    if (lop3_lane(a[i], b[i], c[i], term)) set |= vm_bit(i);
  }
  u32 p = in->a == MOD_AND ? set & q : in->a == MOD_OR ? set | q : set ^ q;
  if (in->dst2 != -1) vm_put_pred(x, in, in->dst2, p, valid, 4);
  if (in->dst != -1) lop3(x, in);
}
bool vm_pick_lop3(struct vm_pick *p) {
  bool test = p->in->operand_count == 7;
  enum ptx_mod op = ptx_has(p->in, MOD_AND) ? MOD_AND : ptx_has(p->in, MOD_OR) ? MOD_OR : MOD_XOR;
  if (!vm_form(p, 1, test ? 7 : 5, test ? (int)op : VM_END, VM_END)) return false;
  u32 first = test ? 2 : 1; /* operand number of a */
  const struct ptx_operand *table = &p->in->operands[first + 3];
  if (vm_type(p, 0) != T_B32) return vm_no(p, "there is no such form");
  if (table->kind != OPD_IMM) return vm_no(p, "the table must be a constant");
  p->out->imm = table->imm & 0xff;
  for (u32 i = 0; i < 3; i++)
    if (!vm_src(p, i, first + i, T_B32)) return false;
  if (!test) return vm_dst(p, 0, T_B32) && vm_use(p, lop3);
  p->out->a = (u8)op;
  p->out->b = p->in->operands[6].kind == OPD_REG && p->in->operands[6].negated;
  return vm_dst_or_sink(p, 0, T_B32) && vm_dst2_or_sink(p, 1, T_PRED) && vm_src(p, 3, 6, T_PRED) &&
         vm_use(p, lop3_test);
}

/* ---- shifts: the amount is u32 whatever the type, and clamps ---- */
LANES2T(shl_b16, u16, u16, u32, b < 16 ? (u32)a << (b & 15) : 0)
LANES2T(shl_b32, u32, u32, u32, b < 32 ? a << (b & 31) : 0)
LANES2T(shl_b64, u64, u64, u32, b < 64 ? a << (b & 63) : 0)
LANES2T(shr_u16, u16, u16, u32, b < 16 ? (u32)a >> (b & 15) : 0)
LANES2T(shr_u32, u32, u32, u32, b < 32 ? a >> (b & 31) : 0)
LANES2T(shr_u64, u64, u64, u32, b < 64 ? a >> (b & 63) : 0)
LANES2T(shr_s16, int16_t, int16_t, u32, a >> (b < 15 ? b : 15))
LANES2T(shr_s32, i32, i32, u32, a >> (b < 31 ? b : 31))
LANES2T(shr_s64, i64, i64, u32, a >> (b < 63 ? b : 63))

bool vm_pick_shl(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_BITS(shl_b16, shl_b32, shl_b64)};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, T_U32);
}
bool vm_pick_shr(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {BY_BITS(shr_u16, shr_u32, shr_u64), BY_TYPE(shr)};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 3, VM_END) && vm_use2(p, fn[t], t, t, T_U32);
}

/* shf: 32 bits of the pair b:a, shifted; n is at most 32. */
static inline u32 funnel_left(u32 a, u32 b, u32 n) {
  return (u32)((((u64)b << 32 | a) << n) >> 32);
}
static inline u32 funnel_right(u32 a, u32 b, u32 n) { return (u32)(((u64)b << 32 | a) >> n); }
LANES3(shf_l_clamp, u32, funnel_left(a, b, c < 32 ? c : 32))
LANES3(shf_l_wrap, u32, funnel_left(a, b, c & 31))
LANES3(shf_r_clamp, u32, funnel_right(a, b, c < 32 ? c : 32))
LANES3(shf_r_wrap, u32, funnel_right(a, b, c & 31))

bool vm_pick_shf(struct vm_pick *p) {
  bool left = ptx_has(p->in, MOD_L), clamp = ptx_has(p->in, MOD_CLAMP);
  if (left == ptx_has(p->in, MOD_R) || clamp == ptx_has(p->in, MOD_WRAP))
    return vm_no(p, ".l or .r and .clamp or .wrap are needed");
  vm_fn *fn = left ? (clamp ? shf_l_clamp : shf_l_wrap) : (clamp ? shf_r_clamp : shf_r_wrap);
  if (vm_type(p, 0) != T_B32) fn = NULL;
  return vm_form(p, 1, 4, MOD_L, MOD_R, MOD_CLAMP, MOD_WRAP, VM_END) &&
         vm_use3(p, fn, T_B32, T_B32, T_B32, T_U32);
}

VM_LONE_TABLE(bits, VM_LONE_ROW(shf_l_wrap), VM_LONE_ROW(shf_r_wrap), VM_LONE_ROW(and_b16),
              VM_LONE_ROW(and_b32), VM_LONE_ROW(and_b64), VM_LONE_ROW(or_b16), VM_LONE_ROW(or_b32),
              VM_LONE_ROW(or_b64), VM_LONE_ROW(xor_b16), VM_LONE_ROW(xor_b32), VM_LONE_ROW(xor_b64),
              VM_LONE_ROW(not_b16), VM_LONE_ROW(not_b32), VM_LONE_ROW(not_b64),
              VM_LONE_ROW(shl_b16), VM_LONE_ROW(shl_b32), VM_LONE_ROW(shl_b64),
              VM_LONE_ROW(shr_u16), VM_LONE_ROW(shr_u32), VM_LONE_ROW(shr_u64),
              VM_LONE_ROW(shr_s32), VM_LONE_ROW(shr_s64), VM_LONE_ROW(and_pred),
              VM_LONE_ROW(or_pred), VM_LONE_ROW(xor_pred), VM_LONE_ROW(not_pred))
