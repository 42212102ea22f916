/* spin.c - fairness and livelock: who spins must give way, and when everybody spins for ever that
 * is proved.
 *
 * A back-edge is quiet when its turn changed no memory and passed no barrier. After some quiet
 * turns loads are watched; a turn whose loads all repeat their values gives way, and so does a
 * round of turns that does. Whoever gives way twice in the same state (registers, local memory)
 * while no memory changed in between is stuck until memory changes; when all who can run are stuck,
 * nobody ever will change anything: deadlock, proved. */
#include "vm/history.h"

#define WATCH_AFTER 16   /* quiet turns */
#define TURNS_MAX   1000 /* turns after which even a busy loop gives way */
#define PLACES      64   /* so many places where it does, one after the other */
#define TURNS_MIN   30   /* turns of a loop that has given way often */
#define PUBLISHED   8    /* a turn that others may be waiting for counts as so many */
#define NOT_STUCK   (~0ull)

/* Of one lane, the first 8 at most. A switch, since copies of a known size need no call. */
static u64 low_bytes(const u8 *data, u32 lane, u32 stride) {
  u64 v = 0;
  u32 half = 0;
  data += (size_t)lane * stride;
  switch (stride) {
  case 2: memcpy(&v, data, 2); break;
  case 4:
    memcpy(&half, data, 4);
    v = half;
    break;
  default: memcpy(&v, data, 8);
  }
  return v;
}

/* What may turn out to be read for ever: the instruction and the calls that led to it. */
void vm_spin_at(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_group *g = x->group;
  g->spin_insn = in;
  g->spin_call_count = 0;
  for (const struct vm_frame *f = x->frame; f->call && g->spin_call_count < VM_SPIN_CALLS;
       f = f->parent)
    g->spin_calls[g->spin_call_count++] = f->call;
}

void vm_watch_load(struct vm_exec *x, const struct vm_insn *in, struct vm_mem *mem,
                   const u32 *offset, u32 bytes, const u8 *data, u32 stride) {
  struct vm_group *g = x->group;
  u64 h = g->load_hash ? g->load_hash : VM_WATCH_FIRST;
  u32 first = (u32)__builtin_ctz(x->mask);
  VM_EACH(l, x->mask) h = vm_watch_mix(h, low_bytes(data, l, stride) + offset[l]);
  g->load_hash = h;
  g->spin_mem = mem;
  g->spin_offset = offset[first];
  g->spin_size = bytes > 8 ? 8 : bytes;
  g->spin_value = low_bytes(data, first, stride);
  g->spin_lane = first;
  vm_spin_at(x, in);
}

/* Everything that decides what this group does next, except memory that others can write. */
static u64 state_hash(struct vm_exec *x) {
  struct vm_frame *f = x->frame;
  const struct vm_code *c = f->code;
  u64 h = vm_watch_mix((u64)(uintptr_t)(x->next - x->code), x->mask);
  for (u32 r = 0; r < c->func->reg_count; r++) {
    const u8 *d = f->slots + c->reg_ref[r];
    enum ptx_type t = c->func->regs[r].type;
    if (t == T_PRED) {
      h = vm_watch_mix(h, *(const u32 *)(const void *)d & x->mask);
      continue;
    }
    u32 n = ptx_type_bytes(t) < 2 ? 2 : ptx_type_bytes(t);
    VM_EACH(l, x->mask) {
      u64 v = 0;
      memcpy(&v, d + (size_t)l * n, n > 8 ? 8 : n);
      h = vm_watch_mix(h, v);
    }
  }
  for (u32 b = 0; b < c->param_bytes; b += 4)
    VM_EACH(l, x->mask) h = vm_watch_mix(h, vm_param_row(f, b / 4)[l]);
  for (u32 row = VM_LOCAL_START / 4; row < (f->local_top + 3) / 4 && row < x->warp->local_rows;
       row++)
    VM_EACH(l, x->mask) h = vm_watch_mix(h, x->warp->local[(size_t)row * 32 + l]);
  return h;
}

