/* test_host_half.c - whole programs: what is left out of them, and that everything else stays where
 * it was, to the line. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "compile/parts.h"

static struct arena keep;
static void set_up(void) { keep = (struct arena){0}; }
static void tear_down(void) { arena_free(&keep); }

static const struct {
  const char *source, *stays, *goes;
} cases[] = {
    {"int main() { f(\"}\"); }\n__global__ void k() {}", "__global__ void k() {}", "main"},
    {"void f(std::vector<int> &v);\n__device__ int g();", "__device__ int g();", "vector"},
    {"int n = 3;\nconst int m = 4; const char *z = \"\";", "const int m = 4;", "n = 3"},
    {"constexpr int f(int a) { return a; }", "__host__ __device__ constexpr int f(int a)", "~"},
    {"#define HD __host__ __device__\nHD int f() { return 1; }", "HD int f() { return 1; }", "~"},
    {"struct A { int a; A() : a{1} {} __device__ int f() { return a; } };", "int f() { return a; }",
     "A()"},
    {"struct A { std::string s; __device__ void f(); }; int x;", "", "struct"},
    {"namespace a { namespace { void h() {} __device__ void d() {} } }", "d() {}", "h()"},
    {"extern \"C\" { __global__ void k() {} void h() {} }", "k() {}", "h()"},
    {"void f() {\n#ifdef A\n  g();\n#else\n  h();\n#endif\n}", "#ifdef A\n      \n#else", "g()"},
    {"#include <vector>\n#include <cuda_fp16.h>\n#include \"own.h\"",
     "\n#include <cuda_fp16.h>\n#include \"own.h\"", "vector"},
    {"using namespace std;\nvector<int> v;\nusing std::cout;", "using namespace std;", "v"},
    {"struct A { bool operator()(int a) const { return a; } int x = f(1); };", "int x", "return"},
    {"auto f = [](int a) { return a; };\ntypedef int T; enum E { X };", "enum E { X };", "auto"},
    {"cuda::std::array<int, 2> __device__ a;\nint main() {}", "array<int, 2> __device__ a;",
     "main"},
    {"/* int main() { */ __device__ int a; // }\nint main() { /* } */ }", "__device__ int a;",
     "\nint main"},
};

START_TEST(one_half_stays) {
  struct compile_device_half half = {.names = NULL};
  str source = str_of(cases[_i].source);
  compile_leave_out_host(&keep, source, ".", false, &half);
  ck_assert_msg(str_has(half.source, cases[_i].stays), "%s\nbecame\n" STR_F, cases[_i].source,
                STR_A(half.source));
  ck_assert_msg(!str_has(half.source, cases[_i].goes), "%s\nbecame\n" STR_F, cases[_i].source,
                STR_A(half.source));
  size_t lines[2] = {0, 0};
  for (size_t i = 0; i < source.n; i++) lines[0] += source.p[i] == '\n';
  for (size_t i = 0; i < half.source.n; i++) lines[1] += half.source.p[i] == '\n';
  ck_assert_uint_eq(lines[0], lines[1]);
}
END_TEST

START_TEST(nothing_to_leave_out) {
  struct compile_device_half half;
  ck_assert(!compile_leave_out_host(
      &keep,
      str_of("#include <cuda_fp16.h>\nconst int n = 1;\n__global__ void k() { k<<<1, 1>>>(); }\n"),
      ".", false, &half));
}
END_TEST

START_TEST(launches_make_kernels) {
  struct compile_device_half half;
  ck_assert(compile_leave_out_host(&keep,
                                   str_of("template <class T, int N> __global__ void k(T *) {}\n"
                                          "int main() { const int B = 64; k<float, B * 2><<<1, "
                                          "B>>>(0); other<<<1, 2>>>(); }\n"),
                                   ".", false, &half));
  ck_assert(half.has_instances && str_has(half.with_instances, "wl_launched<&k<float, 64 * 2>>"));
  ck_assert(!str_has(half.with_instances, "other"));
}
END_TEST

/* The user's own headers have two halves, too, and may name what stands for __device__. */
START_TEST(own_headers) {
  char dir[] = "/tmp/wl-half-XXXXXX";
  ck_assert(mkdtemp(dir));
  const char *a = arena_printf(&keep, "%s/a.h", dir), *b = arena_printf(&keep, "%s/b.h", dir);
  struct diag why = {0};
  ck_assert(file_write(a,
                       str_of("#include <vector>\n#include \"b.h\"\n#include \"none.h\"\n"
                              "void show(std::vector<int> &v);\n"
                              "HD int f() { return 1; }\n"),
                       &why));
  ck_assert(file_write(b, str_of("#define HD __host__ __device__\n#include \"a.h\"\n"), &why));
  struct compile_device_half half;
  ck_assert(compile_leave_out_host(
      &keep, str_of("#include \"a.h\"\nHD int g() { return f(); }\nint main() {}\n"), dir, false,
      &half));
  ck_assert_msg(str_starts(half.source, "#include \"warplings_half_1.h\""), STR_F,
                STR_A(half.source));
  ck_assert(str_has(half.source, "\nHD int g() { return f(); }\n"));
  ck_assert_uint_eq(half.extra_count, 2);
  str text = str_of(half.extra[0].text);
  ck_assert(str_starts(text, "#line 1 \"/tmp/wl-half-"));
  ck_assert(str_has(text, "HD int f() { return 1; }") && !str_has(text, "vector"));
  ck_assert(str_has(text, "\"none.h\""));
  unlink(a);
  unlink(b);
  rmdir(dir);
}
END_TEST

/* Any prefix of a program: braces, quotes and comments that nobody closes. */
START_TEST(unfinished) {
  str all =
      str_of("#define A \\\n b\nstruct X { int a; X() : a{(1)} { } };\ntemplate <class T> int "
             "f(T t[2]) { return R\"x(})x\" '{' /* */; }\n}}k<1><<<2, 3>>>(\nint main() { }\n");
  for (size_t n = 0; n <= all.n; n++) {
    struct compile_device_half half;
    compile_leave_out_host(&keep, str_copy(&keep, (str){all.p, n}), ".", n & 1, &half);
    ck_assert_uint_ge(half.source.n, n);
  }
}
END_TEST

Suite *suite_host_half(void);
Suite *suite_host_half(void) {
  Suite *s = suite_create("host_half");
  TCase *t = tcase_create("host_half");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_loop_test(t, one_half_stays, 0, (int)COUNT_OF(cases));
  tcase_add_test(t, nothing_to_leave_out);
  tcase_add_test(t, launches_make_kernels);
  tcase_add_test(t, own_headers);
  tcase_add_test(t, unfinished);
  suite_add_tcase(s, t);
  return s;
}
