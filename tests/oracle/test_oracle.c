/* test_oracle.c - the race detector against the oracle, a short count; `make oracle` is the long
 * one. */
#include <check.h>
#include "oracle/compare.h"

Suite *suite_oracle(void);

enum { PROGRAMS = 400, SCHEDULES = 3, PARTS = 5 };

START_TEST(detector_agrees) {
  struct compare_count n = {0};
  struct strbuf why = {0};
  for (u32 i = 0; i < PROGRAMS; i++)
    if (!compare_program(1 + (u64)_i * PROGRAMS + i, SCHEDULES, &n, &why))
      ck_abort_msg("%.*s", (int)why.n, why.p);
  /* Else nothing was tried: many runs race, many do not. */
  ck_assert_uint_eq(n.runs, PROGRAMS * SCHEDULES);
  ck_assert_uint_gt(n.racy, n.runs / 5);
  ck_assert_uint_lt(n.racy, n.runs * 4 / 5);
}
END_TEST

Suite *suite_oracle(void) {
  Suite *s = suite_create("oracle");
  TCase *t = tcase_create("oracle");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, detector_agrees, 0, PARTS);
  suite_add_tcase(s, t);
  return s;
}
