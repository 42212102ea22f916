/* place.h - where the lanes of one memory instruction go. Private to the memory handlers. */
#ifndef WL_VM_PLACE_H
#define WL_VM_PLACE_H
#include "vm/machine.h"

struct vm_place {
  enum ptx_space space; /* resolved: SP_GLOBAL (and constants), SP_SHARED, SP_LOCAL, SP_PARAM */
  enum vm_pattern pattern;
  u32 lost;             /* lanes whose address is undefined: it may be anywhere */
  struct vm_mem *mem;   /* all lanes' object; NULL: see mems */
  u32 offset[VM_LANES]; /* within the lane's object (local: within the thread's window) */
  struct vm_mem *mems[VM_LANES];
};
/* Resolves the addresses of the active lanes for `bytes` each. false: a fault was raised. */
bool vm_place(struct vm_exec *x, const struct vm_insn *in, u32 bytes, bool writes, bool atomic,
              struct vm_place *p);
/* As vm_place, for addresses that are no operand: 32 of them, in this space (SP_GENERIC, SP_GLOBAL,
 * SP_SHARED). */
bool vm_place_lanes(struct vm_exec *x, const struct vm_insn *in, enum ptx_space space,
                    const u64 *addr, u32 bytes, bool writes, bool atomic, struct vm_place *p);
static inline struct vm_mem *vm_place_mem(const struct vm_place *p, u32 lane) {
  return p->mem ? p->mem : p->mems[lane];
}
static inline u8 *vm_place_at(const struct vm_place *p, u32 lane) {
  return vm_place_mem(p, lane)->o.data + p->offset[lane];
}
/* Lanes (of mask) whose bytes are all defined. */
u32 vm_place_valid(struct vm_exec *x, const struct vm_place *p, u32 mask, u32 bytes);
/* Tells the observers of an access; fills what every access has in common. */
void vm_access_event(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p,
                     u32 bytes, u32 mask, u32 wrote, const u8 *value, const u8 *order);
/* traffic.c */
void vm_count_traffic(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p,
                      u32 bytes);
void vm_count_access(struct vm_exec *x, const struct vm_insn *in, const struct vm_place *p);
/* place_pick.c: decoding shared by ld, st, atom, red: space, semantics, scope, address operand into
 * src[0] and imm. */
bool vm_pick_memory(struct vm_pick *p, u32 address_operand);
bool vm_pick_st_bulk(struct vm_pick *p); /* st_bulk.c */
#endif
