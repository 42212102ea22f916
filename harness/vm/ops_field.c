/* ops_field.c - counting, finding and moving bits and bytes: popc, clz, brev, bfind, bfe, bfi, fns,
 * prmt. */
#include "vm/lanes.h"
#include "vm/lone.h"

LANES1(popc_b32, u32, __builtin_popcount(a))
LANES1T(popc_b64, u32, u64, __builtin_popcountll(a))
LANES1(clz_b32, u32, a ? __builtin_clz(a) : 32)
LANES1T(clz_b64, u32, u64, a ? __builtin_clzll(a) : 64)

bool vm_pick_popc(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {[T_B32] = popc_b32, [T_B64] = popc_b64};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 2, VM_END) && vm_use1(p, fn[t], T_U32, t);
}
bool vm_pick_clz(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {[T_B32] = clz_b32, [T_B64] = clz_b64};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 2, VM_END) && vm_use1(p, fn[t], T_U32, t);
}

/* Swap neighbours, pairs and nibbles, then the bytes. */
static inline u32 reverse32(u32 v) {
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(v);
}
LANES1(brev_b32, u32, reverse32(a))
LANES1(brev_b64, u64, (u64)reverse32((u32)a) << 32 | reverse32((u32)(a >> 32)))

bool vm_pick_brev(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {[T_B32] = brev_b32, [T_B64] = brev_b64};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 2, VM_END) && vm_use1(p, fn[t], t, t);
}

/* ---- bfind: position of the highest bit that differs from the sign, ~0 when there is none;
 * .shiftamt: how far to shift it to the top ---- */
static inline u32 find32(u32 v) { return v ? 31 - (u32)__builtin_clz(v) : ~0u; }
static inline u32 find64(u64 v) { return v ? 63 - (u32)__builtin_clzll(v) : ~0u; }
static inline u32 shift_from(u32 at, u32 top) { return at == ~0u ? ~0u : top - at; }
static inline u32 unsign32(i32 v) { return (u32)(v < 0 ? ~v : v); }
static inline u64 unsign64(i64 v) { return (u64)(v < 0 ? ~v : v); }
EACH1(bfind_u32, u32, find32(a))
EACH1T(bfind_s32, u32, i32, find32(unsign32(a)))
EACH1T(bfind_u64, u32, u64, find64(a))
EACH1T(bfind_s64, u32, i64, find64(unsign64(a)))
EACH1(bfind_shift_u32, u32, shift_from(find32(a), 31))
EACH1T(bfind_shift_s32, u32, i32, shift_from(find32(unsign32(a)), 31))
EACH1T(bfind_shift_u64, u32, u64, shift_from(find64(a), 63))
EACH1T(bfind_shift_s64, u32, i64, shift_from(find64(unsign64(a)), 63))

bool vm_pick_bfind(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT][2] = {[T_U32] = {bfind_u32, bfind_shift_u32},
                                        [T_S32] = {bfind_s32, bfind_shift_s32},
                                        [T_U64] = {bfind_u64, bfind_shift_u64},
                                        [T_S64] = {bfind_s64, bfind_shift_s64}};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 2, MOD_SHIFTAMT, VM_END) &&
         vm_use1(p, fn[t][ptx_has(p->in, MOD_SHIFTAMT)], T_U32, t);
}

/* ---- bfe, bfi: position and length. The ISA restricts both to 0..255; of larger ones the 32-bit
 * forms take the low byte, the 64-bit forms the whole value (seen on an H200) ---- */
static inline u64 in_range(u32 v, u32 bits) { return bits == 32 ? v & 0xff : v; }
static inline u64 low_ones(u64 n) { return n < 64 ? (1ull << n) - 1 : ~0ull; }
static inline u64 extract(u64 v, u32 from, u32 count, u32 bits, bool is_signed) {
  u64 pos = in_range(from, bits), len = in_range(count, bits);
  u64 field = pos < bits ? v >> pos & low_ones(len) : 0;
  if (!is_signed || !len) return field;
  u64 last = pos + len - 1, top = last < bits - 1 ? last : bits - 1; /* is copied upwards */
  u64 have = pos < bits ? (len < bits - pos ? len : bits - pos) : 0;
  return v >> top & 1 ? field | ~low_ones(have) : field;
}
static inline u64 insert(u64 field, u64 into, u32 to, u32 count, u32 bits) {
  u64 pos = in_range(to, bits);
  if (pos >= bits) return into;
  u64 mask = low_ones(in_range(count, bits)) << pos;
  return (into & ~mask) | (field << pos & mask);
}
EACH3(bfe_u32, u32, extract(a, b, c, 32, false))
EACH3(bfe_s32, u32, extract(a, b, c, 32, true))
EACH3T(bfe_u64, u64, u64, u32, u32, extract(a, b, c, 64, false))
EACH3T(bfe_s64, u64, u64, u32, u32, extract(a, b, c, 64, true))

