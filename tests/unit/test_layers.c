/* test_layers.c - the folders of harness/ are layers: each may include only itself and the ones
 * before it. */
#include <check.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"

Suite *suite_layers(void);

static const char *const layers[] = {"base",   "ptx",    "vm",  "detect", "compile", "device",
                                     "puzzle", "report", "box", "grade",  "cli"};

static int layer_of(str path) { /* "vm/exec.h" -> 2, -1 = no layer */
  for (u32 i = 0; i < COUNT_OF(layers); i++) {
    size_t n = strlen(layers[i]);
    if (path.n > n && memcmp(path.p, layers[i], n) == 0 && path.p[n] == '/') return (int)i;
  }
  return -1;
}

/* The number of project includes in the file; fails on one that points upwards. */
static u32 check_file(const char *path) {
  struct arena a = {0};
  struct diag why = {0};
  str text, line;
  u32 seen = 0;
  int own = layer_of(str_of(path + strlen("harness/")));
  ck_assert_msg(own >= 0, "%s is in no known layer", path);
  ck_assert_msg(file_read(&a, path, 1 << 20, &text, &why), "%s: %s", path, why.text);
  while (str_line(&text, &line)) {
    line = str_trim(line);
    if (!str_starts(line, "#include \"")) continue;
    str target = {line.p + 10, line.n - 10};
    int to = layer_of(target);
    ck_assert_msg(to <= own, "%s includes " STR_F ": layer %s may not know layer %s", path,
                  STR_A(line), layers[own], to < 0 ? "?" : layers[to]);
    seen += to >= 0;
  }
  arena_free(&a);
  return seen;
}

START_TEST(includes_point_downwards) {
  static const char *const patterns[] = {"harness/*/*.c", "harness/*/*.h"};
  u32 files = 0, includes = 0;
  for (u32 p = 0; p < COUNT_OF(patterns); p++) {
    glob_t g;
    ck_assert_int_eq(glob(patterns[p], 0, NULL, &g), 0);
    for (size_t i = 0; i < g.gl_pathc; i++, files++) includes += check_file(g.gl_pathv[i]);
    globfree(&g);
  }
  ck_assert_uint_gt(files, 80);
  ck_assert_uint_gt(includes, files / 2);
}
END_TEST

START_TEST(layers_are_told_apart) {
  ck_assert_int_eq(layer_of(STR("base/base.h")), 0);
  ck_assert_int_eq(layer_of(STR("cli/cli.h")), (int)COUNT_OF(layers) - 1);
  ck_assert_int_eq(layer_of(STR("vmx/a.h")), -1);
  ck_assert(layer_of(STR("vm/vm.h")) < layer_of(STR("detect/detect.h")));
}
END_TEST

Suite *suite_layers(void) {
  Suite *s = suite_create("layers");
  TCase *t = tcase_create("layers");
  tcase_add_test(t, includes_point_downwards);
  tcase_add_test(t, layers_are_told_apart);
  suite_add_tcase(s, t);
  return s;
}
