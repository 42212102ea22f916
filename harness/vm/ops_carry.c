/* ops_carry.c - extended-precision arithmetic: add.cc, addc, sub.cc, subc, mad.cc, madc. The
 * condition code is one bit a lane in the frame: a carry after additions, a borrow after
 * subtractions. */
#include "vm/lanes.h"

enum part { LOW, HIGH };
typedef unsigned __int128 u128;

static u64 product(const struct vm_insn *in, u64 a, u64 b) {
  bool high = in->b == HIGH, is_signed = in->c != 0;
  if (in->size == 4 && is_signed) {
    i64 wide = (i64)(i32)(u32)a * (i32)(u32)b;
    return (u32)(high ? (u64)wide >> 32 : (u64)wide);
  }
  if (in->size == 4) return (u32)(high ? a * b >> 32 : a * b);
  if (!high) return a * b;
  return (u64)(is_signed ? (u128)((__int128)(i64)a * (i64)b) >> 64 : (u128)a * b >> 64);
}

/* in->a: enum vm_arith, in->b: which half of the product, in->c: signed, in->d: bit 0 reads the
 * condition code, bit 1 writes it; in->size: bytes. */
static void with_carry(struct vm_exec *x, const struct vm_insn *in) {
  bool three = in->a == VM_FMA;
  if (three)
    vm_result3(x, in);
  else
    vm_result2(x, in);
  u8 *d = vm_data(x, in->dst);
  const u8 *a = vm_data(x, in->src[0]), *b = vm_data(x, in->src[1]);
  const u8 *c = three ? vm_data(x, in->src[2]) : NULL;
  u32 out = 0;
  VM_EACH(i, x->mask) {
    u64 left = vm_get(a, in->size, i), right = vm_get(b, in->size, i);
    if (three) {
      left = product(in, left, right);
      right = vm_get(c, in->size, i);
    }
    u32 carry = in->d & 1 ? *x->carry >> i & 1 : 0;
    u128 sum = in->a == VM_SUB ? (u128)left - right - carry : (u128)left + right + carry;
    vm_put(d, in->size, i, (u64)sum);
    out |= (u32)(sum >> in->size * 8 & 1) << i;
  }
  if (in->d & 2) *x->carry = (*x->carry & ~x->mask) | out;
}

static bool pick(struct vm_pick *p, enum vm_arith kind, bool reads) {
  enum ptx_type t = vm_type(p, 0);
  if (t != T_U32 && t != T_S32 && t != T_U64 && t != T_S64)
    return vm_no(p, "there is no such form");
  bool high = ptx_has(p->in, MOD_HI);
  if (kind == VM_FMA && !high && !ptx_has(p->in, MOD_LO)) return vm_no(p, ".lo or .hi is needed");
  p->out->a = (u8)kind;
  p->out->b = high ? HIGH : LOW;
  p->out->c = vm_is_signed(t);
  p->out->d = (u8)((reads ? 1 : 0) | (ptx_has(p->in, MOD_CC) ? 2 : 0));
  p->out->size = (u8)ptx_type_bytes(t);
  if (kind == VM_FMA)
    return vm_form(p, 1, 4, MOD_CC, MOD_LO, MOD_HI, VM_END) && vm_use3(p, with_carry, t, t, t, t);
  return vm_form(p, 1, 3, MOD_CC, VM_END) && vm_use2(p, with_carry, t, t, t);
}

bool vm_pick_carry(struct vm_pick *p, enum vm_arith kind) { return pick(p, kind, false); }
bool vm_pick_addc(struct vm_pick *p) { return pick(p, VM_ADD, true); }
bool vm_pick_subc(struct vm_pick *p) { return pick(p, VM_SUB, true); }
bool vm_pick_madc(struct vm_pick *p) { return pick(p, VM_FMA, true); }
