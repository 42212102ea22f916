/* slots.c - places for the blocks that are resident at once: warps, barriers, shared memory; in
 * which order blocks come to them. When they come is run.c's business. */
#include "vm/machine.h"

void vm_slots_make(struct vm_machine *m) {
  u32 warps = m->info.warps_per_block;
  m->blocks = NEWN(&m->launch_arena, struct vm_block, m->block_slots);
  m->all_warps = NEWN(&m->launch_arena, struct vm_warp *, (u64)m->block_slots * warps);
  m->warp_total = 0;
  for (u32 s = 0; s < m->block_slots; s++) {
    struct vm_block *b = &m->blocks[s];
    b->slot = s;
    b->sm = s % m->sm_count;
    b->warp_count = warps;
    b->warps = NEWN(&m->launch_arena, struct vm_warp, warps);
    for (u32 i = 0; i < 16; i++) {
      b->barrier[i].arrived = NEWN(&m->launch_arena, u32, warps);
      b->barrier[i].waiting = NEWN(&m->launch_arena, u32, warps);
    }
    b->shared = NEWN(&m->launch_arena, struct vm_mem, m->shared_count + 1);
    for (u32 i = 0; i < m->shared_count; i++) {
      struct vm_mem *mem = &b->shared[i];
      const struct vm_shared_var *v = &m->shared[i];
      mem->o = (struct vm_object){
          .space = SP_SHARED,
          .name = v->name,
          .base = v->base,
          .shape = v->var && v->var->shape.count ? &v->var->shape : NULL,
          .elem_bytes = v->var && ptx_type_bytes(v->var->type) ? ptx_type_bytes(v->var->type) : 1};
      vm_mem_init(mem, v->size_bytes, !m->config.no_undefined, VM_POISON);
    }
    for (u32 i = 0; i < warps; i++) {
      b->warps[i].reconv_free = -1;
      m->all_warps[m->warp_total++] = &b->warps[i];
    }
  }
  vm_cluster_slots(m);
}

void vm_slots_free(struct vm_machine *m) {
  for (u32 s = 0; s < m->block_slots; s++) {
    struct vm_block *b = &m->blocks[s];
    for (u32 i = 0; i < b->warp_count; i++) {
      held_free(b->warps[i].local);
      held_free(b->warps[i].local_valid);
      held_free(b->warps[i].reconv);
    }
    for (u32 i = 0; i < m->shared_count; i++) vm_mem_release(m, &b->shared[i]);
  }
  m->block_slots = 0;
  m->warp_total = 0;
}

void vm_slots_order(struct vm_machine *m) {
  m->dispatch_order = NULL;
  if (!m->random) return;
  u32 units = m->block_count / m->cluster_size;
  m->dispatch_order = NEWN(&m->launch_arena, u32, units);
  for (u32 i = 0; i < units; i++) m->dispatch_order[i] = i;
  for (u32 i = units; i > 1; i--) {
    u32 k = rng_below(&m->rng, i), t = m->dispatch_order[i - 1];
    m->dispatch_order[i - 1] = m->dispatch_order[k];
    m->dispatch_order[k] = t;
  }
}

/* What blocks that are resident need before their first step; local memory comes as it is used. */
u64 vm_slots_bytes(const struct vm_machine *m) {
  u64 shared = 0, units = m->block_count / m->cluster_size;
  for (u32 i = 0; i < m->shared_count; i++)
    shared += m->shared[i].size_bytes + m->shared[i].size_bytes / 8 + sizeof(struct vm_mem) + 256;
  u64 warp = sizeof(struct vm_warp) + 48 * sizeof(u32);
  u64 block = sizeof(struct vm_block) + shared + warp * m->info.warps_per_block;
  return block * m->block_slots + (m->random ? units * sizeof(u32) : 0);
}
