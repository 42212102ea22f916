/* flow.c - bra, brx, call, ret, exit, trap, brkpt, nanosleep, and the run loop's own
 * pseudo-instructions. */
#include "vm/buffer.h"
#include "vm/lanes.h"
#include <stdlib.h>
#include "vm/lone.h"

void vm_op_unsupported(struct vm_exec *x, const struct vm_insn *in) {
  vm_fault_now(x, in, VM_FAULT_UNSUPPORTED, x->mask, "%s",
               in->more ? (const char *)in->more : "unknown instruction");
}

/* @p: narrows the mask for one instruction. */
void vm_op_guarded(struct vm_exec *x, const struct vm_insn *in) {
  u8 *slot = vm_data(x, in->guard);
  u32 group = x->group_mask, undefined = ~vm_head(slot)->valid & group;
  if (undefined && x->undefined) vm_uninit(x, in, slot, undefined, "guard of an instruction");
  u32 p = *(u32 *)(void *)slot, mask = (in->guard_not ? ~p : p) & group;
  if (!mask) return;
  vm_exec_mask(x, mask);
  in->inner(x, in);
  if (!x->stop && x->group) vm_exec_mask(x, x->group_mask);
}

void vm_op_meet(struct vm_exec *x, const struct vm_insn *in) { vm_meet(x, in); }

static void branch_to(struct vm_exec *x, const struct vm_insn *in, const struct vm_insn *to) {
  x->next = to;
  x->group->via = in;
  if (to <= in) vm_back_edge(x, in);
}

static void vm_op_bra(struct vm_exec *x, const struct vm_insn *in) {
  branch_to(x, in, x->code + in->target);
}

static void vm_op_bra_if(struct vm_exec *x, const struct vm_insn *in) {
  u8 *slot = vm_data(x, in->guard);
  u32 mask = x->mask, undefined = ~vm_head(slot)->valid & mask;
  if (__builtin_expect(undefined && x->undefined, 0))
    vm_uninit(x, in, slot, undefined, "branch condition");
  u32 p = *(u32 *)(void *)slot, go = (in->guard_not ? ~p : p) & mask;
  if (!go) return;
  const struct vm_insn *to = x->code + in->target;
  if (go == mask) {
    branch_to(x, in, to);
    return;
  }
  u32 stay = mask & ~go;
  bool go_on_with_taken = x->m->random ? rng_below(&x->m->rng, 2) : x->m->reversed;
  if (go_on_with_taken) {
    vm_diverge(x, stay, in + 1, to, in);
    if (to <= in) vm_back_edge(x, in);
  } else {
    vm_diverge(x, go, to, in + 1, in);
  }
}

bool vm_pick_bra(struct vm_pick *p) {
  const struct ptx_operand *o = &p->in->operands[0];
  if (p->in->operand_count < 1 || o->kind != OPD_LABEL) return vm_no(p, "a label is needed");
  p->out->target = p->code->index_of[o->index];
  return vm_use(p, p->in->guard >= 0 ? vm_op_bra_if : vm_op_bra);
}

/* brx.idx: a jump table. Lanes with different targets part one target at a time. */
static void vm_op_brx(struct vm_exec *x, const struct vm_insn *in) {
  const u32 *index = vm_u32(x, in->src[0]);
  u8 *slot = vm_data(x, in->src[0]);
  u32 undefined = ~vm_head(slot)->valid & x->mask;
  if (undefined && x->undefined) vm_uninit(x, in, slot, undefined, "branch index");
  const u32 *targets = in->more;
  u32 count = (u32)in->imm;
  vm_leave_unguarded(x, in);
  for (;;) {
    u32 first = (u32)__builtin_ctz(x->mask), same = 0;
    if (index[first] >= count) {
      vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(first), "jump table index %u of %u", index[first],
                   count);
      return;
    }
    VM_EACH(l, x->mask) same |= (u32)(index[l] == index[first]) << l;
    const struct vm_insn *to = x->code + targets[index[first]];
    if (same == x->mask) {
      branch_to(x, in, to);
      return;
    }
    vm_diverge(x, same, to, in, in);
  }
}
bool vm_pick_brx(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  if (!in->target_count) return vm_no(p, "no table of targets");
  u32 *t = NEWN(&p->m->arena, u32, in->target_count);
  for (u32 i = 0; i < in->target_count; i++) t[i] = p->code->index_of[in->targets[i]];
  p->out->more = t;
  p->out->imm = in->target_count;
  return vm_src(p, 0, 0, T_U32) && vm_use(p, vm_op_brx);
}

/* ---- calls ---- */
struct call {
  struct vm_code *callee; /* NULL: indirect */
  vm_builtin_fn *builtin;
  str name;
  const struct ptx_insn *ptx;
};

