/* race.c - the race detector's ears: turns machine events into checks of granules, lane by lane
 * where fast.c cannot vouch for the whole warp. The exact rule is in cell.c. */
#include <stdlib.h>
#include <string.h>
#include "detect/again.h"

static struct race_viewer viewer_of(struct race *r, const struct vm_who *who) {
  struct race_block *b = detect_block_of(r, who->block);
  return (struct race_viewer){r, b, &b->warps[who->warp], who->warp, 0, who->warp_global};
}

/* Epochs that everyone who can reach the object knows of. */
u32 detect_bound_of(const struct race *r, const struct race_block *b, const struct vm_object *o) {
  bool own = o->space == SP_SHARED && o->block == b->block && !r->has_clusters;
  return own ? b->known : r->G;
}

static void void_again(struct race *r, bool clocks) {
  r->stamp++;
  r->era += clocks;
}

/* ---- the exact path ---- */
static void access_piece(struct race_lane_access *x) {
  u64 first = x->offset / 4, last = (x->offset + x->size - 1) / 4;
  if (x->strong) detect_message_acquire(x);
  for (u32 step = 0; step < 2; step++) {
    for (u64 g = first; g <= last; g++) {
      u64 from = x->offset > g * 4 ? x->offset - g * 4 : 0;
      u64 to = x->offset + x->size < g * 4 + 4 ? x->offset + x->size - g * 4 : 4;
      u8 bytes = (u8)((1u << to) - (1u << from));
      if (step == 0) detect_cell_check(x, (u32)g, bytes);
      if (step == 1 || !x->strong) detect_cell_update(x, (u32)g, bytes);
    }
    if (!x->strong) return;
    if (step == 0) detect_message_access(x);
  }
}

/* Elements of a strong vector access are accesses of their own (PTX ISA 8.2.2). */
static u32 piece_bytes(const struct vm_access *a, bool strong) {
  const struct ptx_insn *in = a->pos.insn;
  if (!strong || !in || in->type_count == 0) return a->size_bytes;
  if (!ptx_has(in, MOD_V2) && !ptx_has(in, MOD_V4) && !ptx_has(in, MOD_V8)) return a->size_bytes;
  u32 n = ptx_type_bytes((enum ptx_type)in->types[in->type_count - 1]);
  return n && n < a->size_bytes && a->size_bytes % n == 0 ? n : a->size_bytes;
}

static void access_lane(struct race_lane_access *x, u32 lane) {
  const struct vm_access *a = x->a;
  struct race *r = x->v.race;
  struct vm_object *o = a->object ? a->object : a->objects[lane];
  if (!o || (o->space != SP_GLOBAL && o->space != SP_SHARED)) return;
  u64 offset = a->offset[lane];
  if (offset > o->size_bytes || a->size_bytes > o->size_bytes - offset)
    return; /* the machine reports BOUNDS */
  x->s = detect_shadow_of(r, o);
  x->bound = detect_bound_of(r, x->v.b, o);
  x->v.lane = lane;
  x->reads = VM_READS(a->kind);
  x->writes = VM_WRITES(a->kind) && (a->kind == VM_WRITE || a->wrote >> lane & 1);
  x->size = piece_bytes(a, x->strong);
  for (x->within = 0; x->within < a->size_bytes; x->within += x->size) {
    x->offset = offset + x->within;
    access_piece(x);
  }
  x->done |= 1u << lane;
}

static void access_slow(struct race_viewer *v, const struct vm_access *a, u32 site, bool strong) {
  struct race *r = v->race;
  void_again(r, strong);
  struct race_lane_access x = {.v = *v,
                               .a = a,
                               .site = site,
                               .strong = strong,
                               .scope = (u8)detect_scope_class(a->scope),
                               .by_phase = a->pos.insn && a->pos.insn->op == OP_mbarrier};
  u32 n = (u32)__builtin_popcount(a->mask), m = a->mask;
  for (u32 i = 0; i < n; i++, m &= m - 1)
    access_lane(&x, a->order ? a->order[i] : (u32)__builtin_ctz(m));
  detect_conflict_done(r);
  if ((a->sem == VM_RELEASE || a->sem == VM_ACQ_REL) && VM_WRITES(a->kind))
    detect_clock_bump(r, v->w);
}

/* ---- hooks ---- */
static void check_access(struct race *r, const struct vm_access *a) {
  struct race_viewer v = viewer_of(r, a->who);
  u32 site = detect_site_of(r, a);
  bool strong = a->sem != VM_WEAK || (a->kind != VM_READ && a->kind != VM_WRITE);
  if (!strong &&
      (a->kind == VM_READ ? detect_read_fast(&v, a, site) : detect_write_fast(&v, a, site)))
    return;
  if (strong) detect_needless_strong(r, v.w, a, site);
  access_slow(&v, a, site, strong);
}

