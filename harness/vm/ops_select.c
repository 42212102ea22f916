/* ops_select.c - selp and slct: one of two values, by a predicate or by a sign. */
#include "vm/lanes.h"
#include "vm/lone.h"

/* Only the chosen side has to be defined, and what chooses. */
static inline void selected(struct vm_exec *x, const struct vm_insn *in, u32 first) {
  u32 va = vm_valid(x, in->src[0]), vb = vm_valid(x, in->src[1]), vc = vm_valid(x, in->src[2]);
  u32 valid = vc & ((first & va) | (~first & vb));
  struct vm_slot *h = vm_head(vm_data(x, in->dst));
  h->valid = (h->valid & ~x->mask) | (valid & x->mask);
  if (__builtin_expect((~valid & x->mask) != 0, 0))
    vm_origin_copy(x, (u8 *)(h + 1), ~valid & x->mask, in, 3);
}

#define SELECT(name, T)                                                                            \
  static void selp_##name(struct vm_exec *x, const struct vm_insn *in) {                           \
    u32 first = *vm_pred(x, in->src[2]);                                                           \
    selected(x, in, first);                                                                        \
    T *d = VM_REG(T, x, in->dst);                                                                  \
    const T *a = VM_REG(const T, x, in->src[0]), *b = VM_REG(const T, x, in->src[1]);              \
    VM_STORE_LANES(x, T, d, first >> i & 1 ? a[i] : b[i])                                          \
  }
SELECT(b16, u16)
SELECT(b32, u32)
SELECT(b64, u64)

bool vm_pick_selp(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {
      [T_B16] = selp_b16,  [T_U16] = selp_b16,   [T_S16] = selp_b16,    [T_F16] = selp_b16,
      [T_BF16] = selp_b16, [T_B32] = selp_b32,   [T_U32] = selp_b32,    [T_S32] = selp_b32,
      [T_F32] = selp_b32,  [T_F16X2] = selp_b32, [T_BF16X2] = selp_b32, [T_B64] = selp_b64,
      [T_U64] = selp_b64,  [T_S64] = selp_b64,   [T_F64] = selp_b64};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 4, VM_END) && vm_use3(p, fn[t], t, t, t, T_PRED);
}

/* slct: a where c >= 0 (-0 is, a NaN is not), else b. in->size: bytes, in->a: c is f32, in->c:
 * flags. */
static void slct(struct vm_exec *x, const struct vm_insn *in) {
  u32 first = 0;
  VM_EACH(i, x->mask) {
    float f = vm_f32(x, in->src[2])[i];
    if (in->c & VM_FTZ) f = vm_flush(f);
    if (in->a ? f >= 0 : vm_s32(x, in->src[2])[i] >= 0) first |= vm_bit(i);
  }
  selected(x, in, first);
  u8 *d = vm_data(x, in->dst);
  const u8 *a = vm_data(x, in->src[0]), *b = vm_data(x, in->src[1]);
  VM_EACH(i, x->mask) vm_put(d, in->size, i, vm_get(first >> i & 1 ? a : b, in->size, i));
}
bool vm_pick_slct(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0), c = vm_type(p, 1);
  u32 bytes = ptx_type_bytes(t);
  p->out->size = (u8)bytes;
  p->out->a = c == T_F32;
  p->out->c = vm_flags(p);
  vm_fn *fn = (bytes == 2 || bytes == 4 || bytes == 8) && (c == T_S32 || c == T_F32) ? slct : NULL;
  return vm_form(p, 2, 4, c == T_F32 ? (int)MOD_FTZ : VM_END, VM_END) && vm_use3(p, fn, t, t, t, c);
}

VM_LONE_TABLE(select, VM_LONE_ROW(selp_b16), VM_LONE_ROW(selp_b32), VM_LONE_ROW(selp_b64))
