/* stuck.c - the wait-for report: who stands where, waiting for what. Read-only. */
#include "vm/machine.h"

bool vm_same_calls(const struct vm_wait *a, const struct vm_wait *b) {
  if (a->call_count != b->call_count) return false;
  for (u32 i = 0; i < a->call_count; i++)
    if (a->calls[i].insn != b->calls[i].insn) return false;
  return true;
}

/* Where the read stands, which may be in a function that has returned since. */
static void spin_place(struct vm_machine *m, const struct vm_group *g, struct vm_wait *out) {
  struct vm_code_pos *calls = NEWN(&m->launch_arena, struct vm_code_pos, VM_SPIN_CALLS);
  for (u32 i = 0; i < g->spin_call_count; i++) calls[i] = vm_pos_of(m, g->spin_calls[i]->pos_id);
  out->pos = vm_pos_of(m, g->spin_insn->pos_id);
  out->calls = calls;
  out->call_count = g->spin_call_count;
}

static void fill(struct vm_machine *m, const struct vm_warp *w, const struct vm_group *g,
                 struct vm_wait *out) {
  const struct vm_insn *at = g->next > g->frame->code->insns ? g->next - 1 : g->next;
  *out = (struct vm_wait){.who = w->who, .mask = g->mask, .frame = g->frame};
  switch (g->state) {
  case VM_IN_ALIGN:
  case VM_IN_BARRIER: {
    const struct vm_barrier *bar = &w->block->barrier[g->barrier];
    u32 live = 0;
    for (u32 i = 0; i < w->block->warp_count; i++)
      live += (u32)__builtin_popcount(w->block->warps[i].who.live);
    out->kind = VM_WAIT_BARRIER;
    out->barrier = g->barrier;
    out->generation = bar->generation;
    out->arrived = bar->arrived_threads;
    out->expected = g->expected ? g->expected : live;
    break;
  }
  case VM_IN_WARPSYNC:
    out->kind = VM_WAIT_WARP_SYNC;
    out->member_mask = g->member_mask;
    break;
  case VM_IN_COLLECTIVE:
    out->kind = VM_WAIT_COLLECTIVE;
    out->member_mask = g->member_mask;
    break;
  case VM_IN_CLUSTER: out->kind = VM_WAIT_OTHER; break;
  default:
    out->kind = VM_RUNNING;
    at = g->next;
    if (g->stuck_at != m->progress) break;
    out->kind = VM_SPINNING;
    if (g->spin_insn && g->spin_mem) {
      at = g->spin_insn;
      out->object = &g->spin_mem->o;
      out->offset = g->spin_offset;
      out->size_bytes = g->spin_size;
      out->value = g->spin_value;
      if (at->op == OP_mbarrier) vm_mbarrier_wait(m, g->spin_mem, g->spin_offset, out);
    } else if (g->last_edge) {
      at = g->last_edge;
    }
  }
  out->pos = (struct vm_code_pos){g->frame->code->func, at->ptx};
  if (out->kind == VM_SPINNING && at == g->spin_insn) spin_place(m, g, out);
}

static u32 exits(struct vm_machine *m, const struct vm_warp *w, struct vm_wait *out, u32 n,
                 u32 max) {
  for (u32 rest = w->who.exited; rest && n < max;) { /* a row for each place of exit */
    u32 first = (u32)__builtin_ctz(rest), same = 0;
    VM_EACH(l, rest) same |= (u32)(w->exit_pos[l] == w->exit_pos[first]) << l;
    out[n++] = (struct vm_wait){.who = w->who,
                                .mask = same,
                                .kind = VM_WAIT_EXITED,
                                .pos = vm_pos_of(m, w->exit_pos[first])};
    rest &= ~same;
  }
  return n;
}

/* Lanes that stand at the same place for the same reason are one row, though a schedule may run
 * them apart. */
static u32 add_row(struct vm_wait *rows, u32 first, u32 n, const struct vm_wait *w) {
  for (u32 i = first; i < n; i++) {
    struct vm_wait *r = &rows[i];
    if (r->kind != w->kind || r->frame != w->frame || r->pos.insn != w->pos.insn ||
        r->member_mask != w->member_mask || !vm_same_calls(r, w))
      continue;
    if (r->barrier != w->barrier || r->object != w->object || r->offset != w->offset ||
        r->value != w->value)
      continue;
    r->mask |= w->mask;
    return n;
  }
  rows[n] = *w;
  return n + 1;
}

/* The block's (or, with NULL, every resident block's) threads, in order; exited ones last in each
 * warp. */
u32 vm_collect_waits(struct vm_machine *m, struct vm_block *only, struct vm_wait *out, u32 max) {
  u32 n = 0;
  for (u32 i = 0; i < m->warp_total; i++) {
    struct vm_warp *w = m->all_warps[i];
    if (!w->block->live || (only && w->block != only)) continue;
    u32 first = n;
    for (u32 lane = 0; lane < VM_LANES && n < max; lane++)
      for (u32 g = 0; g < VM_LANES && n < max; g++) {
        struct vm_wait row;
        if (w->groups[g].state == VM_FREE || (u32)__builtin_ctz(w->groups[g].mask) != lane)
          continue;
        fill(m, w, &w->groups[g], &row);
        n = add_row(out, first, n, &row);
      }
    n = exits(m, w, out, n, max);
  }
  return n;
}

void vm_fault_waits(struct vm_machine *m, enum vm_fault_kind kind, struct vm_block *only,
                    const char *text) {
  enum { MAX = 512 };
  struct vm_wait *waits = NEWN(&m->launch_arena, struct vm_wait, MAX);
  struct vm_fault f = {.kind = kind,
                       .waits = waits,
                       .blocks_ended = m->finished,
                       .blocks_to_come = m->block_count - m->dispatched * m->cluster_size};
  f.wait_count = vm_collect_waits(m, only, waits, MAX);
  if (f.wait_count) { /* name the first that waits */
    const struct vm_wait *w = &waits[0];
    for (u32 i = 0; i < f.wait_count; i++)
      if (waits[i].kind != VM_WAIT_EXITED) {
        w = &waits[i];
        break;
      }
    f.who = w->who;
    f.mask = w->mask;
    f.frame = w->frame;
    f.pos = w->pos;
  }
  snprintf(f.text, sizeof f.text, "%s", text);
  vm_emit_fault(m, &f);
}
