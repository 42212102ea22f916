/* cluster.c - thread block clusters: which blocks belong together, barrier.cluster, addresses of
 * each other's shared memory. Blocks of a cluster start together and stay resident; see run.c.
 *
 * The cluster barrier is split: arrive never waits, wait waits for the phase in which the thread
 * arrived. Threads that exited are not waited for (PTX ISA 9.7.13.3). For observers a barrier is a
 * word of its own: arrive is a release on it, wait an acquire. */
#include "vm/place.h"
#include "vm/lanes.h"

struct vm_cluster {
  struct vm_block *blocks; /* [m->cluster_size], by rank */
  u32 size, warps;         /* blocks; warps of one block */
  u32 *arrived,
      *done; /* [rank * warps + warp]: in this phase; in the last one, not waited for yet */
  u32 index; /* of the cluster among those that are resident */
  struct vm_mem *word; /* NULL until the first arrival */
  bool in_use;         /* somebody has arrived in this phase */
};

/* The launch's wish must be the kernel's own, where that has one (PTX ISA, .reqnctapercluster). */
static bool same_wish(const struct vm_launch *l, struct diag *why) {
  const u32 *want = l->cluster, *has = l->kernel->reqcluster;
  if (!(want[0] || want[1] || want[2]) || !has[0]) return true;
  for (int i = 0; i < 3; i++)
    if ((want[i] ? want[i] : 1) != (has[i] ? has[i] : 1)) {
      diag_set(
          why,
          "the kernel is compiled for clusters of %u x %u x %u blocks, the launch asks for %u x "
          "%u x %u",
          has[0], has[1] ? has[1] : 1, has[2] ? has[2] : 1, want[0] ? want[0] : 1,
          want[1] ? want[1] : 1, want[2] ? want[2] : 1);
      return false;
    }
  return true;
}

bool vm_cluster_prepare(struct vm_machine *m, struct diag *why) {
  const struct vm_launch *l = m->launch;
  m->cluster_size = 1;
  if (!same_wish(l, why)) return false;
  for (int i = 0; i < 3; i++) {
    u32 n = l->cluster[i] ? l->cluster[i] : l->kernel->reqcluster[i];
    m->cluster[i] = m->info.cluster[i] = n ? n : 1;
    bool fits = m->cluster[i] <= 8; /* so that the product does not overflow */
    if (fits) m->cluster_size *= m->cluster[i];
    if (!fits || m->cluster_size > 8) {
      diag_set(why, "a cluster of more than 8 blocks: the device takes at most 8");
      return false;
    }
  }
  for (int i = 0; i < 3; i++)
    if (m->info.grid[i] % m->cluster[i]) {
      diag_set(why, "a grid of %u x %u x %u blocks cannot be divided into clusters of %u x %u x %u",
               m->info.grid[0], m->info.grid[1], m->info.grid[2], m->cluster[0], m->cluster[1],
               m->cluster[2]);
      return false;
    }
  return true;
}

void vm_cluster_slots(struct vm_machine *m) {
  u32 size = m->cluster_size, warps = m->info.warps_per_block;
  for (u32 s = 0; s < m->block_slots; s += size) {
    struct vm_cluster *c = NEW(&m->launch_arena, struct vm_cluster);
    c->blocks = &m->blocks[s];
    c->size = size;
    c->warps = warps;
    c->index = s / size;
    c->arrived = NEWN(&m->launch_arena, u32, size * warps);
    c->done = NEWN(&m->launch_arena, u32, size * warps);
    for (u32 r = 0; r < size; r++) {
      m->blocks[s + r].cluster = c;
      m->blocks[s + r].rank = r;
    }
  }
}

void vm_cluster_start(struct vm_block *b) {
  struct vm_cluster *c = b->cluster;
  if (b->rank) return;
  c->word = NULL;
  c->in_use = false;
  memset(c->arrived, 0, sizeof *c->arrived * c->size * c->warps);
  memset(c->done, 0, sizeof *c->done * c->size * c->warps);
}

