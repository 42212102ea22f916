/* run.c - launches: blocks onto the virtual GPU, the run loop, exits, the end. */
#include "vm/buffer.h"
#include "vm/lone.h"
#include "vm/timing.h"
#include <stdlib.h>

/* ---- events ---- */
void vm_emit_sync(struct vm_machine *m, const struct vm_sync *s) {
  for (u32 i = 0; i < m->observer_count; i++)
    if (m->observers[i]->sync) m->observers[i]->sync(m->observers[i]->self, s);
}
void vm_emit_fault(struct vm_machine *m, const struct vm_fault *f) {
  for (u32 i = 0; i < m->observer_count; i++)
    if (m->observers[i]->fault) m->observers[i]->fault(m->observers[i]->self, f);
  if (f->kind < VM_FAULT_UNINIT) m->stopped = true;
}

void vm_fault_now(struct vm_exec *x, const struct vm_insn *in, enum vm_fault_kind kind, u32 mask,
                  const char *fmt, ...) {
  struct vm_fault f = {.kind = kind,
                       .who = x->warp->who,
                       .mask = mask,
                       .frame = x->frame,
                       .pos = vm_pos_of(x->m, in->pos_id)};
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(f.text, sizeof f.text, fmt, ap);
  va_end(ap);
  vm_emit_fault(x->m, &f);
  x->stop = VM_STOP_FAULT;
}

struct vm_code_pos vm_pos_of(const struct vm_machine *m, u32 pos_id) {
  u32 lo = 0, hi = m->module->func_count;
  while (hi - lo > 1) {
    u32 mid = lo + (hi - lo) / 2;
    if (m->codes[mid].first_pos <= pos_id)
      lo = mid;
    else
      hi = mid;
  }
  const struct vm_code *c = &m->codes[lo];
  if (!pos_id || !c->insns || pos_id - c->first_pos >= c->count) return (struct vm_code_pos){0};
  return (struct vm_code_pos){c->func, c->insns[pos_id - c->first_pos].ptx};
}

/* The suite's own limits: at the warp that ran last, or the kernel. */
void vm_fault_limit(struct vm_machine *m, const char *fmt, ...) {
  const struct ptx_func *k = m->launch->kernel;
  struct vm_fault f = {.kind = VM_FAULT_LIMIT, .pos = {k, k->code}};
  if (m->x.warp) f.who = m->x.warp->who;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(f.text, sizeof f.text, fmt, ap);
  va_end(ap);
  vm_emit_fault(m, &f);
}

void vm_over_memory(void *machine) {
  struct vm_machine *m = machine;
  m->over_memory = true;
  if (m->x.stop == VM_GO) m->x.stop = VM_STOP_MEMORY;
}

static void block_event(struct vm_machine *m, struct vm_block *b, enum vm_sync_kind kind) {
  struct vm_sync s = {
      .kind = kind, .who = &b->warps[0].who, .warp_count = b->warp_count, .step = m->steps};
  vm_emit_sync(m, &s);
}

/* ---- blocks ---- */
static void start_warp(struct vm_machine *m, struct vm_block *b, u32 i) {
  struct vm_warp *w = &b->warps[i];
  u32 threads = m->info.threads_per_block, left = threads - i * 32;
  w->full = left >= 32 ? VM_FULL : (1u << left) - 1;
  w->who = (struct vm_who){.block = b->index,
                           .warp = i,
                           .warp_global = b->index * m->info.warps_per_block + i,
                           .live = w->full};
  w->block = b;
  w->shuffles = 0;
  w->touched = 0;
  memset(w->executed, 0, sizeof w->executed);
  struct vm_code *code = &m->codes[m->launch->kernel - m->module->funcs];
  w->root = vm_frame_enter(m, w, NULL, NULL, code, w->full);
  if (!w->root) return; /* reported by the caller */
  if (m->timed) vm_timing_born(m, w);
  struct vm_group *g = vm_group_new(w, w->full, w->root, code->insns);
  if (!m->split) return;
  u32 rest = g->mask & (g->mask - 1);
  VM_EACH(l, rest) vm_group_split(w, g, vm_bit(l));
}

