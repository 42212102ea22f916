/* test_learn.c - hints.md as sections, and text on a screen of a given width. What a learner sees
 * of both is in tests/cli/day.sh and watch.sh. */
#include <check.h>
#include <string.h>
#include "cli/watch.h"

Suite *suite_learn(void);

/* ---- hints ---- */
START_TEST(sections_of_hints) {
  struct hints h;
  struct diag why = {0};
  ck_assert(hints_read(STR("Words in front.\n## Hint 1\nLook.\n\n## If RACE\nTwo\nlines.\n"
                           "## Hint 2\nThink.\n## Hint 3\nDo.\n## If WRONG\n\n"),
                       &h, &why));
  ck_assert_uint_eq(h.count, 5);
  ck_assert_uint_eq(h.numbered, 3);
  ck_assert_uint_eq(h.items[2].number, 2);
  ck_assert(str_eqz(h.items[0].body, "Look."));
  ck_assert(str_eqz(hints_for(&h, V_RACE)->body, "Two\nlines."));
  ck_assert_uint_eq(hints_for(&h, V_WRONG)->body.n, 0);
  ck_assert_ptr_null(hints_for(&h, V_UNINIT));
}
END_TEST

START_TEST(sections_that_are_refused) {
  static const char *const bad[] = {"## If SUNSHINE\nx\n", "## If race\nx\n",
                                    "## If PASS\nx\n",     "## If INTERNAL\nx\n",
                                    "## If SKIP\nx\n",     "## If RACE\nx\n## If RACE\ny\n"};
  struct hints h;
  char many[4096] = "";
  for (size_t i = 0; i < COUNT_OF(bad); i++) {
    struct diag why = {0};
    ck_assert_msg(!hints_read(str_of(bad[i]), &h, &why), "%s", bad[i]);
    ck_assert(why.set);
  }
  for (int i = 0; i < 100; i++) strcat(many, "## Hint\nx\n");
  struct diag why = {0};
  ck_assert(!hints_read(str_of(many), &h, &why));
}
END_TEST

/* ---- the screen ---- */
static str row(const struct screen *s, u32 i) {
  size_t end = i + 1 < s->count ? s->starts[i + 1] : s->text.n;
  return (str){s->text.p + s->starts[i], end - s->starts[i]};
}

START_TEST(text_is_wrapped) {
  struct terminal t = {.rows = 10, .columns = 20, .utf8 = true};
  struct screen s = {0};
  screen_set(&s, &t, STR("short\n\n  indented words that go on\naaaaaaaaaaaaaaaaaaaaaaaaa\n\n\n"));
  ck_assert_uint_eq(s.count, 6);
  ck_assert(str_eqz(row(&s, 0), "short"));
  ck_assert(str_eqz(row(&s, 1), ""));
  ck_assert(str_eqz(row(&s, 2), "  indented words"));
  ck_assert(str_eqz(row(&s, 3), "    that go on"));
  ck_assert(str_eqz(row(&s, 4), "aaaaaaaaaaaaaaaaaaaa"));
  ck_assert(str_eqz(row(&s, 5), "aaaaa"));
  ck_assert(!screen_is_cut(&s, &t));
  /* Colours and letters of several bytes: what counts is what is seen. */
  screen_set(&s, &t, STR("\033[31mtwenty columns wide!\033[0m\n→→→→→→→→→→→→→→→→→→→→\n"));
  ck_assert_uint_eq(s.count, 2);
  screen_free(&s);
}
END_TEST

START_TEST(text_becomes_ascii) {
  struct terminal t = {.rows = 10, .columns = 40};
  struct screen s = {0};
  screen_set(&s, &t, STR("a → b … “c” ☃ \xff\n"));
  for (size_t i = 0; i < s.text.n; i++) ck_assert_int_ge(s.text.p[i], ' ');
  ck_assert(str_starts(row(&s, 0), "a -> b ... \"c\" ?"));
  screen_free(&s);
}
END_TEST

START_TEST(scrolling_stays_inside) {
  struct terminal t = {.rows = 6, .columns = 20}; /* four for the text */
  struct screen s = {0};
  screen_set(&s, &t, STR("1\n2\n3\n4\n5\n6\n"));
  ck_assert(screen_is_cut(&s, &t));
  screen_scroll(&s, &t, -3);
  ck_assert_uint_eq(s.top, 0);
  screen_scroll(&s, &t, 1);
  ck_assert_uint_eq(s.top, 1);
  screen_scroll(&s, &t, 100);
  ck_assert_uint_eq(s.top, 2);
  screen_set(&s, &t, STR("1\n")); /* a shorter text */
  ck_assert_uint_eq(s.top, 0);
  screen_set(&s, &t, STR(""));
  ck_assert_uint_eq(s.count, 0);
  screen_free(&s);
}
END_TEST

Suite *suite_learn(void) {
  Suite *s = suite_create("learn");
  TCase *t = tcase_create("learn");
  tcase_add_test(t, sections_of_hints);
  tcase_add_test(t, sections_that_are_refused);
  tcase_add_test(t, text_is_wrapped);
  tcase_add_test(t, text_becomes_ascii);
  tcase_add_test(t, scrolling_stays_inside);
  suite_add_tcase(s, t);
  return s;
}
