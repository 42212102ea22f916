/* exec.h - what an instruction handler sees: 32-lane registers, the active mask, the decoded
 * instruction.
 *
 * Registers. Each virtual register of a function is a slot of its frame: a 32-byte header, then 32
 * lanes of data (structure of arrays), 32-byte aligned: u16[32], u32[32], u64[32], 32 x 16 bytes; a
 * predicate is one u32, a bit a lane. The header carries the validity mask (bit set = that lane's
 * value is defined) and where an undefined value came from. Immediates and addresses known at load
 * are slots of the function's constant pool (valid in all lanes), so a handler never asks which
 * kind an operand is.
 *
 * A handler computes the lanes in x->mask and leaves the others alone, data and validity. Inactive
 * lanes' source data may be anything: computing them and throwing them away is fine where it cannot
 * trap. */
#ifndef WL_VM_EXEC_H
#define WL_VM_EXEC_H
#include "vm/vm.h"
#include <string.h>

#define VM_FULL 0xffffffffu
struct vm_slot { /* header in front of the data */
  u32 valid;
  u32 origin_pos; /* pos_id of the instruction that brought the undefined value in */
  struct vm_object *origin_object; /* memory it was loaded from; NULL = register or shuffle */
  u64 origin_offset; /* in that object; without one: pos_id of the call that led to origin_pos, 0 =
                        unknown */
  struct vm_partial *partial; /* bytes defined where a lane is partly defined (copies of padded
                                 structs), or NULL */
};
_Static_assert(sizeof(struct vm_slot) == 32, "slot headers keep the data aligned");

struct vm_exec;
struct vm_insn;
typedef void vm_fn(struct vm_exec *x, const struct vm_insn *in);

struct vm_insn {
  vm_fn *fn;     /* what the run loop calls */
  i32 dst, dst2; /* operand references (see vm_data); -1 where absent: constants are < -1 */
  i32 src[4];
  i64 imm; /* address offset, shift of lop3's table, ... by handler */
  vm_fn
      *inner; /* guarded instructions: fn = vm_op_guarded, which narrows the mask and calls this */
  i32 guard;  /* predicate reference, -1 = none */
  u32 target; /* branch target, an index into the function's code */
  i32 reconverge; /* PTX_AT_RETURN or an index */
  u32 pos_id;     /* number of this instruction in the launch's code */
  u16 op;         /* enum ptx_op */
  u8 guard_not;
  u8 size;                    /* memory: bytes of one element */
  u8 vec;                     /* memory: elements (1, 2, 4, 8) */
  u8 space, sem, scope, kind; /* memory: enum ptx_space, vm_sem, vm_scope, vm_access_kind */
  u8 a, b, c, d; /* small operands by handler: atomic operation, comparison, rounding ... */
  void *more;    /* rarer things, by handler (vector operand lists, call descriptions) */
  const struct ptx_insn *ptx;
};

struct vm_exec {              /* the running group */
  u8 *base[2];                /* [0] the frame's slots, [1] the function's constant pool */
  u32 mask;                   /* active lanes of this instruction */
  u32 group_mask;             /* lanes of the group (mask without guard) */
  u32 lane_mask[VM_LANES];    /* ~0 or 0 for each lane of `mask`: kept up to date with it */
  u32 *carry;                 /* the frame's condition code: one bit a lane */
  const struct vm_insn *next; /* control flow sets it */
  u32 stop;                   /* non-zero: leave the inner loop (enum vm_stop in machine.h) */
  bool undefined;             /* track undefined values */
  const struct vm_late *late; /* for the access event; NULL except under `buffered` */
  const struct vm_insn *code; /* instruction 0 of the running function */
  struct vm_machine *m;
  struct vm_block *block;
  struct vm_warp *warp;
  struct vm_group *group;
  struct vm_frame *frame;
  struct vm_lone lone; /* while one lane runs by itself: see lone.c */
};

/* Operand reference -> its data. References >= 0 are offsets into the frame, < -1 into the constant
 * pool. */
static inline u8 *vm_data(const struct vm_exec *x, i32 ref) {
  return x->base[(u32)ref >> 31] + ((u32)ref & 0x7fffffffu);
}
static inline struct vm_slot *vm_head(u8 *data) {
  return (struct vm_slot *)(void *)(data - sizeof(struct vm_slot));
}
static inline u16 *vm_u16(const struct vm_exec *x, i32 ref) {
  return (u16 *)(void *)__builtin_assume_aligned(vm_data(x, ref), 32);
}
static inline u32 *vm_u32(const struct vm_exec *x, i32 ref) {
  return (u32 *)(void *)__builtin_assume_aligned(vm_data(x, ref), 32);
}
static inline u64 *vm_u64(const struct vm_exec *x, i32 ref) {
  return (u64 *)(void *)__builtin_assume_aligned(vm_data(x, ref), 32);
}
static inline i32 *vm_s32(const struct vm_exec *x, i32 ref) {
  return (i32 *)(void *)__builtin_assume_aligned(vm_data(x, ref), 32);
}
static inline i64 *vm_s64(const struct vm_exec *x, i32 ref) {
  return (i64 *)(void *)__builtin_assume_aligned(vm_data(x, ref), 32);
}
static inline float *vm_f32(const struct vm_exec *x, i32 ref) {
  return (float *)(void *)__builtin_assume_aligned(vm_data(x, ref), 32);
}
static inline double *vm_f64(const struct vm_exec *x, i32 ref) {
  return (double *)(void *)__builtin_assume_aligned(vm_data(x, ref), 32);
}
static inline u32 *vm_pred(const struct vm_exec *x, i32 ref) {
  return (u32 *)(void *)vm_data(x, ref);
}

