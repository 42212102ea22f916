/* stack.c - alloca, stacksave, stackrestore: memory on a function's stack whose size is known only
 * at run time. Frames are frame.c's; local memory is interleaved by lane, so lanes of one frame
 * share offsets but no bytes. */
#include "vm/machine.h"

/* Frames that stand already keep their place. New memory lies above all of them, and callees that
 * are entered later start above it: see vm_frame_enter. */
static u32 top_of(const struct vm_frame *f) {
  u32 top = f->local_top;
  for (const struct vm_frame *c = f->child; c; c = c->sibling) {
    u32 t = top_of(c);
    if (t > top) top = t;
  }
  return top;
}
static void raise(struct vm_frame *f, u32 top) {
  f->local_top = top;
  for (struct vm_frame *c = f->child; c; c = c->sibling) raise(c, top);
}
static void undefine(struct vm_warp *w, u32 from, u32 to, u32 lanes) {
  for (u32 r = from / 4; r < (to + 3) / 4; r++)
    for (u32 b = 0; b < 4; b++) w->local_valid[r][b] &= ~lanes;
}

/* in->size: bytes of an address, in->imm: alignment. Lanes may ask for different sizes: all get the
 * largest. */
static void vm_op_alloca(struct vm_exec *x, const struct vm_insn *in) {
  u8 *size_slot = vm_data(x, in->src[0]), *d = vm_data(x, in->dst);
  u32 undefined = ~vm_head(size_slot)->valid & x->mask;
  if (undefined && x->undefined) vm_uninit(x, in, size_slot, undefined, "size of alloca");
  u64 most = 0, align = (u64)in->imm;
  VM_EACH(l, x->mask) {
    u64 n = in->size == 8 ? vm_u64(x, in->src[0])[l] : vm_u32(x, in->src[0])[l];
    if (n > most) most = n;
  }
  u64 base = (top_of(x->frame) + align - 1) & ~(align - 1);
  u32 top = most > VM_LOCAL_MAX ? VM_LOCAL_MAX + 1 : ((u32)(base + most) + 15) & ~15u;
  if (!vm_local_grow(x->warp, top)) {
    vm_fault_now(x, in, VM_FAULT_LIMIT, x->mask,
                 "a thread may use %u bytes of local memory, alloca asks for %llu more",
                 VM_LOCAL_MAX, (unsigned long long)most);
    return;
  }
  raise(x->frame, top);
  if (!x->m->config.no_undefined) undefine(x->warp, (u32)base, top, x->mask);
  VM_EACH(l, x->mask) memcpy(d + l * in->size, &base, in->size);
  vm_head(d)->valid |= x->mask;
}

static void vm_op_stacksave(struct vm_exec *x, const struct vm_insn *in) {
  u8 *d = vm_data(x, in->dst);
  u64 top = x->frame->local_top;
  VM_EACH(l, x->mask) memcpy(d + l * in->size, &top, in->size);
  vm_head(d)->valid |= x->mask;
}
/* Memory is given back where all lanes of the frame are here and agree; else at the return. */
static void vm_op_stackrestore(struct vm_exec *x, const struct vm_insn *in) {
  u64 first = 0;
  bool same = x->mask == x->frame->lanes && !x->frame->child;
  u32 leader = (u32)__builtin_ctz(x->mask);
  VM_EACH(l, x->mask) {
    u64 v = in->size == 8 ? vm_u64(x, in->src[0])[l] : vm_u32(x, in->src[0])[l];
    if (l == leader) first = v;
    same = same && v == first;
  }
  u32 least = x->frame->local_base + x->frame->code->local_bytes;
  if (same && first >= least && first <= x->frame->local_top) x->frame->local_top = (u32)first;
}

static bool is_address(struct vm_pick *p, enum ptx_type t) {
  p->out->size = (u8)ptx_type_bytes(t);
  return t == T_U64 || t == T_U32 || vm_no(p, ".u64 or .u32 is needed");
}
bool vm_pick_alloca(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  u32 n = p->in->operand_count;
  if (!is_address(p, t)) return false;
  if (n != 2 && n != 3) return vm_no(p, "two or three operands are needed");
  i64 align = n == 3 ? p->in->operands[2].imm : 16;
  if ((n == 3 && p->in->operands[2].kind != OPD_IMM) || align < 1 || align > 128 ||
      (align & (align - 1)))
    return vm_no(p, "the alignment must be a power of two up to 128");
  p->out->imm = align < 16 ? 16 : align;
  return vm_dst(p, 0, t) && vm_src(p, 0, 1, t) && vm_use(p, vm_op_alloca);
}
bool vm_pick_stacksave(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  return is_address(p, t) && vm_dst(p, 0, t) && vm_use(p, vm_op_stacksave);
}
bool vm_pick_stackrestore(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  return is_address(p, t) && vm_src(p, 0, 0, t) && vm_use(p, vm_op_stackrestore);
}
