/* test_cli.c - the parts of the command line that need no kernel: options, --arg, expectations, the
 * process pool. End-to-end runs of the program are in tests/cli/. */
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/exec.h"

/* ---- options ---- */
static bool options(struct options *o, unsigned verb, int argc, const char **argv) {
  struct diag why = {0};
  *o = (struct options){0};
  char *copy[32] = {NULL};
  memcpy(copy, argv, (size_t)argc * sizeof *argv); /* getopt moves the pointers, not the text */
  bool ok = cli_options(argc, copy, verb, o, &why);
  ck_assert(ok || why.text[0]);
  return ok;
}
#define OPTIONS(o, verb, ...)                                                                      \
  options((o), (verb), (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),              \
          (const char *[]){__VA_ARGS__})

START_TEST(options_of_exec) {
  struct options o;
  ck_assert(OPTIONS(&o, FOR_EXEC, "exec", "k.cu", "--grid", "4,2", "--block=32", "--arg", "i32:7",
                    "--arg", "null", "--seed", "18446744073709551615", "--schedule", "all"));
  ck_assert_uint_eq(o.grid[0], 4);
  ck_assert_uint_eq(o.grid[1], 2);
  ck_assert_uint_eq(o.grid[2], 1);
  ck_assert_uint_eq(o.block[0], 32);
  ck_assert_uint_eq(o.arg_spec_count, 2);
  ck_assert_uint_eq(o.seed, UINT64_MAX);
  ck_assert_uint_eq(o.arg_count, 1);
}
END_TEST

START_TEST(options_that_are_refused) {
  struct options o;
  ck_assert(!OPTIONS(&o, FOR_EXEC, "exec", "--grid", "0"));
  ck_assert(!OPTIONS(&o, FOR_EXEC, "exec", "--grid", "1,2,3,4"));
  ck_assert(!OPTIONS(&o, FOR_EXEC, "exec", "--grid", ""));
  ck_assert(!OPTIONS(&o, FOR_EXEC, "exec", "--format", "tap"));
  ck_assert(!OPTIONS(&o, FOR_CHECK, "check", "--seed", "-1"));
  ck_assert(!OPTIONS(&o, FOR_CHECK, "check", "--seed", "18446744073709551616"));
  ck_assert(!OPTIONS(&o, FOR_CHECK, "check", "--schedule", "all"));
  ck_assert(!OPTIONS(&o, FOR_CHECK, "check", "--grid", "1"));
  ck_assert(!OPTIONS(&o, FOR_CHECK, "check", "--seed"));
  ck_assert(!OPTIONS(&o, FOR_CHECK, "check", "--jobs", "0"));
}
END_TEST

/* ---- --arg ---- */
static bool arg(struct exec_arg *a, const char *spec) {
  struct diag why = {0};
  static struct arena keep;
  return exec_arg_parse(&keep, spec, a, &why);
}

START_TEST(scalars) {
  struct exec_arg a;
  i32 i;
  float f;
  ck_assert(arg(&a, "i32:-7"));
  memcpy(&i, a.value, 4);
  ck_assert_int_eq(i, -7);
  ck_assert(arg(&a, "u32:0xffffffff"));
  memcpy(&i, a.value, 4);
  ck_assert_int_eq(i, -1);
  ck_assert(arg(&a, "f32:1.5"));
  memcpy(&f, a.value, 4);
  ck_assert_float_eq(f, 1.5f);
  ck_assert(arg(&a, "u64:"));
  ck_assert(arg(&a, "null"));
  ck_assert_int_eq(a.form, ARG_NULL);
  static const char *const bad[] = {
      "",         "i32:x", "i32:1x", "u32:-1", "i32:4294967296", "i32:-2147483649",
      "f32:1..2", "int:3", "i8:256", "i32: 1"};
  for (size_t k = 0; k < COUNT_OF(bad); k++) ck_assert_msg(!arg(&a, bad[k]), "%s", bad[k]);
}
END_TEST

