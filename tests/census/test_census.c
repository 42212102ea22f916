/* test_census.c - the census counts what it should; and modules that the machine must take whole:
 * the cases of tests/ops decode without a gap, but for those that are about one. */
#include <check.h>
#include <dirent.h>
#include <string.h>
#include "census/census.h"

#define MODULE(body)                                                                               \
  ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<4>;\n" body \
  "ret;\n}\n"

START_TEST(counts) {
  struct census c = {0};
  struct diag why = {0};
  ck_assert(census_add(&c, STR(MODULE("add.u32 %r1, %r2, 3;\n")), &why));
  ck_assert_uint_eq(c.functions, 1);
  ck_assert_uint_eq(c.gaps, 0);
  ck_assert(
      census_add(&c, STR(MODULE("add.f16.wide %r1, %r2, 3;\nadd.f16.wide %r1, %r2, 3;\n")), &why));
  ck_assert_uint_eq(c.gaps, 2);
  ck_assert_uint_eq(c.beyond, 0);
  ck_assert_ptr_nonnull(strstr(c.text.p, "add.f16.wide"));
  ck_assert_ptr_null(strstr(strstr(c.text.p, "add.f16.wide") + 1, "\n    add.f16.wide"));
  ck_assert(census_add(&c, STR(MODULE("wgmma.fence.sync.aligned;\n")), &why));
  ck_assert_uint_eq(c.gaps, 2);
  ck_assert_uint_eq(c.beyond, 1);
  ck_assert(census_add(&c, STR(MODULE("add.u32.sideways %r1, %r2, 3;\n")), &why));
  ck_assert_ptr_nonnull(strstr(c.text.p, ".sideways is not known"));
  ck_assert(!census_add(&c, STR("no PTX at all"), &why));
  census_free(&c);
}
END_TEST

/* A part of a register belongs to video instructions. */
START_TEST(parts) {
  struct census c = {0};
  struct diag why = {0};
  ck_assert(census_add(&c, STR(MODULE("vadd.u32.u32.u32 %r1, %r2.b1, %r3.h0;\n")), &why));
  ck_assert_uint_eq(c.gaps, 0);
  ck_assert(census_add(&c, STR(MODULE("add.u32 %r1, %r2.b1, %r3;\n")), &why));
  ck_assert_uint_eq(c.gaps, 1);
  ck_assert(census_add(&c, STR(MODULE("vadd4.u32.u32.u32 %r1, %r2.b10, %r3, %r3;\n")), &why));
  ck_assert_uint_eq(c.gaps, 2);
  census_free(&c);
}
END_TEST

START_TEST(ops_whole) {
  DIR *d = opendir("tests/ops");
  ck_assert_msg(d != NULL, "run the tests from the top of the project");
  u32 read = 0;
  for (struct dirent *e; (e = readdir(d));) {
    struct arena a = {0};
    struct diag why = {0};
    struct census c = {0};
    str text;
    if (!strstr(e->d_name, ".ptx")) continue;
    ck_assert_msg(file_read(&a, arena_printf(&a, "tests/ops/%s", e->d_name), 1 << 20, &text, &why),
                  "%s", why.text);
    bool about_a_gap = str_has(text, "INTERNAL");
    bool ok = census_add(&c, text, &why);
    if (!about_a_gap) {
      ck_assert_msg(ok, "%s: %s", e->d_name, why.text);
      ck_assert_msg(c.gaps == 0 && c.beyond == 0, "%s:\n%.*s", e->d_name, (int)c.text.n, c.text.p);
    }
    read++;
    census_free(&c);
    arena_free(&a);
  }
  closedir(d);
  ck_assert_uint_gt(read, 300);
}
END_TEST

Suite *suite_census(void);
Suite *suite_census(void) {
  Suite *s = suite_create("census");
  TCase *t = tcase_create("census");
  tcase_set_timeout(t, 30);
  tcase_add_test(t, counts);
  tcase_add_test(t, parts);
  tcase_add_test(t, ops_whole);
  suite_add_tcase(s, t);
  return s;
}
