/* test_includes.c - what compile/includes.c reads off a source: does it want the toolkit's headers,
 * and may its result be cached? In doubt it must say "not cacheable". */
#include <check.h>
#include "compile/parts.h"

START_TEST(includes_are_read_off) {
  const struct {
    const char *source;
    bool toolkit, cacheable;
  } cases[] = {
      {"int x;", false, true},
      {"#include <assert.h>\n", false, true},
      {"  #  include <stdio.h>\n// include the halo\n/* #include \"x\" */\n", false, true},
      {"const char *s = \"#include <x>\";\n", false, true},
      {"#include <mma.h>\n", true, true},
      {"#include <cuda/atomic>\n", true, true},
      {"#include \"mine.h\"\n", false, false},
      {"#include <vector>\n", false, false},
      {"#include MACRO\n", false, false},
      {"#inc\\\nlude \"x.h\"\n", false, false},
      {"#/**/include \"x.h\"\n", false, false},
      {"%:include \"x.h\"\n", false, false},
      {"#if __has_include(\"x.h\")\n#endif\n", false, false},
      {"#include \"assert.h\"\n", false, false},
      {"char c = '\"';\n#include \"x.h\"\n", false, false},
      {"int n = 1'000;\n#include \"x.h\"\n", false, false},
      {"// split \\\n#include <mma.h>\n", false, true},
      {"#", false, true},
      {"#include", false, false},
      {"#include <", false, false},
      {"/*", false, true},
      {"\"", false, true},
      {"'\\", false, true},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct compile_includes inc;
    compile_includes_scan(str_of(cases[i].source), false, &inc);
    ck_assert_msg(inc.toolkit == cases[i].toolkit && inc.cacheable == cases[i].cacheable,
                  "%s: toolkit %d, cacheable %d", cases[i].source, inc.toolkit, inc.cacheable);
  }
}
END_TEST

Suite *suite_includes(void);
Suite *suite_includes(void) {
  Suite *s = suite_create("includes");
  TCase *t = tcase_create("includes");
  tcase_add_test(t, includes_are_read_off);
  suite_add_tcase(s, t);
  return s;
}