/* Rows of one parameter variable to another, for the active lanes. */
static void copy_param(const struct vm_exec *x, const struct vm_frame *from, u32 from_byte,
                       struct vm_frame *to, u32 to_byte, u32 bytes) {
  u32 mask = x->mask;
  if (from->param_origin.origin_pos) to->param_origin = from->param_origin;
  const u32 *s = vm_param_row(from, from_byte / 4), *known = vm_param_valid(from, from_byte);
  u32 *d = vm_param_row(to, to_byte / 4), *v = vm_param_valid(to, to_byte);
  if (vm_few(mask)) {
    VM_EACH(l, mask) for (u32 row = 0; row * 4 < bytes; row++) d[row * 32 + l] = s[row * 32 + l];
  } else {
    for (u32 row = 0; row * 4 < bytes; row++, s += VM_LANES, d += VM_LANES)
      VM_STORE_LANES(x, u32, d, s[i])
  }
  VM_IVDEP for (u32 b = 0; b < bytes; b++) v[b] = (v[b] & ~mask) | (known[b] & mask);
}

static bool copy_args(struct vm_exec *x, const struct vm_insn *in, struct vm_frame *f) {
  const struct ptx_insn *ptx = in->ptx;
  const struct ptx_func *callee = f->code->func, *caller = x->frame->code->func;
  if (ptx->call_arg_count != callee->arg_count || ptx->call_ret_count > callee->ret_count) {
    vm_fault_now(x, in, VM_FAULT_TRAP, x->mask, "a call of %.*s with %u arguments, it takes %u",
                 STR_A(callee->demangled), ptx->call_arg_count, callee->arg_count);
    return false;
  }
  for (u32 i = 0; i < ptx->call_arg_count; i++) {
    const struct ptx_operand *a = &ptx->call_args[i];
    const struct ptx_param *to = &callee->params[callee->ret_count + i];
    if (a->kind != OPD_PARAM) {
      vm_fault_now(x, in, VM_FAULT_UNSUPPORTED, x->mask,
                   "call: an argument that is not a .param variable");
      return false;
    }
    const struct ptx_param *from = &caller->params[a->index];
    u32 n = from->size_bytes < to->size_bytes ? from->size_bytes : to->size_bytes;
    copy_param(x, x->frame, from->offset_bytes, f, to->offset_bytes, n);
  }
  return true;
}

static void enter(struct vm_exec *x, const struct vm_insn *in, struct vm_code *callee) {
  struct vm_machine *m = x->m;
  if (x->frame->depth > 1000) {
    vm_fault_now(x, in, VM_FAULT_TRAP, x->mask,
                 "the call stack is too deep (more than 1,000 calls): endless recursion?");
    return;
  }
  struct vm_frame *f = vm_frame_enter(m, x->warp, x->frame, in, callee, x->mask);
  if (!f && m->over_memory) return;
  if (!f) {
    vm_fault_now(x, in, VM_FAULT_TRAP, x->mask, "local memory is used up: endless recursion?");
    return;
  }
  if (!copy_args(x, in, f)) return;
  vm_leave_unguarded(x, in);
  struct vm_group *g = x->group;
  g->frame = f;
  g->next = f->code->insns;
  g->mask = x->mask;
  vm_exec_load(x, g);
}

static void vm_op_call(struct vm_exec *x, const struct vm_insn *in) {
  const struct call *c = in->more;
  if (c->builtin && x->m->buffer) vm_buffer_settle(x, x->mask);
  if (c->builtin)
    c->builtin(x, in);
  else
    enter(x, in, c->callee);
}

/* Through a register: lanes with different callees part. */
static void vm_op_call_indirect(struct vm_exec *x, const struct vm_insn *in) {
  const u64 *address = vm_u64(x, in->src[0]);
  u8 *slot = vm_data(x, in->src[0]);
  u32 undefined = ~vm_head(slot)->valid & x->mask, first = (u32)__builtin_ctz(x->mask), same = 0;
  if (undefined && x->undefined) vm_uninit(x, in, slot, undefined, "function pointer");
  u64 a = address[first], i = (a - VM_CODE_BASE) / 16;
  if (a < VM_CODE_BASE || a % 16 || i >= x->m->module->func_count ||
      !x->m->module->funcs[i].code_count) {
    vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(first), "a call through 0x%llx, which is no function",
                 (unsigned long long)a);
    return;
  }
  VM_EACH(l, x->mask) same |= (u32)(address[l] == a) << l;
  if (same != x->mask) vm_exec_mask(x, same); /* the others come back to this call on their own */
  u32 rest = x->group_mask & ~same;
  if (rest) {
    struct vm_group *n = vm_group_split(x->warp, x->group, rest);
    n->next = in;
    x->group_mask = x->group->mask;
  }
  enter(x, in, &x->m->codes[i]);
}

