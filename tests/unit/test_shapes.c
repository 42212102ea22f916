/* test_shapes.c - rows of arrays, from the source: what is understood, and what stays flat. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "compile/compile.h"

Suite *suite_shapes(void);

static struct arena a;

/* The shape of a variable `name` of so many bytes, in words. */
static const char *shape(const char *source, const char *name, u64 size_bytes) {
  char path[] = P_tmpdir "/shapes-XXXXXX";
  struct diag why = {0};
  int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  close(fd);
  ck_assert(file_write(path, str_of(source), &why));
  struct ptx_var v = {.name = str_of(name), .size_bytes = size_bytes, .is_array = true};
  struct ptx_module m = {.vars = &v, .var_count = 1};
  compile_shapes(path, &m);
  unlink(path);
  struct strbuf b = {0};
  for (u32 i = 0; i < v.shape.count; i++) strbuf_printf(&b, "[%u]", v.shape.dim[i]);
  const char *text = str_copy(&a, (str){b.p ? b.p : "", b.n}).p;
  strbuf_free(&b);
  return text;
}

START_TEST(numbers_and_names) {
  ck_assert_str_eq(shape("__shared__ int cell[32][33];", "cell", 32 * 33 * 4), "[32][33]");
  ck_assert_str_eq(shape("#define T 8\nconstexpr int W = (T + 1) * 2;\n"
                         "__shared__ float x, cell [T] [W - 1];",
                         "cell", 8 * 17 * 4),
                   "[8][17]");
  ck_assert_str_eq(shape("enum { A = 2, B = 3 }; __device__ double d[A][B][0x4u];", "d", 24 * 8),
                   "[2][3][4]");
  ck_assert_str_eq(shape("__shared__ int a[2][4] /* rows */, b[4][2];", "_ZZ1kPiE1b", 32),
                   "[4][2]");
}
END_TEST

START_TEST(what_is_no_declaration) {
  const char *s = "// __shared__ int cell[2][8];\nconst char *c = \"__shared__ int cell[2][8];\";\n"
                  "cell[2][8] = 1;\n__shared__ int my_cell[2][8], cells[2][8];";
  ck_assert_str_eq(shape(s, "cell", 64), "");
}
END_TEST

START_TEST(what_is_not_sure) {
  ck_assert_str_eq(shape("__shared__ int cell[64];", "cell", 256), "");
  ck_assert_str_eq(shape("__shared__ int cell[2][8];", "cell", 60), "");
  ck_assert_str_eq(shape("__shared__ S cell[2][8];", "cell", 16 * 12), "");
  ck_assert_str_eq(shape("template <int N> void k() { __shared__ int c[N][8]; }", "c", 64), "");
  ck_assert_str_eq(shape("#define N 2\n#undef N\n#define N 4\n__shared__ int c[N][4];", "c", 32),
                   "");
  ck_assert_str_eq(shape("{__shared__ int c[2][8];} {__shared__ int c[4][4];}", "c", 64), "");
  ck_assert_str_eq(shape("{__shared__ int c[2][8];} {__shared__ int c[2][8];}", "c", 64), "[2][8]");
  ck_assert_str_eq(shape("__shared__ int c[2][sizeof(int)];", "c", 32), "");
}
END_TEST

START_TEST(hostile) {
  ck_assert_str_eq(shape("__shared__ int c[4294967295][4294967295][4294967295];", "c", 64), "");
  ck_assert_str_eq(shape("#define A B\n#define B A\n__shared__ int c[A][2];", "c", 64), "");
  ck_assert_str_eq(shape("__shared__ int c[2 / 0][1 - 2];", "c", 64), "");
  ck_assert_str_eq(shape("__shared__ int c[((((((((((2))))))))))][4];", "c", 32), "");
  ck_assert_str_eq(shape("__shared__ int c[2][", "c", 64), "");
  ck_assert_str_eq(shape("__shared__ int c[2]['", "c", 64), "");
  ck_assert_str_eq(shape("/*", "c", 64), "");
}
END_TEST

Suite *suite_shapes(void) {
  const TTest *const tests[] = {numbers_and_names, what_is_no_declaration, what_is_not_sure,
                                hostile};
  Suite *s = suite_create("shapes");
  TCase *t = tcase_create("shapes");
  for (size_t i = 0; i < COUNT_OF(tests); i++) tcase_add_test(t, tests[i]);
  suite_add_tcase(s, t);
  return s;
}
