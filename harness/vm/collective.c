/* collective.c - warp-level rendezvous: who waits, who has come, who may go. What is computed then
 * is in ops_warp.c and, for matrices, in matrix.h's files.
 *
 * Collectives wait for the named lanes at the same (call stack, pc) with the same mask;
 * bar.warp.sync matches on the mask alone. Completeness is looked at again at every arrival and
 * every exit. Orders no memory, except bar.warp.sync. */
#include "vm/collective.h"
#include "vm/lanes.h"
#include "vm/matrix.h"

static void mask_fault(struct vm_exec *x, const struct vm_insn *in, u32 lanes, u32 member) {
  vm_fault_now(x, in, VM_FAULT_TRAP, lanes,
               "the calling thread is not in the mask that it names (0x%08x)", member);
}

/* Lanes named that had exited: not waited for by the hardware, but not portable. true = the launch
 * ends. */
static bool exited_missing(struct vm_exec *x, struct vm_warp *w, u32 member, struct vm_group *g) {
  struct vm_machine *m = x->m;
  u32 gone = member & w->who.exited;
  if (!gone) return false;
  enum vm_fault_kind kind = m->config.lenient_exit ? VM_FAULT_EXITED : VM_FAULT_DEADLOCK;
  struct vm_wait waits[VM_LANES + 1];
  u32 n = 0;
  waits[n++] = (struct vm_wait){.who = w->who,
                                .mask = g->mask,
                                .kind = VM_WAIT_COLLECTIVE,
                                .frame = g->frame,
                                .member_mask = member,
                                .pos = {g->frame->code->func, (g->next - 1)->ptx}};
  for (u32 rest = gone; rest;) { /* a row for each place of exit */
    u32 first = (u32)__builtin_ctz(rest), same = 0;
    VM_EACH(l, rest) same |= (u32)(w->exit_pos[l] == w->exit_pos[first]) << l;
    waits[n++] = (struct vm_wait){.who = w->who,
                                  .mask = same,
                                  .kind = VM_WAIT_EXITED,
                                  .pos = vm_pos_of(m, w->exit_pos[first])};
    rest &= ~same;
  }
  struct vm_fault f = {.kind = kind,
                       .who = w->who,
                       .mask = g->mask,
                       .frame = g->frame,
                       .pos = waits[0].pos,
                       .waits = waits,
                       .wait_count = n};
  snprintf(f.text, sizeof f.text, "lanes 0x%08x are named in the mask but had already exited",
           gone);
  vm_emit_fault(m, &f);
  if (kind == VM_FAULT_DEADLOCK) x->stop = VM_STOP_FAULT;
  return kind == VM_FAULT_DEADLOCK;
}

static void emit(struct vm_exec *x, struct vm_warp *w, enum vm_sync_kind kind, struct vm_group *g,
                 u32 lanes, u32 member) {
  const struct vm_insn *in = g->next - 1;
  u32 gone = member & w->who.exited;
  struct vm_sync s = {.kind = kind,
                      .who = &w->who,
                      .mask = lanes,
                      .frame = g->frame,
                      .pos = {g->frame->code->func, in->ptx},
                      .pos_id = in->pos_id,
                      .exited = &gone,
                      .step = x->m->steps};
  vm_emit_sync(x->m, &s);
}

static void resplit(struct vm_machine *m, struct vm_warp *w, struct vm_group *g) {
  if (!m->split) return;
  u32 rest = g->mask & (g->mask - 1);
  VM_EACH(l, rest) vm_group_split(w, g, vm_bit(l));
}

/* ---- waiting ones ---- */
static bool try_collective(struct vm_exec *x, struct vm_warp *w, struct vm_group *g) {
  u32 lanes = 0, need = g->member_mask & w->who.live;
  VM_EACH(i, w->used) {
    struct vm_group *o = &w->groups[i];
    if (o->state == VM_IN_COLLECTIVE && o->frame == g->frame && o->next == g->next &&
        o->member_mask == g->member_mask)
      lanes |= o->mask;
  }
  if (lanes != need) return false;
  VM_EACH(i, w->used) {
    struct vm_group *o = &w->groups[i];
    if (o != g && o->state == VM_IN_COLLECTIVE && o->frame == g->frame && o->next == g->next &&
        o->member_mask == g->member_mask)
      vm_group_merge(w, g, o);
  }
  if (exited_missing(x, w, g->member_mask, g)) return true;
  emit(x, w, VM_SYNC_RENDEZVOUS, g, g->mask, g->member_mask);
  const struct vm_insn *in = g->next - 1, *keep = x->next;
  struct vm_group *was = x->group;
  vm_exec_load(x, g);
  vm_exec_mask(x, g->mask);
  ((const struct collective *)in->more)->act(x, in);
  x->next = keep;
  x->group = was;
  vm_group_state(w, g, VM_READY);
  x->m->progress++;
  resplit(x->m, w, g);
  return true;
}

static bool try_warpsync(struct vm_exec *x, struct vm_warp *w, struct vm_group *g) {
  u32 lanes = 0, member = g->member_mask;
  VM_EACH(i, w->used)
  if (w->groups[i].state == VM_IN_WARPSYNC && w->groups[i].member_mask == member)
    lanes |= w->groups[i].mask;
  if (lanes != (member & w->who.live)) return false;
  if (exited_missing(x, w, member, g)) return true;
  emit(x, w, VM_SYNC_WARP, g, lanes, member);
  VM_EACH(i, w->used) {
    struct vm_group *o = &w->groups[i];
    if (o->state != VM_IN_WARPSYNC || o->member_mask != member) continue;
    for (u32 k = i + 1; k < VM_LANES; k++) {
      struct vm_group *p = &w->groups[k];
      if (p->state == VM_IN_WARPSYNC && p->member_mask == member && p->frame == o->frame &&
          p->next == o->next)
        vm_group_merge(w, o, p);
    }
    vm_group_state(w, o, VM_READY);
    vm_history_wake(x->m, w, o->mask, VM_NEAR);
    resplit(x->m, w, o);
  }
  x->m->progress++;
  return true;
}