struct vm_block *vm_cluster_block(struct vm_block *b, u32 address) {
  u32 rank = (address >> VM_RANK_SHIFT) - 1;
  if (rank >= b->cluster->size) return NULL;
  struct vm_block *o = &b->cluster->blocks[rank];
  return o->live ? o : NULL;
}

/* ---- barrier.cluster ---- */
static u32 slot_of(const struct vm_warp *w) {
  return w->block->rank * w->block->cluster->warps + w->who.warp;
}

/* Each cluster has a barrier of its own; those of clusters that ended serve again, as another
 * object: or a large grid would collect them. */
static struct vm_mem *make_word(struct vm_machine *m, u32 index) {
  struct diag why = {0};
  while (m->word_count <= index) {
    m->words = held_grow(m->words, &m->word_cap, m->word_count + 1u, sizeof *m->words);
    m->words[m->word_count++] = NULL;
  }
  struct vm_mem *word = m->words[index];
  if (word) {
    vm_mem_renew(m, word);
  } else {
    word = m->words[index] = vm_mem_new(m, SP_GLOBAL, "cluster barrier", 8, 8, &why);
    if (!word) base_out_of_memory(8); /* over the limit, and more than 64 MiB above */
  }
  word->all_valid = true;
  memset(word->o.data, 0, 8);
  return word;
}

static void tell(struct vm_exec *x, struct vm_warp *w, struct vm_frame *f, const struct vm_insn *in,
                 u32 lanes) {
  if (!x->m->has_access || in->sem == VM_RELAXED) return;
  struct vm_cluster *c = w->block->cluster;
  if (!c->word) c->word = make_word(x->m, c->index);
  struct vm_warp *warp = x->warp;
  struct vm_frame *frame = x->frame;
  struct vm_place p = {.space = SP_GLOBAL, .pattern = VM_UNIFORM, .mem = c->word};
  x->warp = w;
  x->frame = f;
  vm_access_event(x, in, &p, 8, lanes, in->kind == VM_RMW ? lanes : 0, NULL, NULL);
  x->warp = warp;
  x->frame = frame;
}

/* Everybody has arrived: those who wait go on. */
static void open_cluster(struct vm_exec *x, struct vm_cluster *c, u32 size) {
  x->m->progress++;
  c->in_use = false;
  for (u32 i = 0; i < size * c->warps; i++) {
    struct vm_warp *w = &c->blocks[i / c->warps].warps[i % c->warps];
    c->done[i] |= c->arrived[i];
    c->arrived[i] = 0;
    for (u32 g = 0; g < VM_LANES; g++) {
      struct vm_group *group = &w->groups[g];
      if (group->state != VM_IN_CLUSTER) continue;
      c->done[i] &= ~group->mask;
      tell(x, w, group->frame, group->next - 1, group->mask);
      group->was_sync = true;
      group->yielded = false;
      vm_group_state(w, group, VM_READY);
      vm_history_wake(x->m, w, group->mask, VM_FAR);
      if (x->m->split) {
        u32 rest = group->mask & (group->mask - 1);
        VM_EACH(l, rest) vm_group_split(w, group, vm_bit(l));
      }
    }
  }
}

static void try_open(struct vm_exec *x, struct vm_block *b) {
  struct vm_cluster *c = b->cluster;
  u32 size = x->m->cluster_size, any = 0;
  for (u32 r = 0; r < size; r++) {
    struct vm_block *o = &c->blocks[r];
    for (u32 w = 0; o->live && w < c->warps; w++) {
      u32 arrived = c->arrived[r * c->warps + w];
      any |= arrived;
      if (o->warps[w].who.live & ~arrived) return;
    }
  }
  if (any) open_cluster(x, c, size);
}

void vm_cluster_recheck(struct vm_machine *m, struct vm_block *b) {
  if (b->cluster->in_use) try_open(&m->x, b);
}

static void vm_op_cluster_arrive(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  struct vm_cluster *c = x->block->cluster;
  u32 at = slot_of(x->warp), again = (c->arrived[at] | c->done[at]) & x->mask;
  if (again) {
    vm_fault_now(
        x, in, VM_FAULT_TRAP, again,
        "arrives at the cluster barrier a second time without barrier.cluster.wait in between");
    return;
  }
  tell(x, x->warp, x->frame, in, x->mask);
  c->arrived[at] |= x->mask;
  c->in_use = true;
  x->group->was_sync = true;
  try_open(x, x->block);
}