/* Where an undefined address leads is chance, and a race there only a consequence. */
static void on_access(void *self, const struct vm_access *a) {
  if (!a->lost) {
    check_access(self, a);
    return;
  }
  struct vm_access known = *a;
  u8 order[VM_LANES];
  u32 n = 0, count = (u32)__builtin_popcount(a->mask);
  known.mask &= ~a->lost;
  if (!known.mask) return;
  for (u32 i = 0; a->order && i < count; i++)
    if (known.mask >> a->order[i] & 1) order[n++] = a->order[i];
  if (a->order) known.order = order;
  known.lost = 0;
  if (known.pattern == VM_CONTIGUOUS) known.pattern = VM_GATHER; /* that is for all lanes */
  check_access(self, &known);
}

static void on_sync(void *self, const struct vm_sync *s) {
  struct race *r = self;
  void_again(r, true);
  if (!detect_needless_sync(r, s)) return;
  if (s->kind == VM_SYNC_BLOCK_END && r->copy_count)
    detect_async_block_end(r, detect_block_of(r, s->who->block));
  if (s->kind == VM_SYNC_FENCE)
    detect_message_fence(r, s);
  else
    detect_clock_sync(r, s);
}

static void on_visible(void *self, u64 ticket) { detect_message_visible(self, ticket); }

static void on_async(void *self, const struct vm_async_event *e) {
  struct race *r = self;
  void_again(r, true);
  detect_async_event(r, e);
}

static void on_released(void *self, struct vm_object *o) {
  detect_async_forget(self, o);
  if (!o->shadow) return;
  detect_message_gone(self, o->shadow);
  detect_shadow_free(self, o->shadow);
}

static void free_blocks(struct race *r) {
  for (u32 i = 0; i < r->block_slots; i++)
    while (r->blocks[i]) detect_clock_free_block(r, r->blocks[i]->block);
  r->block_count = 0;
}

/* Unknown code may do anything. */
static bool names_small_scopes(const struct ptx_module *m) {
  for (u32 f = 0; m && f < m->func_count; f++)
    for (u32 i = 0; i < m->funcs[f].code_count; i++) {
      const struct ptx_insn *in = &m->funcs[f].code[i];
      if (ptx_has(in, MOD_CTA) || ptx_has(in, MOD_CLUSTER)) return true;
    }
  return !m || !m->func_count;
}

/* The boundary of a kernel orders everything: what came before is at most G. */
static void on_start(void *self, const struct vm_launch_info *l) {
  struct race *r = self;
  void_again(r, true);
  detect_async_reset(r);
  detect_message_reset(r);
  free_blocks(r);
  if (r->newest > 0xc0000000u) {
    while (r->shadow_count) detect_shadow_free(r, r->shadows[r->shadow_count - 1]);
    r->newest = 0;
  }
  r->G = r->newest;
  r->newest = r->G + 1;
  r->warps_per_block = l->warps_per_block ? l->warps_per_block : 1;
  r->block_count = l->block_count;
  r->has_clusters = false;
  r->has_early = l->schedule && strcmp(l->schedule, vm_schedule_name(VM_BUFFERED)) == 0;
  for (u32 i = 0; i < 3; i++) {
    r->cluster_size[i] = l->cluster[i];
    r->has_clusters |= r->cluster_size[i] > 1;
  }
  if (r->module != l->module) r->small_scopes = names_small_scopes(l->module);
  r->module = l->module;
  r->far_only = !r->small_scopes && !r->has_clusters && !r->has_early;
  r->pair_count = r->unit_count = 0;
  detect_site_reset(r);
}

static void on_end(void *self) {
  detect_needless_close(self);
  detect_async_reset(self);
  free_blocks(self);
}

void *detect_race_create(struct detect *d, struct vm_observer *hooks) {
  struct race *r = NEW(d->keep, struct race);
  r->d = d;
  hooks->launch_start = on_start;
  hooks->launch_end = on_end;
  hooks->access = on_access;
  hooks->read_again = detect_read_again;
  hooks->write_again = detect_write_again;
  hooks->sync = on_sync;
  hooks->visible = on_visible;
  hooks->async = on_async;
  hooks->released = on_released;
  return r;
}

void detect_race_destroy(void *self) {
  struct race *r = self;
  free_blocks(r);
  detect_message_reset(r);
  while (r->shadow_count) detect_shadow_free(r, r->shadows[r->shadow_count - 1]);
  held_free(r->blocks);
  held_free(r->shadows);
  detect_cells_free(r);
  held_free(r->sites);
  held_free(r->site_last);
  held_free(r->site_table);
  held_free(r->pairs);
  held_free(r->copies);
  held_free(r->phases);
  held_free(r->phase_table);
  held_free(r->delayed);
  held_free(r->wide);
  held_free(r->units);
  held_free(r->arrivals);
  held_free(r->again);
  arena_free(&r->site_arena);
}