/* The first of the groups that wait for each other with g: it is the one that goes on. */
static u32 first_of(const struct vm_warp *w, const struct vm_group *g) {
  VM_EACH(i, w->used) {
    const struct vm_group *o = &w->groups[i];
    if (o->state != g->state || o->member_mask != g->member_mask) continue;
    if (o->state == VM_IN_WARPSYNC || (o->frame == g->frame && o->next == g->next)) return i;
  }
  return (u32)(g - w->groups);
}

/* Of the groups in `among`: a bit for each. */
static void recheck(struct vm_machine *m, struct vm_warp *w, u32 among) {
  struct vm_exec *x = &m->x;
  VM_EACH(i, w->used & among) {
    struct vm_group *g = &w->groups[i];
    if (x->stop == VM_STOP_FAULT) return;
    if (g->state == VM_IN_COLLECTIVE)
      try_collective(x, w, g);
    else if (g->state == VM_IN_WARPSYNC)
      try_warpsync(x, w, g);
  }
}

void vm_collective_recheck(struct vm_machine *m, struct vm_warp *w) { recheck(m, w, ~0u); }

/* Lanes of the running group wait with the mask that each names; groups part by mask. */
static void wait_by_mask(struct vm_exec *x, const struct vm_insn *in, const u32 *member,
                         enum vm_state state) {
  struct vm_warp *w = x->warp;
  struct vm_group *g = x->group;
  u32 rest = x->mask, parts = 0;
  vm_leave_unguarded(x, in);
  g->next = in + 1;
  while (rest) {
    u32 first = (u32)__builtin_ctz(rest), same = 0;
    VM_EACH(l, rest) same |= (u32)(member[l] == member[first]) << l;
    rest &= ~same;
    struct vm_group *part = rest ? vm_group_split(w, g, same) : g;
    part->member_mask = member[first];
    part->next = in + 1;
    vm_group_state(w, part, state);
    parts |= vm_bit((u32)(part - w->groups));
  }
  x->stop = VM_STOP_BLOCKED;
  /* What they complete, they are part of; whoever else waits has been looked at before. */
  u32 among = 0;
  VM_EACH(i, parts) among |= vm_bit(first_of(w, &w->groups[i]));
  recheck(x->m, w, among);
}

static bool check_members(struct vm_exec *x, const struct vm_insn *in, i32 ref, u32 *member) {
  u8 *slot = vm_data(x, ref);
  u32 undefined = ~vm_head(slot)->valid & x->mask;
  if (undefined && x->undefined) vm_uninit(x, in, slot, undefined, "lane mask");
  memcpy(member, slot, VM_LANES * 4);
  u32 outside = 0;
  VM_EACH(l, x->mask) {
    outside |= (u32)(!(member[l] >> l & 1)) << l;
    member[l] &= x->warp->full; /* lanes that never existed are nobody */
  }
  if (outside) mask_fault(x, in, outside, vm_u32(x, ref)[__builtin_ctz(outside)]);
  return !outside;
}

static bool all_here(const struct vm_exec *x, const u32 *member) {
  u32 first = (u32)__builtin_ctz(x->mask), m = member[first], differs = 0;
  VM_EACH(l, x->mask) differs |= member[l] ^ m;
  return !differs && x->mask == m && x->mask == x->group_mask;
}

void vm_op_collective(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  const struct collective *c = in->more;
  u32 member[VM_LANES];
  if (!check_members(x, in, c->member, member)) return;
  if (!all_here(x, member)) {
    wait_by_mask(x, in, member, VM_IN_COLLECTIVE);
    return;
  }
  x->group->next = in + 1;
  emit(x, x->warp, VM_SYNC_RENDEZVOUS, x->group, x->mask, x->mask);
  c->act(x, in);
}

static void vm_op_warpsync(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  x->m->counters.warp_syncs++;
  u32 member[VM_LANES];
  if (!check_members(x, in, in->src[0], member)) return;
  if (!all_here(x, member)) {
    wait_by_mask(x, in, member, VM_IN_WARPSYNC);
    return;
  }
  x->group->next = in + 1;
  emit(x, x->warp, VM_SYNC_WARP, x->group, x->mask, x->mask);
}
bool vm_pick_bar_warp(struct vm_pick *p) {
  return vm_src(p, 0, 0, T_B32) && vm_use(p, vm_op_warpsync);
}

/* Operations on the whole warp (matrices, see matrix.h): all 32 lanes are the mask. */
bool vm_pick_warp_wide(struct vm_pick *p, vm_fn *act, void *more) {
  struct collective *c = NEW(&p->m->arena, struct collective);
  c->act = act;
  c->pred_dst = -1;
  c->own = more;
  c->member = vm_const_u64(p, VM_FULL, 4);
  p->out->more = c;
  return vm_use(p, vm_op_collective);
}
void *vm_warp_wide(struct vm_exec *x, const struct vm_insn *in) {
  if (x->mask == VM_FULL) return ((const struct collective *)in->more)->own;
  vm_fault_now(x, in, VM_FAULT_TRAP, x->mask,
               "only %d threads execute what all 32 threads of a warp must execute together",
               __builtin_popcount(x->mask));
  return NULL;
}
