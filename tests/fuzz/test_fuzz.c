/* test_fuzz.c - what the fuzzers found once must not come back, and the fuzzers themselves must be
 * worth their time: their changes reach the machine, and are the same for the same seed. */
#include <check.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "fuzz/mutate.h"
#include "fuzz/target.h"

Suite *suite_fuzz(void);

enum { FILE_MAX = 1 << 20 };

static u32 each_file(const char *pattern, void (*what)(const char *path, str text)) {
  glob_t g;
  if (glob(pattern, 0, NULL, &g) != 0) ck_abort_msg("%s: nothing there", pattern);
  for (size_t i = 0; i < g.gl_pathc; i++) {
    struct arena a = {0};
    struct diag why = {0};
    str text;
    if (!file_read(&a, g.gl_pathv[i], FILE_MAX, &text, &why)) ck_abort_msg("%s", why.text);
    what(g.gl_pathv[i], text);
    arena_free(&a);
  }
  u32 n = (u32)g.gl_pathc;
  globfree(&g);
  return n;
}

static void both(const char *path, str text) {
  (void)path;
  fuzz_parse((const u8 *)text.p, text.n);
  fuzz_machine((const u8 *)text.p, text.n);
}

START_TEST(found_before) { ck_assert_uint_ge(each_file("tests/fuzz/found/*", both), 3); }
END_TEST

static void must_run(const char *path, str text) {
  struct fuzz_ran ran = fuzz_machine((const u8 *)text.p, text.n);
  if (!ran.parsed || !ran.loaded || !ran.steps) ck_abort_msg("%s does not run", path);
}

START_TEST(seeds_run) { ck_assert_uint_ge(each_file("tests/fuzz/corpus/*", must_run), 10); }
END_TEST

/* ---- the mutator ---- */
static u32 mutants, parsed, ran, differ;

static void mutate(const char *path, str text) {
  static char one[FUZZ_TEXT_MAX], two[FUZZ_TEXT_MAX];
  (void)path;
  if (text.n > 4096) return;
  for (u64 seed = 0; seed < 2; seed++) {
    memcpy(one, text.p, text.n);
    memcpy(two, text.p, text.n);
    size_t n = fuzz_mutate(one, text.n, sizeof one, seed * 977 + mutants);
    size_t m = fuzz_mutate(two, text.n, sizeof two, seed * 977 + mutants);
    ck_assert_uint_eq(n, m);
    ck_assert_mem_eq(one, two, n);
    struct fuzz_ran how = fuzz_machine((const u8 *)one, n);
    mutants++;
    parsed += how.parsed;
    ran += how.steps > 0;
    differ += n != text.n || memcmp(one, text.p, n) != 0;
  }
}

START_TEST(mutants_reach_the_machine) {
  each_file("tests/ops/*.ptx", mutate);
  ck_assert_uint_gt(mutants, 300);
  ck_assert_uint_gt(differ, mutants * 8 / 10);
  if (ran * 4 < mutants)
    ck_abort_msg("of %u mutants %u parse and %u run: the fuzzer tests the parser only", mutants,
                 parsed, ran);
}
END_TEST

START_TEST(mutants_stay_within_bounds) {
  static char text[256];
  str seed = STR(FUZZ_HEAD "0123456789abcdef\nld.global.u32 %r1, [%d1+4];\nst.u32 [%d2], 7;\n");
  for (u64 s = 0; s < 2000; s++) {
    memset(text, '#', sizeof text);
    memcpy(text, seed.p, seed.n);
    size_t max = seed.n + s % 40, n = fuzz_mutate(text, seed.n, max, s);
    ck_assert_uint_le(n, max);
    for (size_t i = max; i < sizeof text; i++) ck_assert_int_eq(text[i], '#');
    n = fuzz_cross(seed, seed, text, max, s);
    ck_assert_uint_le(n, max);
    for (size_t i = max; i < sizeof text; i++) ck_assert_int_eq(text[i], '#');
  }
}
END_TEST

Suite *suite_fuzz(void) {
  Suite *s = suite_create("fuzz");
  TCase *t = tcase_create("fuzz");
  tcase_set_timeout(t, 300);
  tcase_add_test(t, found_before);
  tcase_add_test(t, seeds_run);
  tcase_add_test(t, mutants_reach_the_machine);
  tcase_add_test(t, mutants_stay_within_bounds);
  suite_add_tcase(s, t);
  return s;
}
