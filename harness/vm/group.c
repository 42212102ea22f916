/* group.c - lanes that stand together: split, merge, diverge, meet again. Decides nothing about who
 * runs; see sched.c.
 *
 * A meeting point (struct vm_reconv) is where diverged lanes may join: the immediate post-dominator
 * of the branch. A group that reaches it first is parked: still runnable, only less preferred, so
 * reconvergence never blocks. */
#include "vm/machine.h"
#include <stdlib.h>

static bool runnable(enum vm_state s) { return s == VM_READY || s == VM_PARKED; }

void vm_group_state(struct vm_warp *w, struct vm_group *g, enum vm_state s) {
  u32 bit = vm_bit((u32)(g - w->groups));
  w->ready += (u32)runnable(s) - (u32)runnable(g->state);
  w->used = s == VM_FREE ? w->used & ~bit : w->used | bit;
  g->state = s;
}

static void node_ref(struct vm_warp *w, i32 n, int by) {
  while (n >= 0) {
    struct vm_reconv *r = &w->reconv[n];
    r->refs = (u32)((int)r->refs + by);
    if (by > 0 || r->refs) return;
    i32 parent = r->parent; /* the last reference is gone: free, and let go of the parent */
    r->parent = w->reconv_free;
    w->reconv_free = n;
    n = parent;
  }
}

static i32 node_new(struct vm_warp *w, struct vm_frame *f, const struct vm_insn *at, u32 lanes,
                    i32 parent) {
  i32 n = w->reconv_free;
  if (n >= 0) {
    w->reconv_free = w->reconv[n].parent;
  } else {
    w->reconv = held_grow(w->reconv, &w->reconv_cap, w->reconv_count + 1u, sizeof *w->reconv);
    n = (i32)w->reconv_count++;
  }
  w->reconv[n] =
      (struct vm_reconv){.frame = f, .at = at, .lanes = lanes, .parent = parent, .refs = 0};
  node_ref(w, parent, 1);
  return n;
}

static void set_top(struct vm_warp *w, struct vm_group *g, i32 top) {
  node_ref(w, top, 1);
  node_ref(w, g->top, -1);
  g->top = top;
}

struct vm_group *vm_group_new(struct vm_warp *w, u32 mask, struct vm_frame *f,
                              const struct vm_insn *next) {
  if (w->used == VM_FULL) BUG("a warp cannot have more than 32 groups");
  struct vm_group *g = &w->groups[__builtin_ctz(~w->used)];
  memset(g, 0, sizeof *g);
  g->mask = mask;
  g->frame = f;
  g->next = next;
  g->top = -1;
  g->stuck_at = ~0ull;
  vm_group_state(w, g, VM_READY);
  return g;
}

void vm_group_free(struct vm_warp *w, struct vm_group *g) {
  set_top(w, g, -1);
  vm_group_state(w, g, VM_FREE);
}

/* The nodes between `from` and `to` (an ancestor or -1) no longer expect these lanes. */
static void give_up(struct vm_warp *w, i32 from, i32 to, u32 lanes) {
  for (; from >= 0 && from != to; from = w->reconv[from].parent) w->reconv[from].lanes &= ~lanes;
}

static i32 common(struct vm_warp *w, i32 a, i32 b) {
  for (i32 p = a; p >= 0; p = w->reconv[p].parent)
    for (i32 q = b; q >= 0; q = w->reconv[q].parent)
      if (p == q) return p;
  return -1;
}

void vm_group_merge(struct vm_warp *w, struct vm_group *into, struct vm_group *from) {
  i32 c = common(w, into->top, from->top);
  give_up(w, into->top, c, into->mask);
  give_up(w, from->top, c, from->mask);
  if (into->top != c) set_top(w, into, c);
  into->mask |= from->mask;
  into->yielded &= from->yielded;
  into->stuck_at = ~0ull;
  vm_group_free(w, from);
}

struct vm_group *vm_group_split(struct vm_warp *w, struct vm_group *g, u32 part) {
  struct vm_group *n = vm_group_new(w, part, g->frame, g->next);
  set_top(w, n, g->top);
  n->member_mask = g->member_mask;
  n->barrier = g->barrier;
  n->expected = g->expected;
  n->yielded = g->yielded;
  n->switched = g->switched;
  vm_group_state(w, n, g->state);
  g->mask &= ~part;
  g->stuck_at = ~0ull;
  return n;
}

void vm_exec_mask(struct vm_exec *x, u32 mask) {
  x->mask = mask;
  for (u32 i = 0; i < VM_LANES; i++) x->lane_mask[i] = -(mask >> i & 1);
}