static void start_block(struct vm_machine *m, struct vm_block *b, u32 index) {
  b->live = true;
  b->index = index;
  b->ctaid[0] = index % m->info.grid[0];
  b->ctaid[1] = index / m->info.grid[0] % m->info.grid[1];
  b->ctaid[2] = index / m->info.grid[0] / m->info.grid[1];
  b->warps_left = b->warp_count;
  b->barriers_done = b->full_barriers_done = 0;
  for (u32 i = 0; i < 16; i++) {
    struct vm_barrier *bar = &b->barrier[i];
    u32 *arrived = bar->arrived, *waiting = bar->waiting;
    *bar = (struct vm_barrier){.arrived = arrived, .waiting = waiting, .red_and = true};
    memset(arrived, 0, b->warp_count * sizeof *arrived);
    memset(waiting, 0, b->warp_count * sizeof *waiting);
  }
  for (u32 i = 0; i < m->shared_count; i++) { /* contents start undefined */
    struct vm_mem *s = &b->shared[i];
    s->o.id = ++m->next_object_id;
    s->o.block = index;
    s->o.state = VM_LIVE;
    s->o.shadow = NULL;
    s->all_valid = false;
    memset(s->o.data, VM_POISON, s->o.size_bytes);
    if (s->valid) memset(s->valid, 0, (s->o.size_bytes + 7) / 8);
    if (s->undef) memset(s->undef, 0, (s->o.size_bytes + 7) / 8);
  }
  vm_cluster_start(b);
  for (u32 i = 0; i < b->warp_count && !m->over_memory; i++) start_warp(m, b, i);
  m->progress++;
  block_event(m, b, VM_SYNC_BLOCK_START);
}

/* A cluster (or a block, where there are none) onto the slots from `first` on. */
static void start_unit(struct vm_machine *m, u32 first) {
  u32 units = m->block_count / m->cluster_size, k = m->dispatched++;
  u32 unit = m->dispatch_order ? m->dispatch_order[k] : m->reversed ? units - 1 - k : k;
  const u32 *c = m->cluster, *grid = m->info.grid;
  u32 nx = grid[0] / c[0], ny = grid[1] / c[1];
  for (u32 r = 0; r < m->cluster_size; r++) {
    u32 bx = unit % nx * c[0] + r % c[0], by = unit / nx % ny * c[1] + r / c[0] % c[1];
    u32 bz = unit / nx / ny * c[2] + r / c[0] / c[1];
    start_block(m, &m->blocks[first + r], bx + grid[0] * (by + grid[1] * bz));
  }
}

static void end_block(struct vm_machine *m, struct vm_block *b) {
  if (m->buffer) vm_buffer_block_end(m, b);
  vm_async_block_end(m, b);
  block_event(m, b, VM_SYNC_BLOCK_END);
  b->live = false;
  m->finished++;
  for (u32 i = 0; i < m->shared_count; i++) {
    vm_mem_renew(m, &b->shared[i]);
    b->shared[i].o.state = VM_EXITED;
  }
  u32 first = b->slot - b->slot % m->cluster_size;
  for (u32 r = 0; r < m->cluster_size; r++)
    if (m->blocks[first + r].live) return;
  if (m->dispatched < m->block_count / m->cluster_size) start_unit(m, first);
}

void vm_exit_lanes(struct vm_exec *x, u32 mask, const struct vm_insn *in) {
  struct vm_machine *m = x->m;
  struct vm_warp *w = x->warp;
  struct vm_block *b = w->block;
  struct vm_group *g = x->group;
  struct vm_sync s = {.kind = VM_SYNC_EXIT,
                      .who = &w->who,
                      .mask = mask,
                      .frame = x->frame,
                      .pos = {x->frame->code->func, in->ptx},
                      .pos_id = in->pos_id,
                      .step = m->steps};
  vm_emit_sync(m, &s);
  /* Compilers send every `return` to the kernel's one end: then the branch that led there is where
   * the threads left. */
  const struct vm_insn *via = g->via, *from = in;
  if (via && !x->frame->call && in->op == OP_ret && via > x->code && via < in &&
      in - (x->code + via->target) <= 1u)
    from = via;
  VM_EACH(l, mask) w->exit_pos[l] = from->pos_id;
  w->who.live &= ~mask;
  w->who.exited |= mask;
  u32 rest = g->mask & ~mask;
  if (rest) {
    g->mask = x->group_mask = rest;
  } else {
    vm_group_free(w, g);
    x->group = NULL;
    x->stop = VM_STOP_BLOCKED;
  }
  for (struct vm_frame *f = x->frame, *up; f; f = up) {
    up = f->parent;
    vm_frame_leave(m, w, f, mask);
  }
  m->progress++;
  vm_reconv_exit(w, mask);
  vm_collective_recheck(m, w);
  if (x->stop != VM_STOP_FAULT) vm_barrier_recheck(m, b, w);
  if (x->stop != VM_STOP_FAULT) vm_cluster_recheck(m, b);
  if (rest && x->stop != VM_STOP_FAULT) {
    vm_exec_load(x, g);
    x->next = in + 1;
  }
  if (m->timed && !w->who.live) vm_timing_gone(m, w);
  if (m->config.count_traffic && !w->who.live)
    for (u32 l = 0; l < VM_LANES; l++)
      if (w->executed[l] > m->counters.max_thread_instructions)
        m->counters.max_thread_instructions = w->executed[l];
  if (!w->who.live && !--b->warps_left && x->stop != VM_STOP_FAULT) end_block(m, b);
}

