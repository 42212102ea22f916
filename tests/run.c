/* run.c - runs the project's unit tests with Check: every suite_NAME of tests/unit/test_NAME.c.
 *
 * Check takes a test that calls exit(0) for a passed one. Each test case therefore gets a canary:
 * its teardown says "came to its end", and a test process that exits without it has failed. The
 * first thing this program does is to see that the canary sings. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define S(name) Suite *suite_##name(void);
#include "suites.def"
#undef S

static pid_t test_process;
static int came_to_its_end;

static void canary_start(void) {
  test_process = getpid();
  came_to_its_end = 0;
}
static void canary_end(void) { came_to_its_end = 1; }
static void canary_at_exit(void) {
  if (getpid() == test_process && !came_to_its_end) _exit(99);
}

/* The linker sends every tcase_create here (--wrap). */
TCase *__real_tcase_create(const char *name);
TCase *__wrap_tcase_create(const char *name);
TCase *__wrap_tcase_create(const char *name) {
  TCase *t = __real_tcase_create(name);
  tcase_add_checked_fixture(t, canary_start, canary_end);
  return t;
}

START_TEST(leaves_early) { exit(0); }
END_TEST

static int canary_works(void) {
  Suite *s = suite_create("canary");
  TCase *t = tcase_create("canary");
  tcase_add_test(t, leaves_early);
  suite_add_tcase(s, t);
  SRunner *r = srunner_create(s);
  srunner_run_all(r, CK_SILENT);
  int failed = srunner_ntests_failed(r);
  srunner_free(r);
  return failed == 1;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  atexit(canary_at_exit);
  if (!getenv("CK_RUN_CASE") && !getenv("CK_RUN_SUITE") && !getenv("CK_FORK") && !canary_works()) {
    fprintf(stderr, "tests: a test that calls exit(0) passes: nothing here can be trusted\n");
    return 2;
  }
  SRunner *r = srunner_create(NULL);
#define S(name)                                                                                    \
  if (argc < 2 || strcmp(argv[1], #name) == 0) srunner_add_suite(r, suite_##name());
#include "suites.def"
#undef S
  srunner_run_all(r, CK_NORMAL);
  int run = srunner_ntests_run(r), failed = srunner_ntests_failed(r);
  srunner_free(r);
  printf("tests: %d run, %d failed\n", run, failed);
  if (run == 0) fprintf(stderr, "tests: nothing was run\n");
  return failed || run == 0 ? 1 : 0;
}