void vm_exec_load(struct vm_exec *x, struct vm_group *g) {
  struct vm_frame *f = g->frame;
  x->group = g;
  x->frame = f;
  x->base[0] = f->slots;
  x->base[1] = f->code->pool;
  x->code = f->code->insns;
  x->carry = &f->carry;
  x->next = g->next;
  x->group_mask = g->mask;
  if (x->mask != g->mask) vm_exec_mask(x, g->mask);
}

static bool place_of(struct vm_exec *x, const struct vm_insn *in, struct vm_frame **f,
                     const struct vm_insn **at) {
  if (in->reconverge == PTX_AT_RETURN) {
    if (!x->frame->call) return false; /* the kernel's end: nothing to meet for */
    *f = x->frame->parent;
    *at = x->frame->call + 1;
    return true;
  }
  *f = x->frame;
  *at = x->code + in->reconverge;
  return true;
}

void vm_diverge(struct vm_exec *x, u32 go, const struct vm_insn *go_at,
                const struct vm_insn *stay_at, const struct vm_insn *in) {
  struct vm_warp *w = x->warp;
  struct vm_group *g = x->group;
  struct vm_frame *f;
  const struct vm_insn *at;
  if (place_of(x, in, &f, &at)) {
    struct vm_reconv *t = g->top >= 0 ? &w->reconv[g->top] : NULL;
    if (!t || t->frame != f || t->at != at) set_top(w, g, node_new(w, f, at, g->mask, g->top));
  }
  x->m->counters.divergent_branches++;
  struct vm_group *n = vm_group_split(w, g, go);
  n->next = go_at;
  n->via = g->via = in;
  n->loaded = g->loaded;
  n->changed = g->changed;
  n->published = g->published;
  n->leaves = g->leaves;
  n->impatience = g->impatience;
  x->next = g->next = stay_at;
  x->group_mask = g->mask;
  vm_exec_mask(x, g->mask);
}

static bool complete(const struct vm_warp *w, const struct vm_group *g, const struct vm_reconv *r) {
  return !(r->lanes & w->who.live & ~g->mask);
}

static void pass(struct vm_warp *w, struct vm_group *g) { /* leaves its meeting point behind */
  i32 parent = w->reconv[g->top].parent;
  set_top(w, g, parent);
}

/* Does the group stand at its next meeting point? Parks it or passes on; true = it may not go on
 * now. */
static bool arrive(struct vm_warp *w, struct vm_group **pg, const struct vm_insn *at) {
  struct vm_group *g = *pg;
  while (g->top >= 0 && w->reconv[g->top].frame == g->frame && w->reconv[g->top].at == at) {
    struct vm_reconv *r = &w->reconv[g->top];
    struct vm_group *other = NULL;
    VM_EACH(i, w->used) {
      struct vm_group *o = &w->groups[i];
      if (!other && o != g && o->state == VM_PARKED && o->top == g->top) other = o;
    }
    if (other) {
      g->mask |= other->mask;
      vm_group_free(w, other);
    }
    if (!complete(w, g, r)) return true;
    pass(w, g);
  }
  return false;
}

bool vm_meet(struct vm_exec *x, const struct vm_insn *at) {
  struct vm_group *g = x->group;
  u32 before = g->mask;
  bool wait = arrive(x->warp, &g, at);
  if (wait) {
    g->next = at; /* looked at again when it is resumed */
    vm_group_state(x->warp, g, VM_PARKED);
    x->stop = VM_STOP_BLOCKED;
    return true;
  }
  if (g->mask != before) {
    x->group_mask = g->mask;
    vm_exec_mask(x, g->mask);
  }
  return false;
}

void vm_unpark(struct vm_warp *w, struct vm_group *g) {
  if (g->state != VM_PARKED) return;
  w->reconv[g->top].lanes &= ~g->mask;
  pass(w, g);
  vm_group_state(w, g, VM_READY);
}

/* Lanes that exited no longer count: a meeting point that waited for them only may open now. */
void vm_reconv_exit(struct vm_warp *w, u32 lanes) {
  (void)lanes; /* `live` has lost them already */
  VM_EACH(i, w->used) {
    struct vm_group *g = &w->groups[i];
    if (g->state != VM_PARKED || !complete(w, g, &w->reconv[g->top])) continue;
    pass(w, g);
    vm_group_state(w, g, VM_READY);
  }
}

/* Guarded control flow: the lanes outside x->mask go on behind `in` on their own. */
void vm_leave_unguarded(struct vm_exec *x, const struct vm_insn *in) {
  u32 rest = x->group_mask & ~x->mask;
  if (!rest) return;
  struct vm_group *n = vm_group_split(x->warp, x->group, rest);
  n->next = in + 1;
  x->group_mask = x->group->mask;
}