START_TEST(structs) {
  struct exec_arg a;
  struct exec_dump d;
  struct diag why = {0};
  ck_assert(arg(&a, "struct:i32:6/buf:f32:4:zero/f64:2/i8:1/i8:-2/i32:7"));
  ck_assert_int_eq(a.form, ARG_STRUCT);
  ck_assert_uint_eq(a.field_count, 6);
  ck_assert_uint_eq(a.size_bytes, 32);
  static const u32 offsets[] = {0, 8, 16, 24, 25, 28};
  for (u32 i = 0; i < 6; i++) ck_assert_uint_eq(a.fields[i].offset_bytes, offsets[i]);
  ck_assert_uint_eq(exec_args_number(&a, 1), 1);
  ck_assert(exec_which("0.1:2", "--dump", &a, 1, &d, &why));
  ck_assert_uint_eq(d.count, 2);
  ck_assert_uint_eq(d.field, 2);
  ck_assert_ptr_eq(d.from, &a.fields[1]);
  static const char *const no_dump[] = {"0", "0.0", "0.6", "1.1", "0.", ".1", "0.1:", "0.x"};
  for (size_t k = 0; k < COUNT_OF(no_dump); k++)
    ck_assert_msg(!exec_which(no_dump[k], "--dump", &a, 1, &d, &why), "%s", no_dump[k]);
  ck_assert(arg(&a, "struct:i8:1/align:16/f32:1/f32:2/f32:3")); /* a float3 that is aligned */
  ck_assert_uint_eq(a.fields[1].offset_bytes, 16);
  ck_assert_uint_eq(a.size_bytes, 32);
  ck_assert(arg(&a, "struct:null/i64:1"));
  static const char *const bad[] = {"struct:",
                                    "struct:i32:1/",
                                    "struct:i32:x",
                                    "struct:align:3",
                                    "struct:align:0",
                                    "struct:align:256",
                                    "struct:buf:i32",
                                    "struct:struct:i32:1",
                                    "struct:i32:1//i32:1",
                                    "struct:align:4096",
                                    "struct"};
  for (size_t k = 0; k < COUNT_OF(bad); k++) ck_assert_msg(!arg(&a, bad[k]), "%s", bad[k]);
}
END_TEST

START_TEST(buffers) {
  struct exec_arg a;
  u64 rng = 1;
  i32 v[4];
  float f[100], again[100];
  ck_assert(arg(&a, "buf:i32:4:iota"));
  exec_fill(&a, 0, 4, &rng, (u8 *)v);
  ck_assert_int_eq(v[3], 3);
  ck_assert(arg(&a, "buf:i32:4:=5,-6"));
  exec_fill(&a, 0, 1, &rng, (u8 *)v); /* in two pieces */
  exec_fill(&a, 1, 3, &rng, (u8 *)(v + 1));
  ck_assert_int_eq(v[0], 5);
  ck_assert_int_eq(v[1], -6);
  ck_assert_int_eq(v[2], 0);
  ck_assert(arg(&a, "buf:i32:4:=2*2,4..5"));
  exec_fill(&a, 0, 4, &rng, (u8 *)v);
  ck_assert(v[0] == 2 && v[1] == 2 && v[2] == 4 && v[3] == 5);
  ck_assert(arg(&a, "buf:f32:100:rand"));
  exec_fill(&a, 0, 100, &rng, (u8 *)f);
  for (int i = 0; i < 100; i++) ck_assert(f[i] >= 0 && f[i] < 1);
  rng = 1;
  exec_fill(&a, 0, 60, &rng, (u8 *)again);
  exec_fill(&a, 60, 40, &rng, (u8 *)(again + 60));
  ck_assert_mem_eq(f, again, sizeof f);
  static const char *const bad[] = {"buf",
                                    "buf:",
                                    "buf:i32",
                                    "buf:i32:",
                                    "buf:i32:-1",
                                    "buf:i32:2:=1,2,3",
                                    "buf:i32:2:=",
                                    "buf:i32:2:=1,,2",
                                    "buf:i32:2:=1*3",
                                    "buf:i32:2:=1..3",
                                    "buf:i32:2:=1..",
                                    "buf:i32:2:@none",
                                    "buf:i32:@none",
                                    "buf:i32:2:what",
                                    "buf:i32:2:zero:"};
  for (size_t k = 0; k < COUNT_OF(bad); k++) ck_assert_msg(!arg(&a, bad[k]), "%s", bad[k]);
}
END_TEST

static bool expected(const char *spec, const struct exec_arg *a, struct exec_expect *x) {
  struct diag why = {0};
  static struct arena keep;
  return exec_expect_parse(&keep, spec, a, 1, x, &why);
}

START_TEST(expected_values) {
  struct exec_arg a;
  struct exec_expect x;
  ck_assert(arg(&a, "buf:i32:9"));
  ck_assert(expected("0=7,3..1,-2*4,0x10", &a, &x));
  static const i32 want[] = {7, 3, 2, 1, -2, -2, -2, -2, 16};
  ck_assert_uint_eq(x.count, 9);
  ck_assert_mem_eq(x.want, want, sizeof want);
  ck_assert(expected("0=5", &a, &x)); /* how it begins */
  ck_assert_uint_eq(x.count, 1);
  static const char *const bad[] = {
      "0",     "0=",     "=1",      "1=1",          "0=1,",    "0=x",
      "0=1*",  "0=1*10", "0=1..10", "0=..3",        "0=3..",   "0=1..x",
      "0=0*x", "0=1.5",  "0=1*-1",  "0=4294967296", "0=@none", "0=1..9223372036854775807"};
  for (size_t k = 0; k < COUNT_OF(bad); k++) ck_assert_msg(!expected(bad[k], &a, &x), "%s", bad[k]);
}
END_TEST

