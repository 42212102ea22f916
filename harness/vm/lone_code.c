/* lone_code.c - from decoded instructions to the compact form of single lanes (lone.h), one when it
 * is first executed. What fits no shape stays the handler's. */
#include "vm/lone.h"

static const struct vm_lone_table *const tables[] = {
    &vm_lone_int,    &vm_lone_div,  &vm_lone_bits, &vm_lone_float,  &vm_lone_cvt,   &vm_lone_cmp,
    &vm_lone_select, &vm_lone_move, &vm_lone_flow, &vm_lone_access, &vm_lone_param, &vm_lone_field};

enum shape {
  SHAPE_ONE1,
  SHAPE_ONE2,
  SHAPE_ONE3,
  SHAPE_SETP,
  SHAPE_PRED,
  SHAPE_SELP,
  SHAPE_SPECIAL
};
static const struct {
  u8 shape;
  u8 sources; /* PRED */
  u8 bytes;   /* SELP: of the register */
} shapes[VM_LONE_COUNT] = {
#define ONE1(name, ...)        [VM_LONE_##name] = {SHAPE_ONE1, 0, 0},
#define ONE2(name, ...)        [VM_LONE_##name] = {SHAPE_ONE2, 0, 0},
#define ONE3(name, ...)        [VM_LONE_##name] = {SHAPE_ONE3, 0, 0},
#define SETP(name, ...)        [VM_LONE_##name] = {SHAPE_SETP, 0, 0},
#define PRED(name, count, ...) [VM_LONE_##name] = {SHAPE_PRED, count, 0},
#define SELP(name, T)          [VM_LONE_##name] = {SHAPE_SELP, 0, sizeof(T)},
#define SPECIAL(name)          [VM_LONE_##name] = {SHAPE_SPECIAL, 0, 0},
#include "vm/lone_ops.def"
};

static const struct vm_lone_row *row_of(vm_fn *fn) {
  for (u32 t = 0; t < COUNT_OF(tables); t++)
    for (u32 i = 0; i < tables[t]->count; i++)
      if (tables[t]->rows[i].fn == fn) return &tables[t]->rows[i];
  return NULL;
}

bool vm_lone_is_used(enum vm_lone_op op) {
  for (u32 t = 0; t < COUNT_OF(tables); t++)
    for (u32 i = 0; i < tables[t]->count; i++)
      if (tables[t]->rows[i].op == op) return true;
  return false;
}

/* ---- operands ---- */
static bool is_constant(i32 ref) { return ref < -1; }
static u64 constant(const struct vm_exec *x, i32 ref) { /* its slot is longer than 8 bytes */
  u64 v;
  memcpy(&v, vm_data(x, ref), 8);
  return v;
}
/* A bit for each source that is a constant. */
static u32 constants(const struct vm_insn *in, u32 sources) {
  u32 bits = 0;
  for (u32 s = 0; s < sources; s++) bits |= (u32)is_constant(in->src[s]) << s;
  return bits;
}
static void set_sources(const struct vm_insn *in, struct vm_one *o) {
  o->d = (u32)in->dst;
  o->a = (u32)in->src[0];
  o->b = (u32)in->src[1];
  o->c = (u32)in->src[2];
}

/* ---- shapes ---- */
static bool one1(const struct vm_exec *x, const struct vm_insn *in, struct vm_one *o) {
  if (!constants(in, 1)) return true;
  o->imm = constant(x, in->src[0]);
  if (o->op == VM_LONE_vm_op_mov16)
    o->op = VM_LONE_fill16;
  else if (o->op == VM_LONE_vm_op_mov32)
    o->op = VM_LONE_fill32;
  else if (o->op == VM_LONE_vm_op_mov64)
    o->op = VM_LONE_fill64;
  else
    return false;
  return true;
}
/* The variants follow their operation: first constant last, then constant first. */
static bool one2(const struct vm_exec *x, const struct vm_insn *in, struct vm_one *o) {
  u32 k = constants(in, 2);
  if (k == 3) return false;
  if (k) {
    o->imm = constant(x, in->src[k == 2]);
    o->op = (u16)(o->op + (k == 2 ? 1 : 2));
  }
  return true;
}
static bool one3(const struct vm_exec *x, const struct vm_insn *in, struct vm_one *o) {
  u32 k = constants(in, 3);
  if (k & 1 || k == 6) return false;
  if (k) {
    o->imm = constant(x, in->src[k == 2 ? 1 : 2]);
    o->op = (u16)(o->op + (k == 2 ? 1 : 2));
  }
  return true;
}
static bool selp(const struct vm_exec *x, const struct vm_insn *in, struct vm_one *o, u32 bytes) {
  u32 k = constants(in, 3);
  if (!k) return true;
  if (k != 3 || bytes > 4) return false;
  o->imm = (constant(x, in->src[0]) & 0xffffffffu) | constant(x, in->src[1]) << 32;
  o->op++;
  return true;
}