bool vm_all_stuck(struct vm_machine *m) {
  if (!vm_buffer_is_empty(m) || vm_history_hides(m))
    return false; /* what they read may still change */
  for (u32 w = 0; w < m->warp_total; w++) {
    struct vm_warp *warp = m->all_warps[w];
    if (!warp->ready) continue;
    VM_EACH(i, warp->used) {
      struct vm_group *g = &warp->groups[i];
      if (g->state == VM_PARKED) return false;
      if (g->state == VM_READY && g->stuck_at != m->progress) return false;
    }
  }
  return true;
}

static void give_way(struct vm_exec *x) {
  struct vm_machine *m = x->m;
  struct vm_group *g = x->group;
  u64 h = vm_watch_mix(state_hash(x), g->last_hash);
  bool same = h == g->spin_hash && g->spin_progress == m->progress && !g->saw_time;
  g->stuck_at = same ? m->progress : NOT_STUCK;
  g->spin_hash = h;
  g->spin_progress = m->progress;
  g->wait.timed |= g->saw_time;
  g->saw_time = false;
  g->turns = g->leave_in = 0;
  x->stop = VM_STOP_YIELD;
  if (same && vm_all_stuck(m)) {
    g->next = x->next;
    vm_fault_waits(
        m, VM_FAULT_DEADLOCK, NULL,
        "every thread that can still run spins, and nothing that it reads can change any more");
    x->stop = VM_STOP_FAULT;
  }
}

/* A search goes round several places, a load each, so that its turns differ; but the rounds repeat.
 * One turn is remembered, a later one as the turns double, until the same comes again. */
static bool came_round(struct vm_group *g, const struct vm_insn *in) {
  if (!g->load_hash) return false;
  if (g->anchor_edge == in && g->anchor_hash == g->load_hash) return true;
  if (!(g->quiet_turns & (g->quiet_turns - 1))) {
    g->anchor_edge = in;
    g->anchor_hash = g->load_hash;
  }
  return false;
}

/* ---- busy loops ----
 * A loop that changes memory may go on until another thread has done something: it takes a lock,
 * finds nothing to do and lets the lock go, over and over. It gives way after some turns, but if
 * that were always at the same place, the others might always find the lock taken. So it leaves at
 * the back-edge, the next time at the first place after it, then at the second ...: back-edges, and
 * wherever schedules may interrupt. And the more often, the sooner. */
bool vm_leaves_here(struct vm_group *g) {
  if (!g->leave_in || --g->leave_in) return false;
  g->impatience++;
  g->turns = 0;
  g->stuck_at = NOT_STUCK;
  return true;
}

static bool busy_too_long(struct vm_exec *x) {
  struct vm_machine *m = x->m;
  struct vm_group *g = x->group;
  if (g->leave_in) return !--g->leave_in;
  u32 most = g->impatience < 5 ? (u32)TURNS_MAX >> g->impatience : TURNS_MIN;
  if (g->turns < most) return false;
  if (m->random && !m->adversarial) return true; /* interrupted anywhere anyway */
  g->leave_in = g->leaves++ % PLACES;
  if (!g->leave_in) return true;
  m->may_switch = true;
  return false;
}

void vm_back_edge(struct vm_exec *x, const struct vm_insn *in) {
  struct vm_group *g = x->group;
  bool quiet = !g->changed && !g->was_sync, spins = false;
  g->turns += g->published ? PUBLISHED : 1;
  if (quiet) {
    spins = g->watch && g->last_edge == in && g->load_hash && g->load_hash == g->last_hash;
    spins |= g->watch && came_round(g, in);
    if (++g->quiet_turns >= WATCH_AFTER) g->watch = true;
  } else {
    g->quiet_turns = 0;
    g->watch = false;
    g->stuck_at = NOT_STUCK;
  }
  g->last_edge = in;
  g->last_hash = g->load_hash;
  g->load_hash = 0;
  g->loaded = g->changed = g->published = g->was_sync = false;
  if (x->m->steps >= x->m->max_steps) {
    g->next = x->next;
    vm_mbarrier_name_waits(x->m);
    vm_fault_waits(x->m, VM_FAULT_HANG, NULL, "the step budget ran out before the kernel ended");
    x->stop = VM_STOP_FAULT;
    return;
  }
  bool busy = busy_too_long(x);
  if (spins || busy) give_way(x);
}
