/* out.h - between out.c and the writers. */
#ifndef WL_GRADE_OUT_H
#define WL_GRADE_OUT_H
#include "grade/grade.h"
#include "report/escape.h"
#include "report/report.h"

const char *out_puzzle(const struct output *o, u32 i); /* its id */
u64 out_virtual_time(const struct verdict *v);         /* of a verdict with counters */
const char *out_gpu(const struct output *o); /* what a GPU did for this class; NULL: not asked */
/* As a student may see it: nothing of a hidden case but that it failed. */
void out_verdict(struct arena *a, const struct outcome *o, struct verdict *v);
void out_item(struct arena *a, const struct output *o, u32 i, const struct outcome *x,
              struct report_item *it);
#endif
