/* compare.h - one random program under some schedules: does the detector say what the oracle says?
 */
#ifndef WL_TEST_ORACLE_COMPARE_H
#define WL_TEST_ORACLE_COMPARE_H
#include "base/base.h"

struct compare_count {
  u64 programs, runs, racy, events;
};
/* false + why: they disagree; `why` says how to see it again and prints both. */
bool compare_program(u64 seed, u32 schedules, struct compare_count *n, struct strbuf *why);
#endif
