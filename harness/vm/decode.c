/* decode.c - a function of the module to the flat form that the run loop executes; once, when it is
 * first called.
 *
 * Registers get slots, immediates and known addresses constants, branch targets instruction
 * indexes; every place where diverged lanes may meet gets a meeting instruction in front. No
 * handler compares a string afterwards. */
#include "vm/buffer.h"
#include <stdarg.h>
#include <stdlib.h>

typedef bool pick_fn(struct vm_pick *p);
static pick_fn *const pickers[OP_COUNT] = {
    vm_pick_unknown,
#define O(name, text, flags) vm_pick_##name,
#include "ptx/ops.def"
#undef O
};

bool vm_no(struct vm_pick *p, const char *what) {
  if (!p->why[0]) snprintf(p->why, sizeof p->why, "%.*s: %s", STR_A(p->in->text), what);
  return false;
}

static u32 slot_bytes(enum ptx_type t) {
  u32 b = ptx_type_bytes(t);
  if (t == T_PRED) return 32 + 32;
  if (b < 2) b = 2;
  return 32 + b * 32;
}

u32 vm_operand_bytes(const struct vm_pick *p, u32 operand) {
  const struct ptx_operand *o = &p->in->operands[operand];
  if (o->kind != OPD_REG) return 0xff;
  enum ptx_type t = p->func->regs[o->index].type;
  u32 b = ptx_type_bytes(t);
  return t == T_PRED ? 0 : b < 2 ? 2 : b;
}

/* ---- constants ---- */
static i32 pool_find(const struct vm_code *c, u64 bits, u32 width) {
  for (size_t at = 0; at < c->pool_bytes;) {
    const struct vm_slot *h = (const struct vm_slot *)(const void *)(c->pool + at);
    u32 w = (u32)h->origin_offset, bytes = w ? w * 32 : 32;
    u64 v = 0;
    memcpy(&v, c->pool + at + 32, w ? (w > 8 ? 8 : w) : 4);
    if (w == width && v == bits) return (i32)(0x80000000u | (u32)(at + 32));
    at += 32 + bytes;
  }
  return 0;
}

i32 vm_const_u64(struct vm_pick *p, u64 bits, u32 width) {
  struct vm_code *c = p->code;
  if (width == 2) bits &= 0xffff;
  if (width == 4) bits &= 0xffffffffu;
  if (!width) bits = bits ? VM_FULL : 0;
  i32 found = pool_find(c, bits, width);
  if (found) return found;
  u32 bytes = 32 + (width ? width * 32 : 32);
  if (c->pool_bytes + bytes > c->pool_cap) { /* 32-byte aligned, unlike realloc */
    size_t cap = c->pool_cap ? c->pool_cap * 2 : 4096;
    u8 *bigger = held_aligned(cap);
    if (c->pool_bytes) memcpy(bigger, c->pool, c->pool_bytes);
    held_free(c->pool);
    c->pool = bigger;
    c->pool_cap = cap;
  }
  u8 *at = c->pool + c->pool_bytes;
  memset(at, 0, bytes);
  struct vm_slot *h = (struct vm_slot *)(void *)at;
  h->valid = VM_FULL;
  h->origin_offset = width;
  u8 *data = at + 32;
  if (!width)
    memcpy(data, &bits, 4);
  else
    for (u32 i = 0; i < VM_LANES; i++)
      memcpy(data + (size_t)i * width, &bits, width > 8 ? 8 : width);
  i32 ref = (i32)(0x80000000u | (u32)(c->pool_bytes + 32));
  c->pool_bytes += bytes;
  return ref;
}

static u64 literal_bits(const struct ptx_operand *o, enum ptx_type t) {
  if (!o->is_float) {
    if (t == T_F32) { /* an integer literal where a float is wanted */
      float f = (float)o->imm;
      u32 b;
      memcpy(&b, &f, 4);
      return b;
    }
    if (t == T_F64) {
      double d = (double)o->imm;
      u64 b;
      memcpy(&b, &d, 8);
      return b;
    }
    return (u64)o->imm;
  }
  u64 raw = (u64)o->imm;
  if (o->is_f32 && t != T_F64) return (u32)raw;
  if (o->is_f32) {
    u32 b = (u32)raw;
    float f;
    memcpy(&f, &b, 4);
    double d = f;
    memcpy(&raw, &d, 8);
    return raw;
  }
  if (ptx_type_bytes(t) == 4) {
    double d;
    memcpy(&d, &raw, 8);
    float f = (float)d;
    u32 b;
    memcpy(&b, &f, 4);
    return b;
  }
  return raw;
}

