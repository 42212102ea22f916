/* test_report.c - every report format from one constructed set of verdicts, and what escaping must
 * stop. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "report/report.h"

static struct verdict pass, race, skip, internal;
static struct finding findings[3];

static void make_verdicts(void) {
  verdict_init(&pass);
  verdict_init(&race);
  verdict_init(&skip);
  verdict_init(&internal);
  pass.evidence = (struct verdict_evidence){.shapes = 2,
                                            .shapes_total = 2,
                                            .schedules = 12,
                                            .runs = 24,
                                            .shape_names = "n=1, n=33",
                                            .failed_shape = "",
                                            .compiler = "clang 14.0.6",
                                            .race_checked = true,
                                            .values_checked = true};
  race.kind = V_RACE;
  race.evidence = (struct verdict_evidence){.shapes = 1,
                                            .shapes_total = 2,
                                            .schedules = 1,
                                            .runs = 2,
                                            .shape_names = "n=1",
                                            .failed_shape = "n=33",
                                            .compiler = "clang 14.0.6"};
  race.findings = findings;
  race.finding_count = 1;
  race.milliseconds = 12.5;
  findings[0] = (struct finding){.kind = V_RACE,
                                 .space = "shared",
                                 .object = "tile",
                                 .offset = 20,
                                 .element = 5,
                                 .access_count = 2,
                                 .suggestion = "Put a barrier between.",
                                 .message = "Nothing orders the write before the read.",
                                 .waits = "",
                                 .schedule = "converged",
                                 .seed = 1};
  findings[0].accesses[0] = (struct finding_access){.op = "write",
                                                    .thread = {37, 0, 0},
                                                    .warp = 1,
                                                    .lane = 5,
                                                    .file = "no_such_file.cu",
                                                    .line = 31};
  findings[0].accesses[1] = (struct finding_access){.op = "read",
                                                    .thread = {5, 0, 0},
                                                    .lane = 5,
                                                    .others = 3,
                                                    .file = "no_such_file.cu",
                                                    .line = 34};
  findings[1] = (struct finding){.kind = V_SKIP,
                                 .element = -1,
                                 .space = "",
                                 .object = "",
                                 .message = "needs # the toolkit",
                                 .suggestion = "",
                                 .waits = "",
                                 .schedule = ""};
  findings[2] = findings[1];
  findings[2].kind = V_INTERNAL;
  findings[2].message = "<no> \"instruction\" & \x01\xff";
  skip.kind = V_SKIP;
  skip.findings = &findings[1];
  skip.finding_count = 1;
  internal.kind = V_INTERNAL;
  internal.findings = &findings[2];
  internal.finding_count = 1;
}

static char *render(const char *format, bool details) {
  char *text = NULL;
  size_t n = 0;
  const struct report_format *f;
  ck_assert(report_format_find(format, &f));
  struct report r = {
      .style = {
          .out = open_memstream(&text, &n), .backend = "vm", .seed = 1, .detail_all = details}};
  const struct verdict *v[] = {&pass, &race, &skip, &internal};
  const char *ids[] = {"01_one", "02_two", "03_three", "04_four"};
  for (u32 i = 0; i < 4; i++)
    report_add(&r, f,
               &(struct report_item){.id = ids[i],
                                     .title = "Title",
                                     .learned = "",
                                     .path = "k.cu",
                                     .number = i + 1,
                                     .total = 4,
                                     .v = v[i],
                                     .replay = "make check P=01 SEED=1"});
  report_end(&r, f);
  ck_assert_uint_eq(r.count, 4);
  ck_assert_uint_eq(r.passed, 1);
  report_free(&r);
  fclose(r.style.out);
  return text;
}

START_TEST(text_shows_the_first_failure_in_full) {
  static const char want[] =
      "[01/04] 01_one                        PASS\n"
      "[02/04] 02_two                        RACE  shared tile[5]\n"
      "  build   ok     clang 14.0.6\n"
      "  values  ok     1 of 2 shapes (n=1)\n"
      "  race    FAIL   shared tile[5], in shape n=33, schedule converged, seed 1\n"
      "          no_such_file.cu:31  write by thread (37,0,0) of block 0, warp 1\n"
      "          no_such_file.cu:34  read by thread (5,0,0) of block 0, warp 0, and 3 more "
      "threads\n"
      "          Nothing orders the write before the read.\n"
      "          try: Put a barrier between.\n"
      "  about   docs/findings.md#race\n"
      "  replay  make check P=01 SEED=1\n"
      "\n"
      "[03/04] 03_three                      SKIP\n"
      "[04/04] 04_four                       INTERNAL\n"
      "\n"
      "  4 judged:  1 PASS  1 INTERNAL  1 RACE  1 SKIP\n";
  make_verdicts();
  char *got = render("text", false);
  ck_assert_str_eq(got, want);
  free(got);
}
END_TEST

START_TEST(json_is_as_designed) {
  make_verdicts();
  char *got = render("json", false);
  ck_assert_ptr_nonnull(strstr(
      got,
      "{\"kind\": \"RACE\", \"severity\": \"error\", \"space\": \"shared\", \"object\": \"tile\", "
      "\"offset\": 20, \"element\": 5, \"accesses\": [{\"op\": \"write\", \"thread\": [37, 0, 0], "
      "\"block\": [0, 0, 0], \"warp\": 1, \"lane\": 5, \"others\": 0, "
      "\"file\": \"no_such_file.cu\", \"line\": 31, \"stack\": []}, "));
  ck_assert_ptr_nonnull(
      strstr(got, "\"message\": \"<no> \\\"instruction\\\" & \\u0001\xef\xbf\xbd\""));
  ck_assert_ptr_nonnull(
      strstr(got, "\"evidence\": {\"shapes\": 2, \"shapes_total\": 2, \"schedules\": 12"));
  ck_assert_ptr_nonnull(strstr(got, "\"milliseconds\": 12.5}"));
  ck_assert_ptr_nonnull(strstr(got, "\"passed\": 1, \"judged\": 4"));
  free(got);
}
END_TEST

START_TEST(junit_tells_faults_apart) {
  make_verdicts();
  char *got = render("junit", false);
  ck_assert_ptr_nonnull(
      strstr(got, "tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"0.013\""));
  ck_assert_ptr_nonnull(strstr(got, "<failure type=\"RACE\" message=\"Nothing orders the write"));
  ck_assert_ptr_nonnull(
      strstr(got, "<error type=\"INTERNAL\" message=\"&lt;no&gt; &quot;instruction&quot; &amp; "
                  "\xef\xbf\xbd\xef\xbf\xbd\">"));
  ck_assert_ptr_nonnull(strstr(got, "<skipped message=\"needs # the toolkit\"/>"));
  free(got);
}
END_TEST

START_TEST(tap_is_well_formed) {
  static const char want[] = "TAP version 14\n1..4\n"
                             "ok 1 - 01_one\n"
                             "not ok 2 - 02_two\n"
                             "  ---\n"
                             "  verdict: RACE\n"
                             "  message: \"Nothing orders the write before the read.\"\n"
                             "  at:\n"
                             "    file: \"no_such_file.cu\"\n"
                             "    line: 31\n"
                             "  replay: \"make check P=01 SEED=1\"\n"
                             "  ...\n"
                             "ok 3 - 03_three # SKIP needs \\# the toolkit\n"
                             "not ok 4 - 04_four\n";
  make_verdicts();
  char *got = render("tap", false);
  ck_assert_int_eq(strncmp(got, want, strlen(want)), 0);
  free(got);
}
END_TEST

START_TEST(a_kernel_cannot_write_to_the_terminal) {
  make_verdicts();
  pass.printed = "red \033[31m \r\xc0\xaf line\n[99/99] fake PASS\n";
  char *got = render("text", true);
  ck_assert_ptr_null(strchr(got, '\033'));
  ck_assert_ptr_null(strchr(got, '\r'));
  ck_assert_ptr_nonnull(strstr(got, "\n          [99/99] fake PASS\n"));
  free(got);
}
END_TEST

START_TEST(exit_status_of_a_verdict) {
  ck_assert_int_eq(report_exit(V_PASS), 0);
  ck_assert_int_eq(report_exit(V_SKIP), 0);
  ck_assert_int_eq(report_exit(V_INTERNAL), 2);
  for (int k = V_COMPILE; k < V_SKIP; k++) ck_assert_int_eq(report_exit((enum verdict_kind)k), 1);
}
END_TEST

Suite *suite_report(void);
Suite *suite_report(void) {
  Suite *s = suite_create("report");
  TCase *t = tcase_create("formats");
  tcase_add_test(t, text_shows_the_first_failure_in_full);
  tcase_add_test(t, json_is_as_designed);
  tcase_add_test(t, junit_tells_faults_apart);
  tcase_add_test(t, tap_is_well_formed);
  tcase_add_test(t, a_kernel_cannot_write_to_the_terminal);
  tcase_add_test(t, exit_status_of_a_verdict);
  suite_add_tcase(s, t);
  return s;
}