/* ---- the loop ---- */
/* As run_group's own loop, and counts what each lane executes. */
static u64 run_counted(struct vm_machine *m) {
  struct vm_exec *x = &m->x;
  struct vm_warp *w = x->warp;
  u64 threads = 0;
  do {
    const struct vm_insn *in = x->next++;
    m->steps++;
    threads += (u32)__builtin_popcount(x->mask);
    vm_count_lanes(w, x->mask);
    in->fn(x, in);
  } while (!x->stop);
  return threads;
}

static void run_group(struct vm_machine *m) {
  struct vm_exec *x = &m->x;
  u64 from = m->steps, slept = m->slept, threads = 0;
  x->stop = VM_GO;
  if (m->timed) {
    threads = vm_timing_run(m);
  } else if (m->config.count_traffic) {
    threads = run_counted(m);
  } else
    do {
      u32 lanes = (u32)__builtin_popcount(x->mask);
      if (lanes == 1 && !m->config.no_lone) {
        threads += vm_lone_run(x);
        continue;
      }
      const struct vm_insn *in = x->next++;
      m->steps++; /* virtual time: clocks advance while a group runs */
      threads += lanes;
      in->fn(x, in);
    } while (!x->stop);
  m->counters.warp_instructions += m->steps - from - (m->slept - slept);
  m->counters.thread_instructions += threads;
}

static void run_all(struct vm_machine *m) {
  struct vm_exec *x = &m->x;
  while (m->finished < m->block_count) {
    if (m->over_memory) {
      vm_fault_limit(m, "the launch and its checks need more than the memory limit of %llu MiB",
                     (unsigned long long)(held_limit() >> 20));
      return;
    }
    if (!vm_pick_next(m)) {
      vm_fault_waits(m, VM_FAULT_DEADLOCK, NULL, "no thread can move: each waits for another");
      return;
    }
    run_group(m);
    if (x->stop == VM_STOP_FAULT) return;
    if (x->stop == VM_STOP_YIELD) {
      struct vm_group *g = x->group;
      g->next = x->next;
      g->yielded = true;
      if (m->adversarial) vm_demote(m, g);
      u32 step = m->reversed ? m->warp_total - 1 : 1; /* the next warp has its turn */
      m->cursor = (m->cursor + step) % m->warp_total;
    }
    if (m->steps >= m->max_steps) {
      vm_mbarrier_name_waits(m);
      vm_fault_waits(m, VM_FAULT_HANG, NULL, "the step budget ran out before the kernel ended");
      return;
    }
  }
}

/* ---- launch ---- */
static bool check_dims(struct vm_machine *m, const struct vm_launch *l, struct diag *why) {
  const struct ptx_func *k = l->kernel;
  u64 threads = (u64)m->info.block[0] * m->info.block[1] * m->info.block[2];
  u64 blocks = (u64)m->info.grid[0] * m->info.grid[1] * m->info.grid[2];
  if (threads > 1024 || m->info.block[2] > 64) {
    diag_set(
        why,
        "a block of %u x %u x %u threads: the device takes at most 1024 threads a block (64 in z)",
        m->info.block[0], m->info.block[1], m->info.block[2]);
    return false;
  }
  if (m->info.grid[1] > 65535 || m->info.grid[2] > 65535 || blocks * threads > 1u << 31) {
    diag_set(why, "a grid of %u x %u x %u blocks is too large", m->info.grid[0], m->info.grid[1],
             m->info.grid[2]);
    return false;
  }
  if (l->param_bytes < k->entry_param_bytes) {
    diag_set(why, "the kernel takes %u bytes of parameters, the launch gives %u",
             k->entry_param_bytes, l->param_bytes);
    return false;
  }
  if (k->has_maxntid && k->maxntid[0]) {
    u64 most = (u64)k->maxntid[0] * (k->maxntid[1] ? k->maxntid[1] : 1) *
               (k->maxntid[2] ? k->maxntid[2] : 1);
    if (threads > most) {
      diag_set(why, "a block of %llu threads: the kernel's __launch_bounds__ allows %llu",
               (unsigned long long)threads, (unsigned long long)most);
      return false;
    }
  }
  m->info.threads_per_block = (u32)threads;
  m->info.warps_per_block = (u32)((threads + 31) / 32);
  m->info.block_count = m->block_count = (u32)blocks;
  return true;
}

