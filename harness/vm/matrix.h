/* matrix.h - fragments: which lane and register holds which element of a matrix. Private to the
 * matrix handlers.
 *
 * Layouts are those of the PTX ISA (9.7.14.5, mma.sync). wmma fragments are opaque there; 16 x 16 x
 * 16 ones are put together from the mma.sync tiles, so that code which mixes both works; other
 * shapes lie in order. */
#ifndef WL_VM_MATRIX_H
#define WL_VM_MATRIX_H
#include "vm/machine.h"

enum { FRAG_REGS = 8 };
struct vm_frag {
  char name; /* 'a', 'b', 'c' (c and d alike) */
  u8 type;   /* enum ptx_type of an element */
  u32 rows, cols;
  u32 regs;    /* registers of a lane */
  u32 per_reg; /* elements in one */
  u32 reg_bytes;
  bool in_order; /* wmma shapes without tiles */
  i32 ref[FRAG_REGS];
};
/* matrix.c */
void vm_frag_at(const struct vm_frag *f, u32 lane, u32 reg, u32 sub, u32 *row, u32 *col);
bool vm_frag_pick(struct vm_pick *p, struct vm_frag *f, u32 operand, bool is_dst);

struct vm_mma { /* d = a * b + c */
  u32 m, n, k;
  bool satfinite;
  u8 bits;        /* products of single bits: MOD_AND or MOD_XOR; 0 = none */
  bool contained; /* .kind::f8f6f4: smaller elements lie in bytes, 4-bit ones in the middle */
  struct vm_frag a, b, c, d;
};
/* mma_quad.c: m8n8k4 of halves is four products, each by eight lanes. */
struct vm_quads {
  bool a_col, b_col, c_half, d_half; /* layouts; accumulators are .f16, not .f32 */
  u8 format;                         /* enum vm_format of a and b */
  i32 a[2], b[2], c[8], d[8];
};
bool vm_pick_mma_quads(struct vm_pick *p);
void vm_mma_quads(struct vm_exec *x, const struct vm_insn *in, const struct vm_quads *k);
void vm_mma(struct vm_exec *x, const struct vm_insn *in, const struct vm_mma *k);

/* collective.c: handlers that need all 32 lanes at once */
bool vm_pick_warp_wide(struct vm_pick *p, vm_fn *act, void *more);
void *vm_warp_wide(struct vm_exec *x,
                   const struct vm_insn *in); /* `more`; NULL: a fault, the warp is not whole */
#endif