/* The address of a variable, known at load; false for local ones (they depend on the frame). */
static bool variable_address(struct vm_pick *p, const struct ptx_operand *o, u64 *address) {
  const struct ptx_var *v = &p->m->module->vars[o->index];
  if (v->space == SP_LOCAL) return vm_no(p, "the address of a local variable cannot stand here");
  if (v->space == SP_SHARED) {
    if (p->m->shared_base[o->index] == ~0u)
      return vm_no(p, "this kernel does not have that shared variable");
    *address = p->m->shared_base[o->index] + (u64)o->imm;
    return true;
  }
  *address = p->m->var_address[o->index] + (u64)o->imm;
  return true;
}

static bool constant_operand(struct vm_pick *p, const struct ptx_operand *o, enum ptx_type t,
                             u32 width, i32 *ref) {
  u64 bits;
  switch (o->kind) {
  case OPD_IMM:
    bits = literal_bits(o, t);
    if (t == T_PRED && o->negated) bits = !bits;
    break;
  case OPD_VAR:
    if (!variable_address(p, o, &bits)) return false;
    break;
  case OPD_FUNC: bits = VM_CODE_BASE + 16ull * (u32)o->index; break;
  default: return vm_no(p, "an operand of this kind cannot stand here");
  }
  *ref = vm_const_u64(p, bits, t == T_PRED ? 0 : width);
  return true;
}

static const struct ptx_operand *operand_at(struct vm_pick *p, u32 i) {
  return i < p->in->operand_count ? &p->in->operands[i] : NULL;
}

static bool resolve(struct vm_pick *p, u32 operand, enum ptx_type t, bool dst, i32 *ref) {
  const struct ptx_operand *o = operand_at(p, operand);
  if (!o) return vm_no(p, "an operand is missing");
  u32 want = ptx_type_bytes(t);
  if (want && want < 2) want = 2;
  if (o->kind != OPD_REG)
    return dst ? vm_no(p, "the destination must be a register")
               : constant_operand(p, o, t, want, ref);
  enum ptx_type rt = p->func->regs[o->index].type;
  u32 have = rt == T_PRED ? 0 : ptx_type_bytes(rt);
  if (have && have < 2) have = 2;
  if (have != (t == T_PRED ? 0 : want))
    return vm_no(p, "a register has another width than the instruction's type");
  *ref = p->code->reg_ref[o->index];
  return true;
}

static bool is_sink(const struct vm_pick *p, u32 operand) {
  return operand < p->in->operand_count && p->in->operands[operand].kind == OPD_SINK;
}

bool vm_dst(struct vm_pick *p, u32 operand, enum ptx_type t) {
  return resolve(p, operand, t, true, &p->out->dst);
}
bool vm_dst2(struct vm_pick *p, u32 operand, enum ptx_type t) {
  return resolve(p, operand, t, true, &p->out->dst2);
}
bool vm_dst_or_sink(struct vm_pick *p, u32 operand, enum ptx_type t) {
  return is_sink(p, operand) ? (p->out->dst = -1, true) : vm_dst(p, operand, t);
}
bool vm_dst2_or_sink(struct vm_pick *p, u32 operand, enum ptx_type t) {
  return is_sink(p, operand) ? (p->out->dst2 = -1, true) : vm_dst2(p, operand, t);
}
bool vm_src(struct vm_pick *p, u32 slot, u32 operand, enum ptx_type t) {
  return resolve(p, operand, t, false, &p->out->src[slot]);
}

bool vm_item(struct vm_pick *p, const struct ptx_operand *o, enum ptx_type t, bool is_dst, i32 *ref,
             u32 *width) {
  u32 want = ptx_type_bytes(t) < 2 ? 2 : ptx_type_bytes(t);
  if (o->kind == OPD_SINK || o->kind == OPD_NONE) {
    *ref = -1;
    *width = want;
    return is_dst || vm_no(p, "\"_\" cannot be a source");
  }
  if (o->kind == OPD_REG) {
    enum ptx_type rt = p->func->regs[o->index].type;
    if (rt == T_PRED) return vm_no(p, "a predicate cannot stand here");
    *width = ptx_type_bytes(rt) < 2 ? 2 : ptx_type_bytes(rt);
    *ref = p->code->reg_ref[o->index];
    return true;
  }
  *width = want;
  return is_dst ? vm_no(p, "the destination must be a register")
                : constant_operand(p, o, t, want, ref);
}

