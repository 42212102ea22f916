/* frame.c - call frames: a tree for each warp, one node for each distinct call stack that a lane of
 * it has.
 *
 * Two lanes have equal call stacks exactly when they point at the same frame, so identity of
 * barriers and collectives is a pointer comparison within a warp and `stack_id` across warps. */
#include "vm/machine.h"
#include <stdlib.h>

static u64 mix(u64 h, u64 v) {
  h ^= v + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2);
  h *= 0xbf58476d1ce4e5b9ull;
  return h ^ h >> 31;
}

static u8 *slots_get(struct vm_machine *m, struct vm_frame **f, u32 bytes) {
  u32 class = 6;
  while ((1u << class) < bytes && class < 31) class ++;
  if (m->free_frames[class]) {
    *f = m->free_frames[class];
    m->free_frames[class] = (*f)->sibling;
    u8 *p = (*f)->slots;
    memset(*f, 0, sizeof **f);
    (*f)->bytes = class;
    return p;
  }
  if (!held_fits(1ull << class)) {
    vm_over_memory(m);
    return NULL;
  }
  *f = NEW(&m->arena, struct vm_frame);
  (*f)->bytes = class;
  return arena_alloc(&m->arena, 1ull << class);
}

static void undefine_local(struct vm_warp *w, u32 from, u32 to, u32 lanes) {
  for (u32 r = from / 4; r < (to + 3) / 4; r++)
    for (int b = 0; b < 4; b++) w->local_valid[r][b] &= ~lanes;
}

struct vm_frame *vm_frame_enter(struct vm_machine *m, struct vm_warp *w, struct vm_frame *parent,
                                const struct vm_insn *call, struct vm_code *code, u32 lanes) {
  struct vm_frame *f = NULL;
  if (parent)
    for (f = parent->child; f; f = f->sibling)
      if (f->call == call && f->code == code) break;
  if (!f) {
    if (!code->insns) vm_decode(m, code);
    u8 *slots = slots_get(m, &f, code->frame_bytes);
    if (!slots) return NULL;
    f->slots = slots;
    memset(slots, 0, code->frame_bytes); /* registers start undefined: validity 0 */
    f->parent = parent;
    f->code = code;
    f->call = call;
    f->depth = parent ? parent->depth + 1 : 0;
    f->stack_id =
        mix(parent ? parent->stack_id : 0x5eed, call ? call->pos_id + 1ull : code->first_pos);
    f->local_base = parent ? parent->local_top : VM_LOCAL_START;
    f->local_base = (f->local_base + 15) & ~15u;
    f->local_top = f->local_base + code->local_bytes;
    if (code->local_ref) {
      u64 *base = (u64 *)(void *)(slots + code->local_ref);
      for (u32 i = 0; i < VM_LANES; i++) base[i] = f->local_base;
      vm_head((u8 *)base)->valid = VM_FULL;
    }
    if (parent) {
      f->sibling = parent->child;
      parent->child = f;
    }
  } else {
    for (u32 r = 0; r < code->func->reg_count;
         r++) /* lanes that come later find undefined registers too */
      vm_head(f->slots + code->reg_ref[r])->valid &= ~lanes;
    for (u32 b = 0; b < code->param_bytes; b++) *vm_param_valid(f, b) &= ~lanes;
  }
  f->lanes |= lanes;
  if (code->local_bytes) {
    if (!vm_local_grow(w, f->local_top)) return NULL;
    if (!m->config.no_undefined) undefine_local(w, f->local_base, f->local_top, lanes);
  }
  return f;
}

void vm_frame_leave(struct vm_machine *m, struct vm_warp *w, struct vm_frame *f, u32 lanes) {
  f->lanes &= ~lanes;
  if (f->lanes) return;
  if (f->child) BUG("frame freed with a live callee");
  struct vm_frame *p = f->parent;
  if (p) {
    struct vm_frame **at = &p->child;
    while (*at != f) at = &(*at)->sibling;
    *at = f->sibling;
  } else {
    w->root = NULL;
  }
  f->sibling = m->free_frames[f->bytes];
  m->free_frames[f->bytes] = f;
}

u64 vm_stack_id(const struct vm_frame *f) { return f->stack_id; }
u32 vm_stack_depth(const struct vm_frame *f) { return f->depth; }
struct vm_code_pos vm_stack_call(const struct vm_frame *f, u32 level) {
  for (; level && f->parent; level--) f = f->parent;
  if (!f->call) return (struct vm_code_pos){0};
  return (struct vm_code_pos){f->parent->code->func, f->call->ptx};
}
