/* lanes.c - what the pickers of arithmetic instructions share: checking a form, resolving its
 * operands; and the slow half of validity. Computes nothing; see ops_*.c. */
#include "vm/lanes.h"

_Static_assert(MOD_COUNT <= 256, "handlers keep modifiers in a byte");

static bool complain_of(struct vm_pick *p, u32 mod) {
  char text[96];
  snprintf(text, sizeof text, "the modifier .%s is not supported here", ptx_mod_text[mod]);
  return vm_no(p, text);
}

bool vm_form(struct vm_pick *p, u32 types, u32 operands, ...) {
  const struct ptx_insn *in = p->in;
  bool allowed[MOD_COUNT] = {false};
  va_list list;
  va_start(list, operands);
  for (int m = va_arg(list, int); m >= 0; m = va_arg(list, int)) allowed[m] = true;
  va_end(list);
  if (in->mods[0] | in->mods[1] | in->mods[2] | in->mods[3])
    for (u32 m = 0; m < MOD_COUNT; m++)
      if (!allowed[m] && ptx_has(in, (enum ptx_mod)m)) return complain_of(p, m);
  if (in->type_count != types) return vm_no(p, "a different number of types is needed");
  if (in->operand_count != operands) return vm_no(p, "a different number of operands is needed");
  bool may_negate =
      in->op == OP_setp || in->op == OP_set || in->op == OP_lop3; /* the last operand */
  for (u32 i = 0; i < operands; i++)
    if (in->operands[i].negated && !(may_negate && i == operands - 1))
      return vm_no(p, "\"!\" cannot stand here");
  return true;
}

static bool destination(struct vm_pick *p, vm_fn *fn, enum ptx_type d) {
  if (!fn) return vm_no(p, "there is no such form");
  return vm_dst(p, 0, d) && vm_use(p, fn);
}
bool vm_use1(struct vm_pick *p, vm_fn *fn, enum ptx_type d, enum ptx_type a) {
  return destination(p, fn, d) && vm_src(p, 0, 1, a);
}
bool vm_use2(struct vm_pick *p, vm_fn *fn, enum ptx_type d, enum ptx_type a, enum ptx_type b) {
  return destination(p, fn, d) && vm_src(p, 0, 1, a) && vm_src(p, 1, 2, b);
}
bool vm_use3(struct vm_pick *p, vm_fn *fn, enum ptx_type d, enum ptx_type a, enum ptx_type b,
             enum ptx_type c) {
  return vm_use2(p, fn, d, a, b) && vm_src(p, 2, 3, c);
}

enum ptx_type vm_twice(enum ptx_type t) {
  switch (t) {
  case T_U16: return T_U32;
  case T_S16: return T_S32;
  case T_U32: return T_U64;
  case T_S32: return T_S64;
  default: return T_NONE;
  }
}

enum vm_round vm_rounding(const struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  if (ptx_has(in, MOD_RZ) || ptx_has(in, MOD_RZI)) return VM_RZ;
  if (ptx_has(in, MOD_RM) || ptx_has(in, MOD_RMI)) return VM_RM;
  if (ptx_has(in, MOD_RP) || ptx_has(in, MOD_RPI)) return VM_RP;
  if (ptx_has(in, MOD_RNA)) return VM_RNA;
  return VM_RN;
}

u8 vm_flags(const struct vm_pick *p) {
  static const struct {
    enum ptx_mod mod;
    enum vm_flag flag;
  } rows[] = {
      {MOD_FTZ, VM_FTZ},      {MOD_SAT, VM_SAT},
      {MOD_NAN, VM_NAN_WINS}, {MOD_XORSIGN_ABS, VM_XORSIGN},
      {MOD_RELU, VM_RELU},    {MOD_SATFINITE, VM_SATFINITE},
      {MOD_RNI, VM_TO_INT},   {MOD_RZI, VM_TO_INT},
      {MOD_RMI, VM_TO_INT},   {MOD_RPI, VM_TO_INT},
      {MOD_OOB, VM_OOB},
  };
  u32 flags = 0;
  for (u32 i = 0; i < COUNT_OF(rows); i++)
    if (ptx_has(p->in, rows[i].mod)) flags |= (u32)rows[i].flag;
  return (u8)flags;
}

/* Lanes of `ref` that are defined and hold exactly `decides` (cut to the width). */
static u32 decided_lanes(const struct vm_exec *x, i32 ref, u32 width, u64 decides) {
  const u8 *data = vm_data(x, ref);
  u64 want = width == 8 ? decides : decides & ((1ull << width * 8) - 1);
  u32 lanes = 0;
  VM_EACH(i, x->mask & vm_valid(x, ref)) if (vm_get(data, width, i) == want) lanes |= vm_bit(i);
  return lanes;
}
u32 vm_valid_by(const struct vm_exec *x, const struct vm_insn *in, u32 width, u64 decides) {
  return decided_lanes(x, in->src[0], width, decides) |
         decided_lanes(x, in->src[1], width, decides);
}