/* How many blocks are resident at once. */
static void occupy(struct vm_machine *m) {
  u32 per_sm = m->config.blocks_per_sm,
      by_threads = m->config.threads_per_sm / (m->info.warps_per_block * 32);
  u64 shared = m->counters.shared_bytes ? (228u << 10) / (m->counters.shared_bytes + 1024) : per_sm;
  if (by_threads < per_sm) per_sm = by_threads;
  if (shared < per_sm) per_sm = (u32)shared;
  if (!per_sm) per_sm = 1;
  m->sm_count = m->config.sm_count;
  u64 slots = (u64)per_sm * m->sm_count;
  m->block_slots = slots < m->block_count ? (u32)slots : m->block_count;
  m->block_slots -= m->block_slots % m->cluster_size;
  if (!m->block_slots) m->block_slots = m->cluster_size;
}

static bool prepare(struct vm_machine *m, const struct vm_launch *l, struct diag *why) {
  m->launch = l;
  memset(&m->counters, 0, sizeof m->counters);
  m->info = (struct vm_launch_info){.module = m->module,
                                    .kernel = l->kernel,
                                    .launch_index = m->launches,
                                    .schedule = vm_schedule_name(m->config.schedule),
                                    .seed = m->config.seed};
  for (int i = 0; i < 3; i++) {
    m->info.grid[i] = l->grid[i] ? l->grid[i] : 1;
    m->info.block[i] = l->block[i] ? l->block[i] : 1;
  }
  if (!check_dims(m, l, why) || !vm_cluster_prepare(m, why) ||
      !vm_layout_shared(m, l->kernel, l->shared_bytes, why))
    return false;
  occupy(m);
  m->envreg_workspace = 0;
  if (l->cooperative) {
    if (m->block_slots < m->block_count) {
      diag_set(why, "a cooperative launch of %u blocks: only %u fit on the device at once (%u SMs)",
               m->block_count, m->block_slots, m->sm_count);
      return false;
    }
    static const u8 zeros[4096];
    if (!m->grid_barrier) m->grid_barrier = vm_alloc(m, "grid barrier", sizeof zeros, 4, why);
    if (!m->grid_barrier || !vm_write(m, m->grid_barrier, zeros, sizeof zeros, why)) return false;
    m->envreg_workspace = m->grid_barrier;
  }
  return true;
}

static void run_launch(struct vm_machine *m) {
  u64 bytes = vm_slots_bytes(m);
  m->over_memory = false;
  m->may_switch = m->random;
  if (!held_fits(bytes)) {
    u32 slots = m->block_slots;
    m->block_slots = m->warp_total = 0;
    vm_fault_limit(m,
                   "%u of %u blocks side by side need %llu MiB, which is more than the memory "
                   "limit of %llu MiB has left",
                   slots, m->block_count, (unsigned long long)(bytes >> 20),
                   (unsigned long long)(held_limit() >> 20));
    return;
  }
  held_watch(vm_over_memory, m);
  vm_slots_make(m);
  if (m->buffer) vm_buffer_start(m);
  vm_slots_order(m);
  for (u32 s = 0; s < m->block_slots && !m->over_memory; s += m->cluster_size) start_unit(m, s);
  m->cursor = m->reversed && m->warp_total ? m->warp_total - 1 : 0;
  if (m->over_memory || m->all_warps[0]->root)
    run_all(m);
  else
    vm_fault_limit(m, "the kernel's local variables need more than %u KiB a thread",
                   VM_LOCAL_MAX >> 10);
}

static void listen(struct vm_machine *m) {
  const struct vm_observer *only = NULL;
  u32 n = 0;
  for (u32 i = 0; i < m->observer_count; i++)
    if (m->observers[i]->access) n++, only = m->observers[i];
  m->has_access = n > 0;
  m->again = n == 1 && only->read_again && only->write_again ? only : NULL;
}