static const struct ptx_func *defined(const struct ptx_module *m, const struct ptx_func *f) {
  if (f->code_count) return f;
  for (u32 i = 0; i < m->func_count; i++)
    if (m->funcs[i].code_count && str_eq(m->funcs[i].name, f->name)) return &m->funcs[i];
  return NULL;
}

bool vm_pick_call(struct vm_pick *p) {
  const struct ptx_operand *o = &p->in->operands[0];
  if (p->in->operand_count < 1) return vm_no(p, "no callee");
  struct call *c = NEW(&p->m->arena, struct call);
  p->out->more = c;
  c->ptx = p->in;
  if (o->kind == OPD_REG) return vm_src(p, 0, 0, T_U64) && vm_use(p, vm_op_call_indirect);
  if (o->kind != OPD_FUNC) return vm_no(p, "the callee is no function");
  const struct ptx_func *f = &p->m->module->funcs[o->index], *d = defined(p->m->module, f);
  c->name = f->name;
  if (d) {
    c->callee = &p->m->codes[d - p->m->module->funcs];
    return vm_use(p, vm_op_call);
  }
  c->builtin = vm_builtin(f->name);
  if (c->builtin) return vm_use(p, vm_op_call);
  const struct vm_reach *beyond = vm_reach_function(f->name);
  if (beyond) {
    p->out->more = (void *)(uintptr_t)beyond;
    return vm_use(p, vm_op_beyond);
  }
  snprintf(p->why, sizeof p->why,
           "call of %.*s, which this module does not define and the machine does not provide",
           STR_A(f->name));
  return false;
}

static void leave(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_frame *f = x->frame, *up = f->parent;
  if (!up) {
    vm_exit_lanes(x, x->mask, in);
    return;
  }
  const struct vm_insn *call = f->call;
  const struct ptx_func *callee = f->code->func;
  for (u32 i = 0; i < call->ptx->call_ret_count; i++) {
    const struct ptx_operand *r = &call->ptx->call_rets[i];
    if (r->kind != OPD_PARAM) continue;
    const struct ptx_param *to = &up->code->func->params[r->index], *from = &callee->params[i];
    copy_param(x, f, from->offset_bytes, up, to->offset_bytes,
               from->size_bytes < to->size_bytes ? from->size_bytes : to->size_bytes);
  }
  vm_leave_unguarded(x, in);
  u32 mask = x->mask;
  struct vm_group *g = x->group;
  g->frame = up;
  g->next = call + 1;
  g->mask = mask;
  vm_frame_leave(x->m, x->warp, f, mask);
  vm_exec_load(x, g);
  vm_meet(x, call + 1);
}

static void vm_op_ret(struct vm_exec *x, const struct vm_insn *in) { leave(x, in); }
void vm_op_end(struct vm_exec *x, const struct vm_insn *in) { leave(x, in); }
static void vm_op_exit(struct vm_exec *x, const struct vm_insn *in) {
  vm_exit_lanes(x, x->mask, in);
}
bool vm_pick_ret(struct vm_pick *p) { return vm_use(p, vm_op_ret); }
bool vm_pick_exit(struct vm_pick *p) { return vm_use(p, vm_op_exit); }

static void vm_op_trap(struct vm_exec *x, const struct vm_insn *in) {
  vm_fault_now(x, in, VM_FAULT_TRAP, x->mask, "the kernel executed a trap");
}
static void vm_op_brkpt(struct vm_exec *x, const struct vm_insn *in) {
  vm_fault_now(x, in, VM_FAULT_TRAP, x->mask, "the kernel executed a breakpoint");
}
static void vm_op_nothing(struct vm_exec *x, const struct vm_insn *in) { (void)x, (void)in; }
static void vm_op_nanosleep(struct vm_exec *x, const struct vm_insn *in) {
  (void)in;
  x->m->steps += 20; /* virtual time passes */
  x->m->slept += 20;
  if (x->mask == x->group_mask) x->stop = VM_STOP_YIELD;
}
bool vm_pick_trap(struct vm_pick *p) { return vm_use(p, vm_op_trap); }
bool vm_pick_brkpt(struct vm_pick *p) { return vm_use(p, vm_op_brkpt); }
bool vm_pick_nanosleep(struct vm_pick *p) { return vm_use(p, vm_op_nanosleep); }
bool vm_pick_pmevent(struct vm_pick *p) { return vm_use(p, vm_op_nothing); }
bool vm_pick_prefetch(struct vm_pick *p) { return vm_use(p, vm_op_nothing); }
bool vm_pick_prefetchu(struct vm_pick *p) { return vm_use(p, vm_op_nothing); }

VM_LONE_TABLE(flow, {vm_op_bra, VM_LONE_bra}, {vm_op_bra_if, VM_LONE_bra_if},
              {vm_op_meet, VM_LONE_meet})