/* ---- the function ---- */
static void layout(struct vm_machine *m, struct vm_code *c) {
  const struct ptx_func *f = c->func;
  u32 at = 0;
  c->reg_ref = NEWN(&m->arena, i32, f->reg_count + 1);
  for (u32 r = 0; r < f->reg_count; r++) {
    c->reg_ref[r] = (i32)(at + 32);
    at += slot_bytes(f->regs[r].type);
  }
  c->local_offset = NEWN(&m->arena, u32, m->module->var_count + 1);
  u32 local = 0;
  for (u32 v = 0; v < m->module->var_count; v++) {
    const struct ptx_var *var = &m->module->vars[v];
    if (var->space != SP_LOCAL || (var->func >= 0 && &m->module->funcs[var->func] != f)) continue;
    u32 align = var->align > 16 ? var->align : 16;
    local = (local + align - 1) & ~(align - 1);
    c->local_offset[v] = local;
    local += var->size_bytes > VM_LOCAL_MAX ? VM_LOCAL_MAX + 1 : (u32)var->size_bytes;
    if (local > VM_LOCAL_MAX) local = VM_LOCAL_MAX + 1;
  }
  c->local_bytes = local;
  if (local) {
    c->local_ref = (i32)(at + 32);
    at += slot_bytes(T_U64);
  }
  c->slot_bytes = at;
  c->param_offset = at;
  c->param_bytes = (f->param_bytes + 7) & ~7u;
  c->frame_bytes = at + c->param_bytes * 32 + c->param_bytes * 4 + 64;
}

static void decode_insn(struct vm_machine *m, struct vm_code *c, const struct ptx_insn *in,
                        struct vm_insn *out) {
  struct vm_pick p = {.in = in, .func = c->func, .out = out, .code = c, .m = m};
  memset(out, 0, sizeof *out);
  out->dst = out->dst2 = -1;
  out->guard = -1;
  out->op = in->op;
  out->vec = 1;
  out->ptx = in;
  bool parts = false, is_video = in->op >= OP_vabsdiff && in->op <= OP_vsub4;
  for (u32 i = 0; i < in->operand_count; i++) parts |= in->operands[i].select != 0;
  const struct vm_reach *beyond = vm_reach_insn(in->text);
  if (beyond) {
    out->fn = vm_op_beyond;
    out->more = (void *)(uintptr_t)beyond;
  } else if ((parts && !is_video && !vm_no(&p, "a part of a register cannot stand here")) ||
             !pickers[in->op](&p) || !out->fn) {
    if (!p.why[0]) vm_no(&p, "this form is not supported");
    out->fn = vm_op_unsupported;
    out->more = str_copy(&m->arena, str_of(p.why)).n
                    ? (void *)(uintptr_t)str_copy(&m->arena, str_of(p.why)).p
                    : NULL;
  }
  if (in->guard >= 0) {
    out->guard = c->reg_ref[in->guard];
    out->guard_not = in->guard_negated;
    if (in->op != OP_bra) {
      out->inner = out->fn;
      out->fn = vm_op_guarded;
    }
  }
}

void vm_decode(struct vm_machine *m, struct vm_code *c) {
  const struct ptx_func *f = c->func;
  layout(m, c);
  u8 *meets = NEWN(&m->arena, u8, f->code_count + 1);
  for (u32 i = 0; i < f->code_count; i++)
    if (f->code[i].reconverge >= 0 && (u32)f->code[i].reconverge < f->code_count)
      meets[f->code[i].reconverge] = 1;
  u32 n = 0;
  c->index_of = NEWN(&m->arena, u32, f->code_count + 1);
  for (u32 i = 0; i < f->code_count; i++) {
    c->index_of[i] = n;
    n += 1u + meets[i];
  }
  c->index_of[f->code_count] = n;
  c->count = n + 1;
  struct vm_insn *code = NEWN(&m->arena, struct vm_insn, c->count);
  vm_const_u64(&(struct vm_pick){.code = c}, 0, 4); /* the pool is never empty */
  for (u32 i = 0; i < f->code_count; i++) {
    struct vm_insn *at = &code[c->index_of[i]];
    if (meets[i])
      *at++ = (struct vm_insn){.fn = vm_op_meet, .ptx = &f->code[i], .dst = -1, .guard = -1};
    decode_insn(m, c, &f->code[i], at);
    i32 r = f->code[i].reconverge;
    at->reconverge = r >= 0 && (u32)r < f->code_count ? (i32)c->index_of[r] : PTX_AT_RETURN;
  }
  code[n] = (struct vm_insn){.fn = vm_op_end,
                             .dst = -1,
                             .guard = -1,
                             .ptx = f->code_count ? &f->code[f->code_count - 1] : NULL};
  for (u32 i = 0; i < c->count; i++) {
    code[i].pos_id = c->first_pos + i;
    if (m->buffer) vm_buffer_wrap(m, &code[i]);
  }
  c->insns = code;
}