enum vm_outcome vm_run(struct vm_machine *m, const struct vm_launch *l,
                       struct vm_counters *counters, struct diag *why) {
  if (!prepare(m, l, why)) {
    arena_free(&m->launch_arena);
    return VM_REFUSED;
  }
  m->steps = m->slept = m->skipped = m->progress = m->turn = 0;
  m->stopped = false;
  m->dispatched = m->finished = 0;
  m->max_steps = m->config.max_steps;
  m->rng = m->config.seed * 0x9e3779b97f4a7c15ull + m->launches + 1;
  memset(m->reported, 0, m->pos_count);
  vm_schedule_start(m);
  vm_timing_start(m);
  struct vm_exec *x = &m->x;
  memset(x, 0, sizeof *x);
  x->m = m;
  x->undefined = !m->config.no_undefined;
  listen(m);
  for (u32 i = 0; i < m->observer_count; i++) {
    if (m->observers[i]->launch_start)
      m->observers[i]->launch_start(m->observers[i]->self, &m->info);
  }
  m->async = NULL;
  m->lone_run++;
  run_launch(m);
  if (m->buffer) vm_buffer_end(m);
  held_watch(NULL, NULL);
  for (u32 i = 0; i < m->observer_count; i++)
    if (m->observers[i]->launch_end) m->observers[i]->launch_end(m->observers[i]->self);
  m->counters.steps = m->steps;
  vm_timing_end(m);
  *counters = m->counters;
  m->launches++;
  vm_async_end(m);
  vm_slots_free(m);
  arena_free(&m->launch_arena);
  return m->stopped ? VM_STOPPED : VM_DONE;
}

/* ---- the machine ---- */
static void defaults(struct vm_config *c) {
  if (!c->sm_count) c->sm_count = 4;
  if (!c->blocks_per_sm) c->blocks_per_sm = 4;
  if (!c->threads_per_sm) c->threads_per_sm = 2048;
  if (!c->shared_per_block_max) c->shared_per_block_max = 227u << 10;
  if (!c->max_steps) c->max_steps = 100000000;
  if (c->max_memory_bytes)
    held_set_limit(c->max_memory_bytes);
  else
    c->max_memory_bytes = held_limit();
  if (!c->printf_max_bytes) c->printf_max_bytes = 64u << 10;
}

bool vm_create(const struct ptx_module *module, const struct vm_config *config,
               struct vm_machine **out, struct diag *why) {
  struct vm_machine *m = held_zeroed(1, sizeof *m);
  m->module = module;
  m->config = *config;
  defaults(&m->config);
  m->adversarial = m->config.schedule == VM_ADVERSARIAL;
  m->random =
      m->config.schedule == VM_RANDOM || m->config.schedule == VM_BUFFERED || m->adversarial;
  m->timed = m->config.schedule == VM_TIMED;
  if (m->timed) m->config.count_traffic = true;
  m->split = m->config.schedule == VM_SPLIT || m->config.schedule == VM_SPLIT_REVERSED;
  m->reversed = m->config.schedule == VM_REVERSED || m->config.schedule == VM_SPLIT_REVERSED;
  m->next_address = VM_GLOBAL_BASE;
  if (!vm_load(m, why)) {
    vm_destroy(m);
    return false;
  }
  if (m->config.schedule == VM_BUFFERED) vm_buffer_make(m);
  *out = m;
  return true;
}

void vm_destroy(struct vm_machine *m) {
  if (!m) return;
  vm_timing_free(m);
  for (u32 i = 0; i < m->mem_count; i++) vm_mem_release(m, m->mems[i]);
  for (u32 f = 0; m->codes && f < m->module->func_count; f++) held_free(m->codes[f].pool);
  held_free(m->mems);
  held_free(m->words);
  held_free(m->repeats);
  strbuf_free(&m->printed);
  arena_free(&m->launch_arena);
  arena_free(&m->arena);
  held_free(m);
}

void vm_resize(struct vm_machine *m, u32 sm_count, u32 blocks_per_sm) {
  m->config.sm_count = sm_count;
  m->config.blocks_per_sm = blocks_per_sm;
  defaults(&m->config);
}
void vm_observe(struct vm_machine *m, const struct vm_observer *o) {
  if (m->observer_count == COUNT_OF(m->observers)) BUG("more than 8 observers");
  m->observers[m->observer_count++] = o;
}
str vm_printed(const struct vm_machine *m, u64 *dropped) {
  *dropped = m->printed_dropped;
  return (str){m->printed.p ? m->printed.p : "", m->printed.n};
}
const struct vm_config *vm_config_of(const struct vm_machine *m) { return &m->config; }
