/* ops_mask.c - bmsk (a mask of b bits from bit a on) and szext (sign or zero extension from a bit
 * count); .clamp treats counts above 32 as 32, .wrap takes them modulo 32 (PTX ISA 9.7.1). */
#include "vm/lanes.h"

static u32 ones(u32 n) { return n >= 32 ? VM_FULL : (1u << n) - 1; }
static u32 bmsk_of(u32 a, u32 b, bool wrap) {
  if (wrap) return ones(b & 31) << (a & 31);
  return a >= 32 ? 0 : ones(b) << a;
}
static u32 szext_of(u32 a, u32 n, bool wrap, bool is_signed) {
  if (wrap) n &= 31;
  if (n >= 32) return a;
  u32 low = a & ones(n);
  return is_signed && n && low >> (n - 1) & 1 ? low | ~ones(n) : low;
}
static void vm_op_bmsk(struct vm_exec *x, const struct vm_insn *in) {
  u32 *d = vm_u32(x, in->dst);
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]);
  vm_result2(x, in);
  VM_EACH(l, x->mask) d[l] = bmsk_of(a[l], b[l], in->a);
}
static void vm_op_szext(struct vm_exec *x, const struct vm_insn *in) {
  u32 *d = vm_u32(x, in->dst);
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]);
  vm_result2(x, in);
  VM_EACH(l, x->mask) d[l] = szext_of(a[l], b[l], in->a, in->b);
}
static bool pick(struct vm_pick *p, vm_fn *fn) {
  bool wrap = ptx_has(p->in, MOD_WRAP);
  if (wrap == ptx_has(p->in, MOD_CLAMP)) return vm_no(p, ".clamp or .wrap is needed");
  p->out->a = wrap;
  p->out->b = vm_type(p, 0) == T_S32;
  return vm_dst(p, 0, T_B32) && vm_src(p, 0, 1, T_B32) && vm_src(p, 1, 2, T_B32) && vm_use(p, fn);
}
bool vm_pick_bmsk(struct vm_pick *p) {
  return vm_type(p, 0) == T_B32 ? pick(p, vm_op_bmsk) : vm_no(p, "only .b32 exists");
}
bool vm_pick_szext(struct vm_pick *p) {
  bool fits = vm_type(p, 0) == T_U32 || vm_type(p, 0) == T_S32;
  return fits ? pick(p, vm_op_szext) : vm_no(p, "only .u32 and .s32 exist");
}
