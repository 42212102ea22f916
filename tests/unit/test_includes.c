/* test_includes.c - what compile/includes.c reads off a source: does it want the toolkit's headers,
 * and may its result be cached? In doubt it must say "not cacheable". */
#include <check.h>
#include "compile/parts.h"

START_TEST(includes_are_read_off) {
  const struct {
    const char *source;
    bool toolkit, cacheable, stand_ins;
  } cases[] = {
      {"int x;", false, true, false},
      {"#include <assert.h>\n", false, true, false},
      {"  #  include <stdio.h>\n// include the halo\n/* #include \"x\" */\n", false, true, false},
      {"const char *s = \"#include <x>\";\n", false, true, false},
      {"#include <mma.h>\n", true, true, false},
      {"#include <cub/block/block_scan.cuh>\n", false, true, true},
      {"#include <cub/cub.cuh>\n", false, true, true},
      {"#include <cub/block/block_shuffle.cuh>\n", true, true, false},
      {"#include <cuda/atomic>\n", false, true, true},
      {"#include <cuda/std/array>\n#include <cuda/atomic>\n", true, true, false},
      {"#include <cooperative_groups.h>\n#include <cuda/barrier>\n", true, true, true},
      {"#include \"mine.h\"\n", false, false, false},
      {"#include <vector>\n", false, false, false},
      {"#include MACRO\n", false, false, false},
      {"#inc\\\nlude \"x.h\"\n", false, false, false},
      {"#/**/include \"x.h\"\n", false, false, false},
      {"%:include \"x.h\"\n", false, false, false},
      {"#if __has_include(\"x.h\")\n#endif\n", false, false, false},
      {"#include \"assert.h\"\n", false, false, false},
      {"char c = '\"';\n#include \"x.h\"\n", false, false, false},
      {"int n = 1'000;\n#include \"x.h\"\n", false, false, false},
      {"// split \\\n#include <mma.h>\n", false, true, false},
      {"#", false, true, false},
      {"#include", false, false, false},
      {"#include <", false, false, false},
      {"/*", false, true, false},
      {"\"", false, true, false},
      {"'\\", false, true, false},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct compile_includes inc;
    compile_includes_scan(str_of(cases[i].source), false, &inc);
    /* What cannot be seen may be one of them. */
    bool stand_ins = cases[i].stand_ins || !cases[i].cacheable;
    ck_assert_msg(inc.toolkit == cases[i].toolkit && inc.cacheable == cases[i].cacheable &&
                      inc.stand_ins == stand_ins,
                  "%s: toolkit %d, cacheable %d, stand-ins %d", cases[i].source, inc.toolkit,
                  inc.cacheable, inc.stand_ins);
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
