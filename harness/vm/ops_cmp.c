/* ops_cmp.c - setp and set: comparisons into predicates or registers, with the optional second
 * condition. */
#include "vm/compare.h"
#include "vm/lone.h"

typedef u32 compare_fn(const u8 *a, const u8 *b);
/* enum relation: what compare.h computes. Everything else: swapped operands, negated result. */
enum relation { EQ, LT, LE, LG, NUM, RELATIONS };

/* Decoded comparison. in->a: negate, in->b: BOOL_*, in->c: the second condition is negated,
 * in->d: relation, in->kind: type of the operands, in->space: .ftz (only what goes by f32 and set
 * ask). */
enum { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };

static u32 combine(u32 how, u32 t, u32 c) {
  return how == BOOL_AND ? t & c : how == BOOL_OR ? t | c : t ^ c;
}
/* p|q with a second condition: p = t op c, q = !t op c. A deciding c is not looked for: undefined
 * stays so. */
static void put_combined(struct vm_exec *x, const struct vm_insn *in, u32 bits) {
  int n = in->b ? 3 : 2;
  u32 valid = vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]), p = bits, q = ~bits;
  if (in->b) {
    u32 c = *vm_pred(x, in->src[2]) ^ (in->c ? VM_FULL : 0);
    valid &= vm_valid(x, in->src[2]);
    p = combine(in->b, bits, c);
    q = combine(in->b, ~bits, c);
  }
  if (in->dst != -1) vm_put_pred(x, in, in->dst, p, valid, n);
  if (in->dst2 != -1) vm_put_pred(x, in, in->dst2, q, valid, n);
}
static inline void put(struct vm_exec *x, const struct vm_insn *in, u32 bits) {
  if (in->a) bits = ~bits;
  if (__builtin_expect(in->b || in->dst2 != -1 || in->dst == -1, 0))
    put_combined(x, in, bits);
  else
    vm_put_pred(x, in, in->dst, bits, vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]), 2);
}

/* The usual comparisons have a handler each, so that the comparison is inlined. */
#define SETP(name)                                                                                 \
  static void setp_##name(struct vm_exec *x, const struct vm_insn *in) {                           \
    put(x, in, name(vm_data(x, in->src[0]), vm_data(x, in->src[1])));                              \
  }
// clang-format off
SETP(eq_u16) SETP(lt_u16) SETP(le_u16) SETP(lt_s16) SETP(le_s16)
SETP(eq_u32) SETP(lt_u32) SETP(le_u32) SETP(lt_s32) SETP(le_s32)
SETP(eq_u64) SETP(lt_u64) SETP(le_u64) SETP(lt_s64) SETP(le_s64)
SETP(eq_f32) SETP(lt_f32) SETP(le_f32) SETP(lg_f32) SETP(num_f32)
SETP(eq_f64) SETP(lt_f64) SETP(le_f64) SETP(lg_f64) SETP(num_f64)