static bool special_register(const struct vm_exec *x, const struct vm_insn *in, struct vm_one *o) {
  u32 dim = in->vec - 1u;
  if (in->b != 4 || dim > 2) return false;
  switch (in->a) {
  case SREG_ctaid:
    o->op = VM_LONE_block_word;
    o->imm = offsetof(struct vm_block, ctaid) + 4 * dim;
    return true;
  case SREG_ntid:
    o->op = VM_LONE_word;
    o->imm = (u64)(uintptr_t)&x->m->info.block[dim];
    return true;
  case SREG_nctaid:
    o->op = VM_LONE_word;
    o->imm = (u64)(uintptr_t)&x->m->info.grid[dim];
    return true;
  default: return false;
  }
}

static bool memory(const struct vm_exec *x, const struct vm_insn *in, struct vm_one *o) {
  bool writes = in->kind == VM_WRITE;
  i32 value = writes ? in->src[1] : in->dst;
  if (in->sem != VM_WEAK || in->vec != 1 || in->d || value < 0 || in->size > 8 ||
      x->m->config.count_traffic)
    return false;
  o->op = (u16)(in->size == 4 && in->b == 4   ? (writes ? VM_LONE_store4 : VM_LONE_load4)
                : in->size == 8 && in->b == 8 ? (writes ? VM_LONE_store8 : VM_LONE_load8)
                : writes                      ? VM_LONE_store_small
                                              : VM_LONE_load_small);
  o->flags = (u8)((in->a == 8 ? VM_ONE_WIDE : 0) | (in->c ? VM_ONE_SIGNED : 0));
  o->space = in->space;
  o->d = (u32)value;
  o->b = in->size;
  o->c = in->b;
  o->imm = (u64)in->imm;
  if (is_constant(in->src[0])) {
    o->flags |= VM_ONE_FIXED;
    o->imm += constant(x, in->src[0]);
  }
  return true;
}

static bool parameter(const struct vm_insn *in, struct vm_one *o, bool writes) {
  i32 value = writes ? in->src[1] : in->dst;
  if (in->vec != 1 || in->size != in->b || in->size < 4 || value < 0) return false;
  if (in->size == 8) o->op++;
  o->d = (u32)value;
  o->imm = (u64)in->imm;
  return true;
}

static bool special(const struct vm_exec *x, const struct vm_insn *in, struct vm_one *o) {
  switch (o->op) {
  case VM_LONE_bra: o->b = in->target; return true;
  case VM_LONE_bra_if:
    o->a = (u32)in->guard;
    o->b = in->target;
    o->flags = in->guard_not;
    return true;
  case VM_LONE_word: return special_register(x, in, o);
  case VM_LONE_load4: return memory(x, in, o);
  case VM_LONE_kernel_param4:
  case VM_LONE_get_param4: return parameter(in, o, false);
  case VM_LONE_set_param4: return parameter(in, o, true);
  case VM_LONE_local_address: /* from the frame's base on */
    o->imm = (u64)in->imm + (in->op == OP_cvta ? VM_WINDOW(VM_HI_LOCAL) : 0);
    return in->op == OP_cvta || in->b == 8;
  default: return true;
  }
}

static bool translate(const struct vm_exec *x, const struct vm_insn *in, struct vm_one *o) {
  switch (shapes[o->op].shape) {
  case SHAPE_ONE1:
    if (in->op == OP_cvt) o->flags = in->b, o->space = in->a;
    return one1(x, in, o);
  case SHAPE_ONE2: return one2(x, in, o);
  case SHAPE_ONE3: return one3(x, in, o);
  case SHAPE_SETP: /* one destination, no second condition */
    o->flags = in->a;
    return !in->b && in->dst2 == -1 && in->dst != -1 && one2(x, in, o);
  case SHAPE_PRED:
    if (shapes[o->op].sources == 1) o->b = o->a;
    if (o->op == VM_LONE_vm_op_mov_pred && is_constant(in->src[0])) {
      o->flags = constant(x, in->src[0]) & 1;
      o->op = VM_LONE_fill_pred;
      return true;
    }
    return !constants(in, shapes[o->op].sources);
  case SHAPE_SELP: return selp(x, in, o, shapes[o->op].bytes);
  default: return special(x, in, o);
  }
}

void vm_lone_translate(struct vm_exec *x, u32 index) {
  const struct vm_insn *in = &x->code[index];
  struct vm_one *o = &x->frame->code->ones[index];
  const struct vm_lone_row *row = row_of(in->fn);
  *o = (struct vm_one){.op = row ? row->op : VM_LONE_handler, .pos_id = in->pos_id};
  set_sources(in, o);
  if (row && in->op == OP_cvta) o->imm = (u64)in->imm;
  if (row && !translate(x, in, o)) o->op = VM_LONE_handler;
}
