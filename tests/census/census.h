/* census.h - which instructions of a PTX module the machine would refuse: every function is
 * decoded, nothing runs. Loading a module never fails over an instruction that nobody executes, so
 * running kernels is no test of coverage; this is. */
#ifndef WL_TEST_CENSUS_H
#define WL_TEST_CENSUS_H
#include "ptx/ptx.h"

struct census {
  u32 modules, functions, instructions;
  u32 gaps;           /* refused: the machine lacks them */
  u32 beyond;         /* known and not modelled on purpose: see harness/vm/reach.c */
  struct strbuf text; /* a line for each refused instruction or form that differs */
};
/* Adds one module. False + why: the text cannot be parsed or loaded at all. */
bool census_add(struct census *c, str ptx, struct diag *why);
void census_free(struct census *c);
#endif