bool vm_pick_bfe(struct vm_pick *p) {
  static vm_fn *const fn[T_COUNT] = {
      [T_U32] = bfe_u32, [T_S32] = bfe_s32, [T_U64] = bfe_u64, [T_S64] = bfe_s64};
  enum ptx_type t = vm_type(p, 0);
  return vm_form(p, 1, 4, VM_END) && vm_use3(p, fn[t], t, t, T_U32, T_U32);
}

static void bfi(struct vm_exec *x, const struct vm_insn *in) { /* in->size: bytes */
  u8 *d = vm_data(x, in->dst);
  const u8 *a = vm_data(x, in->src[0]), *b = vm_data(x, in->src[1]);
  const u32 *pos = vm_u32(x, in->src[2]), *len = vm_u32(x, in->src[3]);
  u32 valid = vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]) & vm_valid(x, in->src[2]) &
              vm_valid(x, in->src[3]);
  vm_result(x, in, d, valid, 4);
  VM_EACH(i, x->mask)
  vm_put(d, in->size, i,
         insert(vm_get(a, in->size, i), vm_get(b, in->size, i), pos[i], len[i], in->size * 8u));
}
bool vm_pick_bfi(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  p->out->size = (u8)ptx_type_bytes(t);
  return vm_form(p, 1, 5, VM_END) &&
         vm_use3(p, t == T_B32 || t == T_B64 ? bfi : NULL, t, t, t, T_U32) &&
         vm_src(p, 3, 4, T_U32);
}

/* ---- fns: the n-th set bit of a mask, counted up (n > 0) or down (n < 0) from `base` ---- */
static inline u32 nth_set(u32 mask, u32 base, i32 n) {
  if (n == INT32_MIN) return 0; /* seen on an H200; has no positive counterpart */
  if (base > 31) return ~0u;
  if (n == 0) return mask >> base & 1 ? base : ~0u;
  i64 left = n > 0 ? n : -(i64)n;
  for (i32 at = (i32)base; at >= 0 && at<32; at += n> 0 ? 1 : -1)
    if (mask >> at & 1 && --left == 0) return (u32)at;
  return ~0u;
}
EACH3T(fns_b32, u32, u32, u32, i32, nth_set(a, b, c))
bool vm_pick_fns(struct vm_pick *p) {
  return vm_form(p, 1, 4, VM_END) &&
         vm_use3(p, vm_type(p, 0) == T_B32 ? fns_b32 : NULL, T_B32, T_B32, T_B32, T_S32);
}

/* ---- prmt: four bytes picked from the eight of b:a. in->a: mode, 0 = by the nibbles of c ---- */
static inline u32 byte_at(u64 pair, u32 i) { return (u32)(pair >> (i & 7) * 8) & 0xff; }
static u32 chosen(u32 mode, u32 i, u32 sel) { /* which of the eight bytes goes to byte i */
  switch (mode) {
  case MOD_F4E: return sel + i;
  case MOD_B4E: return sel - i;
  case MOD_RC8: return sel;
  case MOD_ECL: return i > sel ? i : sel;
  case MOD_ECR: return i < sel ? i : sel;
  default: return (sel & 1) * 2 + (i & 1); /* MOD_RC16 */
  }
}
static u32 permute(u32 mode, u32 a, u32 b, u32 c) {
  u64 pair = (u64)b << 32 | a;
  u32 d = 0;
  for (u32 i = 0; i < 4; i++) {
    u32 nibble = c >> i * 4 & 15, byte;
    if (mode)
      byte = byte_at(pair, chosen(mode, i, c & 3));
    else
      byte = byte_at(pair, nibble);
    if (!mode && nibble & 8) byte = byte & 0x80 ? 0xff : 0; /* its sign, spread */
    d |= byte << i * 8;
  }
  return d;
}
static void prmt(struct vm_exec *x, const struct vm_insn *in) {
  vm_result3(x, in);
  u32 *d = vm_u32(x, in->dst);
  const u32 *a = vm_u32(x, in->src[0]), *b = vm_u32(x, in->src[1]), *c = vm_u32(x, in->src[2]);
  VM_EACH(i, x->mask) d[i] = permute(in->a, a[i], b[i], c[i]);
}
bool vm_pick_prmt(struct vm_pick *p) {
  static const enum ptx_mod modes[] = {MOD_F4E, MOD_B4E, MOD_RC8, MOD_ECL, MOD_ECR, MOD_RC16};
  for (u32 i = 0; i < COUNT_OF(modes); i++)
    if (ptx_has(p->in, modes[i])) p->out->a = (u8)modes[i];
  return vm_form(p, 1, 4, MOD_F4E, MOD_B4E, MOD_RC8, MOD_ECL, MOD_ECR, MOD_RC16, VM_END) &&
         vm_use3(p, vm_type(p, 0) == T_B32 ? prmt : NULL, T_B32, T_B32, T_B32, T_B32);
}

VM_LONE_TABLE(field, VM_LONE_ROW(popc_b32), VM_LONE_ROW(clz_b32))