START_TEST(elements_as_text) {
  struct arena a = {0};
  int16_t s = -3;
  u8 u = 255;
  float f = 0.1f;
  ck_assert_str_eq(exec_element_text(&a, PZ_I16, (const u8 *)&s), "-3");
  ck_assert_str_eq(exec_element_text(&a, PZ_U8, &u), "255");
  ck_assert_str_eq(exec_element_text(&a, PZ_F32, (const u8 *)&f), "0.100000001");
  arena_free(&a);
}
END_TEST

START_TEST(parameter_names) {
  struct arena a = {0};
  const char *n[3];
  ck_assert(exec_param_names(
      &a, STR("__global__ void k(const float *__restrict__ in, int* out,\n int n)"), STR("k"), 3,
      n));
  ck_assert_str_eq(n[0], "in");
  ck_assert_str_eq(n[1], "out");
  ck_assert_str_eq(n[2], "n");
  ck_assert(exec_param_names(&a,
                             STR("void k(const float *, int *, int);\n"
                                 "template <class T> void k(const T *from, T *to, int n) {}\n"
                                 "template void k<int>(const int *, int *, int);"),
                             STR("k"), 3, n)); /* the definition has the names */
  ck_assert_str_eq(n[0], "from");
  ck_assert_str_eq(n[2], "n");
  ck_assert(!exec_param_names(&a, STR("void k(int (&a)[3], int b)"), STR("k"), 2, n));
  ck_assert(!exec_param_names(&a, STR("void k(int a)"), STR("k"), 2, n));
  ck_assert(!exec_param_names(&a, STR("void k(int a"), STR("k"), 1, n));
  arena_free(&a);
}
END_TEST

/* ---- expectations ---- */
START_TEST(expectations) {
  struct expectation e;
  struct diag why = {0};
  char text[64];
  ck_assert(expect_parse(STR("// expect: RACE|BARRIER+note line 12"), &e, &why));
  ck_assert_uint_eq(e.kinds, 1u << V_RACE | 1u << V_BARRIER);
  ck_assert(e.note);
  ck_assert_uint_eq(e.line, 12);
  expect_text(&e, text, sizeof text);
  ck_assert_str_eq(text, "RACE|BARRIER+note line 12");
  static const char *const bad[] = {"",
                                    "// expect:",
                                    "expect: RACE",
                                    "// expect: race",
                                    "// expect: RACE|",
                                    "// expect: RACE line",
                                    "// expect: RACE or so",
                                    "// expect: RACE+notes",
                                    "// expect: RACE line 0"};
  for (size_t k = 0; k < COUNT_OF(bad); k++)
    ck_assert_msg(!expect_parse(str_of(bad[k]), &e, &why), "%s", bad[k]);
}
END_TEST

/* ---- the pool ---- */
struct seen {
  char order[16];
  u32 n, failures;
};
static void work(void *self, u32 i, struct strbuf *result) {
  (void)self;
  if (i == 1) raise(SIGKILL);
  if (i == 2) pause();
  if (i == 3) _exit(0);
  usleep(i == 0 ? 50000 : 0); /* the first is the last to finish */
  strbuf_printf(result, "%u", i);
}
static void done(void *self, u32 i, str result, const struct diag *why) {
  struct seen *s = self;
  s->order[s->n++] = (char)('0' + i);
  if (why->set)
    s->failures++;
  else if (i == 3)
    ck_assert_uint_eq(result.n, 0); /* left early: nothing came, so no verdict either */
  else
    ck_assert_int_eq(result.p[0], (char)('0' + i));
}

START_TEST(pool_survives_its_children) {
  struct seen s = {0};
  pool_run(&(struct pool_task){
      .count = 6, .jobs = 3, .timeout_s = 1, .self = &s, .work = work, .done = done});
  ck_assert_str_eq(s.order, "012345");
  ck_assert_uint_eq(s.failures, 2);
}
END_TEST

Suite *suite_cli(void);
Suite *suite_cli(void) {
  Suite *s = suite_create("cli");
  TCase *t = tcase_create("parsing");
  tcase_add_test(t, options_of_exec);
  tcase_add_test(t, options_that_are_refused);
  tcase_add_test(t, scalars);
  tcase_add_test(t, structs);
  tcase_add_test(t, buffers);
  tcase_add_test(t, expected_values);
  tcase_add_test(t, elements_as_text);
  tcase_add_test(t, parameter_names);
  tcase_add_test(t, expectations);
  suite_add_tcase(s, t);
  t = tcase_create("pool");
  tcase_add_test(t, pool_survives_its_children);
  suite_add_tcase(s, t);
  return s;
}