static void vm_op_cluster_wait(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  struct vm_cluster *c = x->block->cluster;
  u32 at = slot_of(x->warp), never = x->mask & ~(c->arrived[at] | c->done[at]);
  if (never) {
    vm_fault_now(x, in, VM_FAULT_TRAP, never,
                 "barrier.cluster.wait without barrier.cluster.arrive before it");
    return;
  }
  u32 pass = x->mask & c->done[at], wait = x->mask & ~pass;
  c->done[at] &= ~pass;
  if (pass) tell(x, x->warp, x->frame, in, pass);
  x->group->was_sync = true;
  if (!wait) return;
  vm_leave_unguarded(x, in);
  struct vm_group *g = x->group;
  if (pass) vm_group_split(x->warp, g, pass)->next = in + 1;
  g->next = in + 1;
  vm_group_state(x->warp, g, VM_IN_CLUSTER);
  x->stop = VM_STOP_BLOCKED;
}

bool vm_pick_barrier_cluster(struct vm_pick *p);
bool vm_pick_barrier_cluster(struct vm_pick *p) {
  bool arrive = ptx_has(p->in, MOD_ARRIVE);
  if (arrive == ptx_has(p->in, MOD_WAIT)) return vm_no(p, "no such form");
  p->out->kind = arrive ? VM_RMW : VM_READ;
  p->out->sem = ptx_has(p->in, MOD_RELAXED) ? VM_RELAXED : arrive ? VM_RELEASE : VM_ACQUIRE;
  p->out->scope = VM_SCOPE_CLUSTER;
  return vm_use(p, arrive ? vm_op_cluster_arrive : vm_op_cluster_wait);
}

/* ---- addresses ---- */
static void vm_op_mapa(struct vm_exec *x, const struct vm_insn *in) {
  const u8 *a = vm_data(x, in->src[0]);
  const u32 *rank = vm_u32(x, in->src[1]);
  u8 *d = vm_data(x, in->dst);
  vm_result2(x, in);
  VM_EACH(l, x->mask) {
    if (rank[l] >= x->m->cluster_size) {
      vm_fault_now(x, in, VM_FAULT_TRAP, vm_bit(l), "block %u of a cluster of %u", rank[l],
                   x->m->cluster_size);
      return;
    }
    u64 v = vm_get(a, in->b, l) & ~((u64)0xff << VM_RANK_SHIFT);
    vm_put(d, in->b, l, v | (u64)(rank[l] + 1) << VM_RANK_SHIFT);
  }
}
bool vm_pick_mapa(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  if (p->in->operand_count != 3 || (t != T_U32 && t != T_U64))
    return vm_no(p, "three operands and .u32 or .u64 are needed");
  p->out->b = (u8)ptx_type_bytes(t);
  return vm_dst(p, 0, t) && vm_src(p, 0, 1, t) && vm_src(p, 1, 2, T_U32) && vm_use(p, vm_op_mapa);
}

static void vm_op_getctarank(struct vm_exec *x, const struct vm_insn *in) {
  const u8 *a = vm_data(x, in->src[0]);
  u32 *d = vm_u32(x, in->dst);
  vm_result1(x, in);
  VM_EACH(l, x->mask) {
    u32 rank = (u32)vm_get(a, in->b, l) >> VM_RANK_SHIFT;
    d[l] = rank ? rank - 1 : x->block->rank;
  }
}
bool vm_pick_getctarank(struct vm_pick *p) {
  enum ptx_type t = vm_type(p, 0);
  if (p->in->operand_count != 2 || (t != T_U32 && t != T_U64))
    return vm_no(p, "two operands and .u32 or .u64 are needed");
  p->out->b = (u8)ptx_type_bytes(t);
  return vm_dst(p, 0, T_U32) && vm_src(p, 0, 1, t) && vm_use(p, vm_op_getctarank);
}
