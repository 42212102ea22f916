/* test_names.c - what compile/names.c makes of line tables: lines of our own headers are their
 * caller's, and code is inlined only where a .loc directive stands. */
#include <check.h>
#include "compile/parts.h"

#define FILES                                                                                      \
  "\t.file\t1 \"mine.cu\"\n"                                                                       \
  "\t.file\t2 \"/there/warplings/cub_block.h\"\n"

static void becomes(const char *from, const char *to) {
  struct arena a = {0};
  char *ptx = arena_printf(&a, "%s%s", from, FILES), *want = arena_printf(&a, "%s%s", to, FILES);
  str got = compile_name_source(&a, str_of(ptx), "mine.cu");
  ck_assert_msg(str_eqz(got, want), "became\n" STR_F "\nnot\n%s", STR_A(got), want);
  arena_free(&a);
}

START_TEST(a_line_of_ours_is_the_callers) {
  becomes("\t.loc\t1 7 3\n"
          "\t.loc\t2 70 5, function_name $f0, inlined_at 1 7 3\n"
          "\tadd.s32 %r1, %r2, %r3;\n",
          "\t.loc\t1 7 3\n"
          "\t.loc\t1 7 3\n"
          "\tadd.s32 %r1, %r2, %r3;\n");
}
END_TEST

START_TEST(a_line_of_ours_that_nobody_calls_goes) {
  becomes("\t.loc\t2 70 5\n\tret;\n", "\n\tret;\n");
}
END_TEST

/* A function of ours calls back what the user wrote; the driver's assembler refuses "inlined_at"
 * a place that has no .loc. */
START_TEST(nothing_is_inlined_in_a_line_that_has_gone) {
  becomes("\t.loc\t1 7 3\n"
          "\t.loc\t2 70 5, function_name $f0, inlined_at 1 7 3\n"
          "\t.loc\t2 80 1, function_name $f1, inlined_at 2 70 5\n"
          "\t.loc\t1 4 9, function_name $f2, inlined_at 2 80 1\n"
          "\tmul.f32 %f1, %f2, %f3;\n",
          "\t.loc\t1 7 3\n"
          "\t.loc\t1 7 3\n"
          "\t.loc\t1 7 3\n"
          "\t.loc\t1 4 9, function_name $f2, inlined_at 1 7 3\n"
          "\tmul.f32 %f1, %f2, %f3;\n");
}
END_TEST

START_TEST(called_back_from_a_function_that_is_called) {
  becomes("\t.loc\t2 70 5\n"
          "\t.loc\t1 4 9, function_name $f2, inlined_at 2 70 5\n"
          "\tret;\n",
          "\n\t.loc\t1 4 9\n\tret;\n");
}
END_TEST

START_TEST(calls_among_the_users_functions_stay) {
  const char *same = "\t.loc\t1 7 3\n"
                     "\t.loc\t1 4 9, function_name $f0+12, inlined_at 1 7 3\n"
                     "\tret;\n";
  becomes(same, same);
}
END_TEST

Suite *suite_names(void);
Suite *suite_names(void) {
  Suite *s = suite_create("names");
  TCase *t = tcase_create("names");
  tcase_add_test(t, a_line_of_ours_is_the_callers);
  tcase_add_test(t, a_line_of_ours_that_nobody_calls_goes);
  tcase_add_test(t, nothing_is_inlined_in_a_line_that_has_gone);
  tcase_add_test(t, called_back_from_a_function_that_is_called);
  tcase_add_test(t, calls_among_the_users_functions_stay);
  suite_add_tcase(s, t);
  return s;
}