struct row {
  compare_fn *compare;
  vm_fn *setp;
};
// clang-format on
#define ROW(name)                                                                                  \
  { name, setp_##name }
#define INTEGER(u, type)                                                                           \
  { [EQ] = ROW(eq_##u), [LT] = ROW(lt_##type), [LE] = ROW(le_##type) }
#define FLOATING(type)                                                                             \
  {                                                                                                \
    [EQ] = ROW(eq_##type), [LT] = ROW(lt_##type), [LE] = ROW(le_##type), [LG] = ROW(lg_##type),    \
    [NUM] = ROW(num_##type)                                                                        \
  }
static const struct row rows[T_COUNT][RELATIONS] = {
    [T_B16] = {[EQ] = ROW(eq_u16)}, [T_U16] = INTEGER(u16, u16), [T_S16] = INTEGER(u16, s16),
    [T_B32] = {[EQ] = ROW(eq_u32)}, [T_U32] = INTEGER(u32, u32), [T_S32] = INTEGER(u32, s32),
    [T_B64] = {[EQ] = ROW(eq_u64)}, [T_U64] = INTEGER(u64, u64), [T_S64] = INTEGER(u64, s64),
    [T_F32] = FLOATING(f32),        [T_F64] = FLOATING(f64)};

/* Halves and .ftz. in->kind: operand type; shift: 16 for the upper half of a pair. */
static u32 compare_as_f32(struct vm_exec *x, const struct vm_insn *in, u32 shift) {
  struct as_f32 a, b;
  widen_lanes(&a, vm_data(x, in->src[0]), (enum ptx_type)in->kind, shift, in->space);
  widen_lanes(&b, vm_data(x, in->src[1]), (enum ptx_type)in->kind, shift, in->space);
  return rows[T_F32][in->d].compare((const u8 *)a.lane, (const u8 *)b.lane);
}
static void setp_as_f32(struct vm_exec *x, const struct vm_insn *in) {
  put(x, in, compare_as_f32(x, in, 0));
}
/* Pairs: p is the lower half's outcome, q the upper's, each combined with c. */
static void setp_pair(struct vm_exec *x, const struct vm_insn *in) {
  u32 half[2] = {compare_as_f32(x, in, 0), compare_as_f32(x, in, 16)};
  u32 valid = vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]);
  i32 to[2] = {in->dst, in->dst2};
  u32 c = in->b ? *vm_pred(x, in->src[2]) ^ (in->c ? VM_FULL : 0) : 0;
  if (in->b) valid &= vm_valid(x, in->src[2]);
  for (u32 i = 0; i < 2; i++) {
    u32 t = in->a ? ~half[i] : half[i];
    if (to[i] != -1)
      vm_put_pred(x, in, to[i], in->b ? combine(in->b, t, c) : t, valid, in->b ? 3 : 2);
  }
}

/* ---- decoding .CmpOp ---- */
struct comparison {
  enum ptx_mod mod;
  u8 relation;
  bool swap, negate;
  u8 kinds; /* which types have it: SIGNED.. below */
};
enum { BITS = 1, WHOLE = 2, UNSIGNED_ONLY = 4, FLOATS = 8 };
static const struct comparison comparisons[] = {
    {MOD_EQ, EQ, false, false, BITS | WHOLE | FLOATS},
    {MOD_NE, EQ, false, true, BITS | WHOLE}, /* floats: see below */
    {MOD_NE, LG, false, false, FLOATS},
    {MOD_LT, LT, false, false, WHOLE | FLOATS},
    {MOD_LE, LE, false, false, WHOLE | FLOATS},
    {MOD_GT, LT, true, false, WHOLE | FLOATS},
    {MOD_GE, LE, true, false, WHOLE | FLOATS},
    {MOD_LO, LT, false, false, UNSIGNED_ONLY},
    {MOD_LS, LE, false, false, UNSIGNED_ONLY},
    {MOD_HI, LT, true, false, UNSIGNED_ONLY},
    {MOD_HS, LE, true, false, UNSIGNED_ONLY},
    /* True where an operand is a NaN: the negation of the opposite. */
    {MOD_EQU, LG, false, true, FLOATS},
    {MOD_NEU, EQ, false, true, FLOATS},
    {MOD_LTU, LE, true, true, FLOATS},
    {MOD_LEU, LT, true, true, FLOATS},
    {MOD_GTU, LE, false, true, FLOATS},
    {MOD_GEU, LT, false, true, FLOATS},
    {MOD_NUM, NUM, false, false, FLOATS},
    {MOD_NAN_CMP, NUM, false, true, FLOATS},
};
static u32 kinds_of(enum ptx_type t) {
  if (t == T_B16 || t == T_B32 || t == T_B64) return BITS;
  if (vm_is_int(t))
    return ptx_type_bytes(t) < 2 ? 0 : vm_is_signed(t) ? WHOLE : WHOLE | UNSIGNED_ONLY;
  return vm_is_float(t) || vm_is_half(t) ? FLOATS : 0;
}

/* Fills in->a..d and kind, and the sources; `first`: operand number of a; `t`: type compared;
 * `types`: how many the form has. */
static const struct comparison *pick(struct vm_pick *p, u32 types, u32 first, enum ptx_type t) {
  const struct comparison *found = NULL;
  bool ftz = ptx_has(p->in, MOD_FTZ) && (t == T_F32 || t == T_F16 || t == T_F16X2);
  for (u32 i = 0; i < COUNT_OF(comparisons) && !found; i++)
    if (ptx_has(p->in, comparisons[i].mod) && (comparisons[i].kinds & kinds_of(t)))
      found = &comparisons[i];
  if (!found) return vm_no(p, "there is no such comparison of this type"), NULL;
  u32 how = ptx_has(p->in, MOD_AND)   ? BOOL_AND
            : ptx_has(p->in, MOD_OR)  ? BOOL_OR
            : ptx_has(p->in, MOD_XOR) ? BOOL_XOR
                                      : BOOL_NONE;
  static const int bool_mod[] = {VM_END, MOD_AND, MOD_OR, MOD_XOR};
  if (!vm_form(p, types, first + 2 + (how ? 1 : 0), (int)found->mod,
               ftz ? (int)MOD_FTZ : (int)found->mod, bool_mod[how], VM_END))
    return NULL;
  p->out->a = found->negate;
  p->out->b = (u8)how;
  p->out->d = found->relation;
  p->out->kind = (u8)t;
  p->out->space = ftz;
  if (!vm_src(p, found->swap ? 1 : 0, first, t) || !vm_src(p, found->swap ? 0 : 1, first + 1, t))
    return NULL;
  if (how) {
    const struct ptx_operand *c = &p->in->operands[first + 2];
    p->out->c = c->kind == OPD_REG && c->negated;
    if (!vm_src(p, 2, first + 2, T_PRED)) return NULL;
  }
  return found;
}

bool vm_pick_setp(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  bool combined = ptx_has(p->in, MOD_AND) || ptx_has(p->in, MOD_OR) || ptx_has(p->in, MOD_XOR);
  u32 destinations = p->in->operand_count == (combined ? 5 : 4) ? 2 : 1;
  if (!pick(p, 1, destinations, t)) return false;
  if (!vm_dst_or_sink(p, 0, T_PRED)) return false;
  if (destinations == 2 && !vm_dst2_or_sink(p, 1, T_PRED)) return false;
  if (t == T_F16X2 || t == T_BF16X2) return vm_use(p, setp_pair);
  if (vm_is_half(t) || ptx_has(p->in, MOD_FTZ)) return vm_use(p, setp_as_f32);
  return vm_use(p, rows[t][p->out->d].setp);
}

/* ---- set: all ones (integers) or 1.0 where true, else 0. in->size: bytes of the result's
 * register, in->imm: the value of "true" in one element, in->vec: 2 for pairs ---- */
static u32 set_bits(struct vm_exec *x, const struct vm_insn *in, u32 shift) {
  bool as_f32 = vm_is_half((enum ptx_type)in->kind) || in->space;
  u32 bits = as_f32 ? compare_as_f32(x, in, shift)
                    : rows[in->kind][in->d].compare(vm_data(x, in->src[0]), vm_data(x, in->src[1]));
  if (in->a) bits = ~bits;
  if (!in->b) return bits;
  return combine(in->b, bits, *vm_pred(x, in->src[2]) ^ (in->c ? VM_FULL : 0));
}
static void set(struct vm_exec *x, const struct vm_insn *in) {
  u32 low = set_bits(x, in, 0), high = in->vec == 2 ? set_bits(x, in, 16) : 0;
  if (in->b)
    vm_result3(x, in);
  else
    vm_result2(x, in);
  u8 *d = vm_data(x, in->dst);
  VM_EACH(i, x->mask) {
    u64 v = low >> i & 1 ? (u64)in->imm : 0;
    if (high >> i & 1) v |= (u64)in->imm << 16;
    vm_put(d, in->size, i, v);
  }
}
static i64 true_value(enum ptx_type d, bool pair) {
  switch (d) {
  case T_F32: return 0x3f800000;
  case T_F16:
  case T_F16X2: return 0x3c00;
  case T_BF16:
  case T_BF16X2: return 0x3f80;
  case T_U16:
  case T_S16: return 0xffff;
  case T_U32:
  case T_S32: return pair ? 0xffff : 0xffffffff;
  default: return 0;
  }
}
bool vm_pick_set(struct vm_pick *p) {
  enum ptx_type d = vm_type(p, 0), t = vm_type(p, 1);
  bool pair = t == T_F16X2 || t == T_BF16X2;
  p->out->imm = true_value(d, pair);
  if (!p->out->imm) return vm_no(p, "there is no such form");
  if (pair != (d == T_F16X2 || d == T_BF16X2) && !(pair && (d == T_U32 || d == T_S32)))
    return vm_no(p, "there is no such form");
  if (!pick(p, 2, 1, t) || !vm_dst(p, 0, d)) return false;
  p->out->size = (u8)ptx_type_bytes(d);
  p->out->vec = pair ? 2 : 1;
  return vm_use(p, set);
}

VM_LONE_TABLE(cmp, VM_LONE_ROW(setp_eq_u16), VM_LONE_ROW(setp_lt_u16), VM_LONE_ROW(setp_le_u16),
              VM_LONE_ROW(setp_lt_s16), VM_LONE_ROW(setp_le_s16), VM_LONE_ROW(setp_eq_u32),
              VM_LONE_ROW(setp_lt_u32), VM_LONE_ROW(setp_le_u32), VM_LONE_ROW(setp_lt_s32),
              VM_LONE_ROW(setp_le_s32), VM_LONE_ROW(setp_eq_u64), VM_LONE_ROW(setp_lt_u64),
              VM_LONE_ROW(setp_le_u64), VM_LONE_ROW(setp_lt_s64), VM_LONE_ROW(setp_le_s64),
              VM_LONE_ROW(setp_eq_f32), VM_LONE_ROW(setp_lt_f32), VM_LONE_ROW(setp_le_f32),
              VM_LONE_ROW(setp_lg_f32), VM_LONE_ROW(setp_eq_f64), VM_LONE_ROW(setp_lt_f64),
              VM_LONE_ROW(setp_le_f64), VM_LONE_ROW(setp_lg_f64))
