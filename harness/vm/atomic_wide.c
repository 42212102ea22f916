/* atomic_wide.c - atom.exch and atom.cas on 16 bytes (.b128), which do not fit the 64-bit path of
 * atomic.c. */
#include "vm/place.h"

static void define(struct vm_exec *x, struct vm_mem *mem, u64 off) {
  if (!x->undefined || mem->all_valid || !mem->valid) return;
  vm_bits_put(mem->valid, off, 16, true);
  if (mem->undef) vm_bits_put(mem->undef, off, 16, false);
}

static void vm_op_atom_wide(struct vm_exec *x, const struct vm_insn *in) {
  if (x->m->may_switch && vm_switch_here(x, in)) return;
  bool cas = in->c;
  for (u32 s = 1; s <= 1u + cas && x->undefined; s++) {
    u8 *slot = vm_data(x, in->src[s]);
    u32 undefined = ~vm_head(slot)->valid & x->mask;
    if (undefined) vm_uninit(x, in, slot, undefined, "operand of an atomic");
  }
  struct vm_place p;
  if (!vm_place(x, in, 16, true, true, &p)) return;
  if (p.space != SP_GLOBAL && p.space != SP_SHARED) {
    vm_fault_now(x, in, VM_FAULT_BOUNDS, x->mask, "an atomic on local or parameter memory");
    return;
  }
  vm_count_access(x, in, &p);
  u8 order[VM_LANES], olds[VM_LANES * 16];
  u32 wrote = 0, n = (u32)__builtin_popcount(x->mask), defined = vm_place_valid(x, &p, x->mask, 16);
  const u8 *b = vm_data(x, in->src[1]), *c = cas ? vm_data(x, in->src[2]) : b;
  vm_lane_order(x->m, x->mask, order);
  for (u32 i = 0; i < n; i++) {
    u32 l = order[i];
    u8 *at = vm_place_at(&p, l);
    memcpy(olds + l * 16, at, 16);
    if (cas && memcmp(at, b + l * 16, 16) != 0) continue;
    if (memcmp(at, c + l * 16, 16) != 0) x->group->changed = x->group->published = true;
    memcpy(at, c + l * 16, 16);
    define(x, vm_place_mem(&p, l), p.offset[l]);
    wrote |= vm_bit(l);
  }
  if (x->m->has_access) vm_access_event(x, in, &p, 16, x->mask, wrote, NULL, order);
  x->group->loaded = true;
  if (x->group->changed) x->m->progress++;
  if (x->group->watch) vm_watch_load(x, in, vm_place_mem(&p, order[0]), p.offset, 16, olds, 16);
  if (in->dst == -1) return;
  u8 *d = vm_data(x, in->dst);
  VM_EACH(l, x->mask) memcpy(d + l * 16, olds + l * 16, 16);
  vm_head(d)->valid = (vm_head(d)->valid & ~x->mask) | defined;
}

bool vm_pick_atom_wide(struct vm_pick *p, bool cas);
bool vm_pick_atom_wide(struct vm_pick *p, bool cas) {
  struct vm_insn *out = p->out;
  if (p->in->operand_count < 3u + cas) return vm_no(p, "an operand is missing");
  if (!vm_pick_memory(p, 1) || !vm_dst_or_sink(p, 0, T_B128) || !vm_src(p, 1, 2, T_B128) ||
      (cas && !vm_src(p, 2, 3, T_B128)))
    return false;
  if (out->sem == VM_WEAK) out->sem = VM_RELAXED;
  if (out->scope == VM_SCOPE_NONE) out->scope = VM_SCOPE_GPU;
  out->size = 16;
  out->kind = VM_RMW;
  out->c = cas;
  return vm_use(p, vm_op_atom_wide);
}
