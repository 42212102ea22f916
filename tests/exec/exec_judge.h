/* exec_judge.h - is what `warplings exec --format json` printed what the case wants? */
#ifndef WL_TEST_EXEC_JUDGE_H
#define WL_TEST_EXEC_JUDGE_H
#include "exec/exec_case.h"

/* false: why says what differs, in one line. */
bool exec_judge(const struct exec_case *c, const char *json, struct diag *why);
#endif
