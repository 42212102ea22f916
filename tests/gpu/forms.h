/* forms.h - every form of the arithmetic, conversion, memory and atomic instructions that tests on
 * a GPU compare with the virtual machine: one table (forms.c), expanded to PTX text with holes for
 * operands. Knows nothing about running them. */
#ifndef WL_TEST_GPU_FORMS_H
#define WL_TEST_GPU_FORMS_H
#include "base/base.h"

enum { FORM_OPERANDS = 10, FORMS_MAX = 4096 };
enum value_type { V_INT, V_F16, V_F16X2, V_BF16, V_BF16X2, V_TF32, V_F32, V_F64 };
enum form_flags {
  NANS = 1,   /* which NaN comes out is not specified: any equals any */
  APPROX = 2, /* compared within an error, never used by random programs */
  SMALL = 4,  /* float inputs within -2 pi to 2 pi: the range that the ISA states the error for */
  ALONE = 8,  /* only by itself, not in random programs */
  FUSES = 16, /* may be fused with its neighbours: in programs its last bit is open */
};
struct form {
  const char *text; /* "add.u32 $0, $1, $2;" outputs first */
  u32 outs, ins;
  char width[FORM_OPERANDS]; /* h r d: 16, 32, 64 bits; p: predicate */
  u8 type[FORM_OPERANDS];    /* enum value_type */
  u32 flags;
  double ulps, error; /* APPROX: fine when within either */
};
/* All forms, in the order of the table; strings in `keep`. */
u32 forms_expand(struct arena *keep, struct form *out, u32 cap);
/* Text with the operands' names put in; reg[i] names operand i. */
void form_print(struct strbuf *b, const struct form *f, const char *const *reg);
/* One input value: often a special one of the type. */
u64 form_value(u64 *rng, char width, enum value_type t, u32 flags);
/* Operand `operand` of row `row` of the values that every form is tried on; false: no more rows. */
bool form_edge(u32 row, u32 operand, char width, enum value_type t, u64 *out);
/* Equality of an output by the form's rules. *ulps: distance (APPROX). */
bool form_same(const struct form *f, u32 operand, u64 a, u64 b, double *ulps);
const char *value_text(struct arena *a, char width, enum value_type t, u64 v);
#endif
