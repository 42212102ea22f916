/* param.c - ld.param and st.param: kernel parameters and the arguments and results of device
 * functions.
 *
 * A device function's parameters are rows of 32 lanes in its frame (machine.h); offsets are known
 * when decoding, so these are moves between registers and rows. */
#include "vm/machine.h"
#include "vm/lanes.h"
#include "vm/lone.h"

struct param_vector {
  i32 ref[8];
};
static i32 ref_of(const struct vm_insn *in, i32 scalar, u32 e) {
  return in->vec == 1 ? scalar : ((const struct param_vector *)in->more)->ref[e];
}

static void put(u8 *dst, u32 lane, u32 reg_bytes, u64 v, u32 size, bool sign) {
  if (sign && size < 8 && v >> (size * 8 - 1)) v |= ~0ull << (size * 8);
  memcpy(dst + (size_t)lane * reg_bytes, &v, reg_bytes);
}

/* The launch's parameter block: the same for all lanes. */
static void vm_op_ld_kernel_param(struct vm_exec *x, const struct vm_insn *in) {
  const struct vm_launch *launch = x->m->launch;
  for (u32 e = 0; e < in->vec; e++) {
    i32 ref = ref_of(in, in->dst, e);
    if (ref == -1) continue;
    u8 *dst = vm_data(x, ref);
    u64 v = 0, at = (u64)in->imm + e * in->size;
    if (at + in->size > launch->param_bytes) {
      vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask, "outside of the kernel's parameters");
      return;
    }
    memcpy(&v, launch->params + at, in->size);
    if (in->c && in->size < 8 && v >> (in->size * 8 - 1)) v |= ~0ull << (in->size * 8);
    vm_fill(x, dst, in->b, v);
    vm_head(dst)->valid |= x->mask;
  }
}

static void vm_op_ld_param(struct vm_exec *x, const struct vm_insn *in) {
  const struct vm_frame *f = x->frame;
  for (u32 e = 0; e < in->vec; e++) {
    i32 ref = ref_of(in, in->dst, e);
    if (ref == -1) continue;
    u8 *dst = vm_data(x, ref);
    u32 at = (u32)in->imm + e * in->size, valid = VM_FULL;
    const u32 *row = vm_param_row(f, at / 4);
    if (in->size == 4 && in->b == 4) {
      u32 *d = (u32 *)(void *)dst;
      VM_IVDEP
      for (u32 i = 0; i < VM_LANES; i++)
        d[i] = (d[i] & ~x->lane_mask[i]) | (row[i] & x->lane_mask[i]);
    } else if (in->size == 8 && in->b == 8) {
      u64 *d = (u64 *)(void *)dst;
      VM_STORE_LANES(x, u64, d, row[i] | (u64)row[32 + i] << 32)
    } else {
      VM_EACH(l, x->mask) {
        u64 v = row[l] >> (at & 3) * 8;
        if (in->size == 8)
          v = row[l] | (u64)row[32 + l] << 32;
        else if (in->size < 4)
          v &= (1u << in->size * 8) - 1;
        put(dst, l, in->b, v, in->size, in->c);
      }
    }
    const u32 *v = vm_param_valid(f, at);
    for (u32 b = 0, n = in->size; b < n; b++) valid &= v[b];
    struct vm_slot *h = vm_head(dst);
    h->valid = (h->valid & ~x->mask) | (valid & x->mask);
    if (~valid & x->mask) {
      h->origin_pos = f->param_origin.origin_pos ? f->param_origin.origin_pos : in->pos_id;
      h->origin_object = f->param_origin.origin_object;
      h->origin_offset = f->param_origin.origin_offset;
      h->partial = NULL;
    }
  }
}

/* Of a register that is wider than the parameter, or narrower than a word. */
static void st_part(u32 *row, const u8 *src, const struct vm_insn *in, u32 at, u32 mask) {
  VM_EACH(l, mask) {
    u64 v = 0;
    memcpy(&v, src + l * in->b, in->b);
    if (in->size >= 4) {
      row[l] = (u32)v;
      if (in->size == 8) row[32 + l] = (u32)(v >> 32);
    } else {
      u32 shift = (at & 3) * 8, ones = ((1u << in->size * 8) - 1) << shift;
      row[l] = (row[l] & ~ones) | ((u32)v << shift & ones);
    }
  }
}

static void vm_op_st_param(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_frame *f = x->frame;
  for (u32 e = 0; e < in->vec; e++) {
    i32 ref = ref_of(in, in->src[1], e);
    const u8 *src = vm_data(x, ref);
    u32 at = (u32)in->imm + e * in->size;
    u32 *row = vm_param_row(f, at / 4);
    if (in->size == 4 && in->b == 4) {
      const u32 *s = (const u32 *)(const void *)src;
      VM_STORE_LANES(x, u32, row, s[i])
    } else if (in->size == 8 && in->b == 8) {
      const u64 *s = (const u64 *)(const void *)src;
      u32 *high = row + VM_LANES;
      VM_STORE_LANES(x, u32, row, (u32)s[i])
      VM_STORE_LANES(x, u32, high, (u32)(s[i] >> 32))
    } else {
      st_part(row, src, in, at, x->mask);
    }
    u32 valid = vm_valid(x, ref);
    if (~valid & x->mask) f->param_origin = *vm_head(vm_data(x, ref));
    u32 *v = vm_param_valid(f, at), n = in->size, others = ~x->mask;
    valid &= x->mask;
    for (u32 b = 0; b < n; b++) v[b] = (v[b] & others) | valid;
  }
}