/* Validity of a result computed lane by lane from up to three sources: the AND. Call before the
 * data is written. The slow half (some active lane undefined) also hands the origin on. */
void vm_origin_copy(struct vm_exec *x, u8 *dst, u32 invalid, const struct vm_insn *in, int nsrc);
static inline void vm_result(struct vm_exec *x, const struct vm_insn *in, u8 *dst, u32 valid,
                             int nsrc) {
  struct vm_slot *h = vm_head(dst);
  h->valid = (h->valid & ~x->mask) | (valid & x->mask);
  if (__builtin_expect((~valid & x->mask) != 0, 0))
    vm_origin_copy(x, dst, ~valid & x->mask, in, nsrc);
}
static inline u32 vm_valid(const struct vm_exec *x, i32 ref) {
  return vm_head(vm_data(x, ref))->valid;
}
static inline u32 vm_lanes_valid(const void *data) { /* of a register, by where its lanes are */
  return ((const struct vm_slot *)((const u8 *)data - sizeof(struct vm_slot)))->valid;
}
static inline void vm_result1(struct vm_exec *x, const struct vm_insn *in) {
  vm_result(x, in, vm_data(x, in->dst), vm_valid(x, in->src[0]), 1);
}
static inline void vm_result2(struct vm_exec *x, const struct vm_insn *in) {
  vm_result(x, in, vm_data(x, in->dst), vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]), 2);
}
static inline void vm_result3(struct vm_exec *x, const struct vm_insn *in) {
  vm_result(x, in, vm_data(x, in->dst),
            vm_valid(x, in->src[0]) & vm_valid(x, in->src[1]) & vm_valid(x, in->src[2]), 3);
}

/* Ends the launch with a fault of this kind at the current instruction for lanes `mask`. */
void vm_fault_now(struct vm_exec *x, const struct vm_insn *in, enum vm_fault_kind kind, u32 mask,
                  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* ---- picking a handler: once, when a function is first decoded ---- */
struct vm_pick {
  const struct ptx_insn *in;
  const struct ptx_func *func;
  struct vm_insn *out;
  struct vm_code *code; /* the function being decoded */
  struct vm_machine *m;
  char why[160]; /* set when a picker returns false: "add.f16.cc: no such form" */
};
/* One for each row of ops.def. Sets out->fn and operands; false: the form is not supported
 * (executing it is a named error, loading it is not). */
#define O(name, text, flags) bool vm_pick_##name(struct vm_pick *p);
#include "ptx/ops.def"
#undef O
/* Resolve operand number `operand` of the instruction as a destination / source of type t. The
 * register must be as wide as t (8-bit types: 16-bit registers or wider when `wide_ok`). Immediates
 * become constants of that type (integers truncated to the width, float literals converted);
 * addresses of variables too. false + why when the operand does not fit. Predicates: T_PRED. "!p"
 * sources become complemented constants only for immediates; for registers see vm_src_not. */
bool vm_dst(struct vm_pick *p, u32 operand, enum ptx_type t);  /* -> out->dst */
bool vm_dst2(struct vm_pick *p, u32 operand, enum ptx_type t); /* -> out->dst2 */
/* The same; "_", which throws the result away, leaves -1: for handlers that look. */
bool vm_dst_or_sink(struct vm_pick *p, u32 operand, enum ptx_type t);
bool vm_dst2_or_sink(struct vm_pick *p, u32 operand, enum ptx_type t);
bool vm_src(struct vm_pick *p, u32 slot, u32 operand, enum ptx_type t); /* -> out->src[slot] */
bool vm_no(struct vm_pick *p,
           const char *what); /* returns false, sets why to "<opcode text>: <what>" */
i32 vm_const_u64(
    struct vm_pick *p, u64 bits,
    u32 width_bytes); /* a constant broadcast to 32 lanes; width 2, 4, 8; 0 = predicate */
u32 vm_operand_bytes(const struct vm_pick *p,
                     u32 operand); /* register width; 0 predicate; immediates: 0xff */
static inline bool vm_use(struct vm_pick *p, vm_fn *fn) {
  p->out->fn = fn;
  return true;
}
static inline enum ptx_type vm_type(const struct vm_pick *p, u32 i) {
  return i < p->in->type_count ? p->in->types[i] : T_NONE;
}
#endif
