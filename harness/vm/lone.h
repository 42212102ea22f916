/* lone.h - single lanes: groups with exactly one lane run in a loop of their own (lone.c), over a
 * compact form of the same code (struct vm_one, same indexes), with registers where they always
 * are.
 *
 * The compact form has the frequent instructions, in the case that every operand is defined and
 * nothing special happens. Everything else is the handler's business: the loop calls it for that
 * one instruction and goes on. So the loop decides nothing: steps, counters, events, faults and
 * final state are those of the handlers, instruction by instruction (tests/unit/test_lone.c).
 * Private to vm/. */
#ifndef WL_VM_LONE_H
#define WL_VM_LONE_H
#include "vm/machine.h"

enum vm_lone_op {
#define NAME(name) VM_LONE_##name,
#include "vm/lone_names.def"
  VM_LONE_COUNT
};

struct vm_one {
  u16 op;
  u8 flags, space; /* memory: enum vm_one_flag, enum ptx_space; setp: flags is 1 when negated */
  u32 pos_id;
  u32 d, a, b, c; /* registers as offsets in the frame; branches: b is the target */
  u64 imm;
};
_Static_assert(sizeof(struct vm_one) == 32, "two to a cache line");
enum vm_one_flag {
  VM_ONE_WIDE = 1,  /* the address register has 64 bits */
  VM_ONE_FIXED = 2, /* the address is imm */
  VM_ONE_SIGNED = 4,
};

/* Which compact operation stands for a handler: each file of handlers lists its own. */
struct vm_lone_row {
  vm_fn *fn;
  u16 op;
};
#define VM_LONE_ROW(name)                                                                          \
  { name, VM_LONE_##name }
struct vm_lone_table {
  const struct vm_lone_row *rows;
  u32 count;
};
#define VM_LONE_TABLE(name, ...)                                                                   \
  static const struct vm_lone_row name##_rows[] = {__VA_ARGS__};                                   \
  const struct vm_lone_table vm_lone_##name = {name##_rows, COUNT_OF(name##_rows)};
extern const struct vm_lone_table vm_lone_int, vm_lone_div, vm_lone_bits, vm_lone_float,
    vm_lone_cvt, vm_lone_cmp, vm_lone_select, vm_lone_move, vm_lone_flow, vm_lone_access,
    vm_lone_param, vm_lone_field;

/* lone_code.c: instruction `index` of the running function, when it is first executed. */
void vm_lone_translate(struct vm_exec *x, u32 index);
/* Of the tests: is some handler of the machine listed for this operation? */
bool vm_lone_is_used(enum vm_lone_op op);

static inline struct vm_repeat *vm_repeat_of(const struct vm_machine *m, u32 pos_id, u64 address) {
  return &m->repeats[(pos_id * 5 + (u32)(address >> VM_REPEAT_SHIFT)) % VM_REPEATS];
}
/* Are these bytes defined? Aligned, at most 8: within one byte of bits. */
static inline bool vm_lone_defined(const struct vm_mem *mem, u64 offset, u32 size) {
  if (mem->all_valid || !mem->valid) return true;
  u32 ones = (1u << size) - 1;
  return ((u32)mem->valid[offset >> 3] >> (offset & 7) & ones) == ones;
}

/* vm_watch_load for x->lone; value: the register's, offset within mem. */
static inline void vm_watch_lone(struct vm_exec *x, const struct vm_insn *in, struct vm_mem *mem,
                                 u32 offset, u32 bytes, u64 value) {
  struct vm_group *g = x->group;
  g->load_hash = vm_watch_mix(g->load_hash ? g->load_hash : VM_WATCH_FIRST, value + offset);
  g->spin_mem = mem;
  g->spin_offset = offset;
  g->spin_size = bytes;
  g->spin_value = value;
  g->spin_lane = x->lone.lane;
  vm_spin_at(x, in);
}

/* lone_access.c: false: nothing has been done, the handler has to. Where they find that the
 * instruction goes to local memory they make it local_..., which is quicker there. */
bool vm_lone_load4(struct vm_exec *x, const struct vm_one *i);
bool vm_lone_load8(struct vm_exec *x, const struct vm_one *i);
bool vm_lone_load_small(struct vm_exec *x, const struct vm_one *i);
bool vm_lone_store4(struct vm_exec *x, const struct vm_one *i);
bool vm_lone_store8(struct vm_exec *x, const struct vm_one *i);
bool vm_lone_store_small(struct vm_exec *x, const struct vm_one *i);

/* lone.c: runs the loaded group, one lane, until it stops, changes its frame or is joined by
 * others. The number of instructions executed, at least one. */
u64 vm_lone_run(struct vm_exec *x);
#endif