static bool pick(struct vm_pick *p, u32 value_operand, u32 param_operand, bool writes) {
  const struct ptx_insn *in = p->in;
  struct vm_insn *out = p->out;
  enum ptx_type t = vm_type(p, 0);
  u32 size = ptx_type_bytes(t), width = 0;
  const struct ptx_operand *a = &in->operands[param_operand], *v = &in->operands[value_operand];
  out->vec = (u8)(ptx_has(in, MOD_V2) ? 2 : ptx_has(in, MOD_V4) ? 4 : 1);
  out->size = (u8)size;
  out->c = t == T_S8 || t == T_S16 || t == T_S32;
  if (!size || size > 8 || in->type_count != 1) return vm_no(p, "no such parameter type");
  if (out->vec > 1) {
    if (v->kind != OPD_VEC || v->item_count != out->vec)
      return vm_no(p, "the vector operand does not have that many elements");
    struct param_vector *list = NEW(&p->m->arena, struct param_vector);
    for (u32 e = 0; e < out->vec; e++)
      if (!vm_item(p, &v->items[e], t, !writes, &list->ref[e], &width)) return false;
    out->more = list;
  } else if (!vm_item(p, v, t, !writes, writes ? &out->src[1] : &out->dst, &width)) {
    return false;
  }
  if (width < size) return vm_no(p, "the register is narrower than the type");
  if (width > 8) return vm_no(p, "the register is wider than any parameter");
  out->b = (u8)width;
  const struct ptx_param *param = &p->func->params[a->index];
  u32 total = size * out->vec;
  if (a->imm < 0 || (u64)a->imm + total > param->size_bytes)
    return vm_no(p, "outside of the parameter");
  out->imm = (i64)param->offset_bytes + a->imm;
  if (out->imm % size) return vm_no(p, "misaligned parameter access");
  return true;
}

static bool is_kernel_param(const struct vm_pick *p, u32 operand) {
  return p->func->is_entry &&
         (u32)p->in->operands[operand].index < p->func->ret_count + p->func->arg_count;
}

/* The only instruction that writes this register, where there is just one, unguarded; else NULL. */
static const struct ptx_insn *only_writer(const struct ptx_func *f, i32 reg) {
  const struct ptx_insn *found = NULL;
  for (u32 i = 0; i < f->code_count; i++) {
    const struct ptx_insn *in = &f->code[i];
    for (u32 o = 0; o < in->operand_count; o++) {
      const struct ptx_operand *d = &in->operands[o];
      bool names = d->kind == OPD_REG && d->index == reg && !d->is_addr;
      for (u32 e = 0; d->kind == OPD_VEC && e < d->item_count; e++)
        names |= d->items[e].kind == OPD_REG && d->items[e].index == reg;
      if (!names || (o && d->kind == OPD_REG && !d->after_pipe)) continue;
      if (found || in->guard >= 0) return NULL;
      found = in;
    }
    for (u32 r = 0; r < in->call_ret_count; r++)
      if (in->call_rets[r].kind == OPD_REG && in->call_rets[r].index == reg) return NULL;
  }
  return found;
}

/* clang takes the address of a device function's structure parameter into a register. Parameters of
 * functions have no address here, but which one it is, and where in it, can be seen: follow moves
 * and additions of constants to where they began. */
static bool known_param(const struct vm_pick *p, const struct ptx_operand *from,
                        struct ptx_operand *out) {
  enum { STEPS_MAX = 16 };
  struct ptx_operand at = *from;
  i64 offset = from->imm;
  for (u32 step = 0; at.kind == OPD_REG && step < STEPS_MAX; step++) {
    const struct ptx_insn *w = only_writer(p->func, at.index);
    if (!w || w->operand_count < 2 || w->operands[0].kind != OPD_REG) return false;
    bool moves = w->op == OP_mov && w->operand_count == 2;
    bool adds = w->op == OP_add && w->operand_count == 3 && w->operands[2].kind == OPD_IMM;
    if (!moves && !adds) return false;
    at = w->operands[1];
    if (adds) offset += w->operands[2].imm;
    if (at.kind == OPD_PARAM) offset += at.imm;
  }
  if (at.kind != OPD_PARAM) return false;
  *out = at;
  out->is_addr = 1;
  out->imm = offset;
  return true;
}

bool vm_pick_ld_func_param(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  struct ptx_operand at;
  if (!known_param(p, &in->operands[1], &at))
    return vm_no(p, "the address of a device function's parameter is not supported");
  struct ptx_insn *as_if = NEW(&p->m->arena, struct ptx_insn);
  *as_if = *in;
  as_if->operands = NEWN(&p->m->arena, struct ptx_operand, in->operand_count);
  memcpy(as_if->operands, in->operands, in->operand_count * sizeof *in->operands);
  as_if->operands[1] = at;
  p->in = as_if;
  bool ok = vm_pick_ld_param(p);
  p->in = in;
  return ok;
}

bool vm_pick_ld_param(struct vm_pick *p) {
  return pick(p, 0, 1, false) &&
         vm_use(p, is_kernel_param(p, 1) ? vm_op_ld_kernel_param : vm_op_ld_param);
}
bool vm_pick_st_param(struct vm_pick *p) {
  if (is_kernel_param(p, 0)) return vm_no(p, "kernel parameters are read-only");
  return pick(p, 1, 0, true) && vm_use(p, vm_op_st_param);
}

VM_LONE_TABLE(param, {vm_op_ld_kernel_param, VM_LONE_kernel_param4},
              {vm_op_ld_param, VM_LONE_get_param4}, {vm_op_st_param, VM_LONE_set_param4})
