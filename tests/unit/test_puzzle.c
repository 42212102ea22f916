/* test_puzzle.c - judging: small checks of our own against small kernels, compiled for real; plans,
 * names of puzzles, and verdicts as bytes. Needs any compiler for kernels. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "puzzle/judge.h"

static struct arena arena;
static struct verdict v;
enum { N = 40 };

static void judge_as(const struct pz_puzzle *p, const char *source, struct pz_request r) {
  struct diag why = {0};
  char path[64];
  ck_assert(dir_make("build/tmp", &why));
  snprintf(path, sizeof path, "build/tmp/puzzle-%d.cu", (int)getpid());
  ck_assert(file_write(path, str_of(source), &why));
  r.path = path;
  r.plan.seed = 1;
  pz_judge(&arena, p, &r, &v);
  unlink(path);
}
static void judge(const struct pz_puzzle *p, const char *source) {
  judge_as(p, source, (struct pz_request){0});
}

static bool says(const char *text) {
  for (u32 i = 0; i < v.finding_count; i++)
    if (strstr(v.findings[i].message, text)) return true;
  return false;
}
#define ck_says(text)                                                                              \
  ck_assert_msg(says(text), "no finding says '%s' but: %s", text,                                  \
                v.finding_count ? v.findings[0].message : "nothing")

/* ---- a check: out[i] = 2 * in[i] ---- */
static void run_twice(struct pz *pz, int c) {
  int n = c ? N : 1;
  pz_shape(pz, "n=%d", n);
  int32_t *data = pz_random_i32(pz, (size_t)n, 1, 1000),
          *want = pz_host(pz, (size_t)n * sizeof *want);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data),
                *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "twice", pz_dim(1), pz_dim(64), 0, PZ_BUF(in), PZ_BUF(out), PZ_I(n), PZ_END);
  for (int i = 0; i < n; i++) want[i] = 2 * data[i];
  pz_expect_i32(pz, out, want);
  pz_rule_max(pz, PZ_BARRIERS, 0, "nobody has to wait here");
}
static const struct pz_puzzle twice = {.id = "t1", .title = "Twice", .cases = 2, .run = run_twice};
#define HEAD "__global__ void twice(const int *in, int *out, int n) { int i = threadIdx.x; "

/* ---- a check of two launches, which looks after each ---- */
static void run_launches(struct pz *pz, int c) {
  (void)c;
  pz_shape(pz, "two");
  for (int32_t round = 1; round <= 2; round++) {
    struct pz_buf *out = pz_out(pz, "out", PZ_I32, 1);
    pz_launch(pz, "put", pz_dim(1), pz_dim(1), 0, PZ_BUF(out), PZ_I(round), PZ_END);
    pz_expect_i32(pz, out, &round);
  }
}
static const struct pz_puzzle launches = {.id = "t5", .cases = 1, .run = run_launches};

START_TEST(a_finding_names_its_launch) {
  judge(&launches, "__global__ void put(int *out, int round) { *out = 10 * round; }");
  ck_assert_str_eq(verdict_text(v.kind), "WRONG");
  ck_assert_uint_eq(v.finding_count, 2);
  for (u32 i = 0; i < 2; i++) {
    ck_assert_uint_eq(v.findings[i].launch_index, i);
    ck_assert_ptr_nonnull(strstr(v.findings[i].message, i ? "out[0] is 20" : "out[0] is 10"));
  }
}
END_TEST

START_TEST(right_answer) {
  judge(&twice, HEAD "if (i < n) out[i] = in[i] * 2; }");
  ck_assert_str_eq(verdict_text(v.kind), "PASS");
  ck_assert_uint_eq(v.evidence.shapes, 2);
  ck_assert_uint_eq(v.evidence.schedules, 12);
  ck_assert_uint_eq(v.evidence.runs, 24);
  ck_assert_str_eq(v.evidence.shape_names, "n=1, n=40");
}
END_TEST

START_TEST(wrong_value) {
  judge(&twice, HEAD "if (i < n) out[i] = i == 7 ? -1 : in[i] * 2; }");
  ck_assert_str_eq(verdict_text(v.kind), "WRONG");
  ck_says("out[7] is -1; it should be ");
  ck_says("1 of 40 elements is wrong");
  ck_assert_str_eq(v.evidence.failed_shape, "n=40");
  ck_assert_str_eq(v.findings[0].schedule, "converged");
}
END_TEST

START_TEST(never_written) {
  judge(&twice, HEAD "if (i < n && i != 3) out[i] = in[i] * 2; }");
  ck_assert_str_eq(verdict_text(v.kind), "WRONG");
  ck_says("out[3] was never written");
}
END_TEST

START_TEST(undefined_value) {
  judge(&twice, HEAD "__shared__ int s[64]; if (i < n) out[i] = i ? in[i] * 2 : s[i + 1]; }");
  ck_assert_str_eq(verdict_text(v.kind), "UNINIT");
  ck_says("out[0] was written with an undefined value");
}
END_TEST

START_TEST(broken_rule) {
  judge(&twice, HEAD "__syncthreads(); if (i < n) out[i] = in[i] * 2; }");
  ck_assert_str_eq(verdict_text(v.kind), "RULE");
  ck_says("nobody has to wait here");
}
END_TEST

START_TEST(does_not_compile) {
  judge(&twice, "\n" HEAD "out[i] = no_such_thing; }");
  ck_assert_str_eq(verdict_text(v.kind), "COMPILE");
  ck_assert_ptr_nonnull(strstr(v.log, "no_such_thing"));
  ck_assert_uint_eq(v.findings[0].accesses[0].line, 2);
}
END_TEST

START_TEST(kernel_of_another_name) {
  judge(&twice, "__global__ void thrice(int *p) { *p = 1; }");
  ck_assert_str_eq(verdict_text(v.kind), "COMPILE");
  ck_says("no __global__ function named twice");
  ck_says("thrice(int*)");
}
END_TEST

START_TEST(other_parameters) {
  judge(&twice, "__global__ void twice(const int *in, int *out) { out[0] = in[0]; }");
  ck_assert_str_eq(verdict_text(v.kind), "COMPILE");
  ck_says("it takes 2, the puzzle passes 3");
  judge(&twice, "__global__ void twice(const int *in, int *out, float n) { out[0] = in[0]; }");
  ck_assert_str_eq(verdict_text(v.kind), "COMPILE");
  ck_says("parameter 3");
  judge(&twice, "__global__ void twice(const int *in, short out, int n) { }");
  ck_assert_str_eq(verdict_text(v.kind), "COMPILE");
  ck_says("parameter 2 has 2 bytes");
}
END_TEST

START_TEST(race_before_wrong) {
  judge(&twice, HEAD "if (i < n) { out[0] = 1 + i; out[i] = in[i] * 2; } }");
  ck_assert_str_eq(verdict_text(v.kind), "RACE");
}
END_TEST

START_TEST(exit_and_printf_mean_nothing) {
  judge(&twice, "struct S { S() {} }; extern \"C\" int printf(const char *, ...);\n" HEAD
                "if (i == 0) printf(\"PASS\\n\"); }");
  ck_assert_str_ne(verdict_text(v.kind), "PASS");
}
END_TEST

/* ---- floats ---- */
static void run_float(struct pz *pz, int c) {
  float want[] = {1, INFINITY, 0, 100};
  (void)c;
  struct pz_buf *out = pz_out(pz, "out", PZ_F32, 4);
  pz_launch(pz, "k", pz_dim(1), pz_dim(1), 0, PZ_BUF(out), PZ_F(1.5), PZ_END);
  pz_expect_f32(pz, pz_part(pz, out, 0, 3), want, 0, 1e-6);
  pz_expect_f32(pz, pz_part(pz, out, 3, 1), want + 3, 1e-2, 0);
}
static const struct pz_puzzle floats = {.id = "t2", .cases = 1, .run = run_float};
#define FLOATS(third, fourth)                                                                      \
  "__global__ void k(float *o, float x) { o[0] = x - 0.5f; o[1] = 1.0f / 0.0f; o[2] = " third      \
  "; o[3] = " fourth "; }"

START_TEST(tolerance_and_nan) {
  judge(&floats, FLOATS("0.0000001f", "100.9f"));
  ck_assert_str_eq(verdict_text(v.kind), "PASS");
  judge(&floats, FLOATS("0.0f", "102.0f"));
  ck_assert_str_eq(verdict_text(v.kind), "WRONG");
  judge(&floats, FLOATS("0.0f / 0.0f", "100.0f"));
  ck_assert_str_eq(verdict_text(v.kind), "WRONG");
  ck_says("is NaN");
}
END_TEST

/* ---- the suite's own gaps ---- */
static void run_refused(struct pz *pz, int c) {
  (void)c;
  struct pz_buf *out = pz_zero(pz, "out", PZ_F32, 4);
  ck_assert(!pz_launch(pz, "k", pz_dim(1), pz_dim(4096), 0, PZ_BUF(out), PZ_F(1), PZ_END));
  pz_expect(pz, false, "after a launch that did not run, nothing is compared");
}
static const struct pz_puzzle refused = {.id = "t3", .cases = 1, .run = run_refused};
static const struct pz_puzzle empty = {.id = "t4", .cases = 0, .run = run_refused};

START_TEST(refused_launch) {
  judge(&refused, FLOATS("0", "0"));
  ck_assert_str_eq(verdict_text(v.kind), "TRAP");
  ck_assert_uint_eq(v.finding_count, 1);
}
END_TEST

/* A refusal that the check asks for is no finding, and the run goes on; a launch that the device
 * takes has run, and is no refusal. */
static void run_refusal(struct pz *pz, int c) {
  (void)c;
  struct pz_buf *out = pz_zero(pz, "out", PZ_F32, 4);
  static const float none[4] = {0}, all[4] = {1, INFINITY, 2, 3};
  pz_gpu(pz, 2, 3);
  const char *why =
      pz_refusal_cooperative(pz, "k", pz_dim(7), pz_dim(32), 0, PZ_BUF(out), PZ_F(1.5), PZ_END);
  ck_assert_ptr_nonnull(why);
  ck_assert_ptr_nonnull(strstr(why, "7 blocks: only 6 fit"));
  pz_expect_f32(pz, out, none, 0, 0);
  why = pz_refusal_cooperative(pz, "k", pz_dim(1), pz_dim(1), 0, PZ_BUF(out), PZ_F(1.5), PZ_END);
  ck_assert_ptr_null(why);
  pz_expect_f32(pz, out, all, 0, 0);
}
static const struct pz_puzzle refusal = {.id = "t5", .cases = 1, .run = run_refusal};

START_TEST(refusal_is_no_finding) {
  judge(&refusal, FLOATS("2", "3"));
  ck_assert_str_eq(verdict_text(v.kind), "PASS");
  ck_assert_uint_eq(v.finding_count, 0);
}
END_TEST

/* Judged in the timed run of the optimised build; the others on that build have no makespan, or
 * that of a schedule which the rule is not about. */
static void run_makespan(struct pz *pz, int c) {
  struct pz_buf *out = pz_zero(pz, "out", PZ_F32, 4);
  pz_launch(pz, "k", pz_dim(1), pz_dim(1), 0, PZ_BUF(out), PZ_F(1), PZ_END);
  pz_rule_makespan(pz, c ? 1 : 1e6, 1, "in less time");
}
static const struct pz_puzzle in_time = {
    .id = "t6", .cases = 1, .run = run_makespan, .timed = true};
static const struct pz_puzzle too_slow = {
    .id = "t7", .cases = 2, .run = run_makespan, .timed = true};

START_TEST(makespan_in_its_own_run_only) {
  judge_as(&in_time, FLOATS("2", "3"), (struct pz_request){.both_builds = true});
  ck_assert_str_eq(verdict_text(v.kind), "PASS");
  judge_as(&too_slow, FLOATS("2", "3"), (struct pz_request){.both_builds = true});
  ck_assert_str_eq(verdict_text(v.kind), "RULE");
  ck_says("in less time");
}
END_TEST

/* 20 blocks of 50 threads, of which the last two are too many: the shares of 900 threads. One
 * thread for all, or one for each block, is no sharing; one round more for some is. */
enum { ITEMS = 900 };
static void run_shared_out(struct pz *pz, int c) {
  (void)c;
  int want[ITEMS], first[ITEMS];
  for (int i = 0; i < ITEMS; i++) want[i] = 2 * (first[i] = 7 * i);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, ITEMS, first);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, ITEMS);
  pz_launch(pz, "twice", pz_dim(4), pz_dim(250), 0, PZ_BUF(in), PZ_BUF(out), PZ_I(ITEMS), PZ_END);
  pz_expect_i32(pz, out, want);
  pz_rule_shared_out(pz, ITEMS, "each thread has its own");
}
static const struct pz_puzzle shared_out = {.id = "t8", .cases = 1, .run = run_shared_out};
#define SHARES(first, end, step)                                                                   \
  "__global__ void twice(const int *in, int *out, int n) {"                                        \
  "for (int i = " first "; i < n && i < " end "; i += " step ") out[i] = 2 * in[i]; }"

START_TEST(work_is_shared_out) {
  judge(&shared_out, SHARES("blockIdx.x * 250 + threadIdx.x", "n", "1000"));
  ck_assert_str_eq(verdict_text(v.kind), "PASS");
  judge(&shared_out, SHARES("threadIdx.x + 1000 * blockIdx.x", "n", "250")); /* one block for all */
  ck_assert_str_eq(verdict_text(v.kind), "PASS");
  judge(&shared_out,
        SHARES("blockIdx.x * 250 + 1000 * threadIdx.x", "blockIdx.x * 250 + 250", "1"));
  ck_assert_str_eq(verdict_text(v.kind), "RULE");
  judge(&shared_out, SHARES("1000 * (blockIdx.x + threadIdx.x)", "n", "1"));
  ck_assert_str_eq(verdict_text(v.kind), "RULE");
  ck_says("where there is work for 900: each thread has its own");
}
END_TEST

START_TEST(no_cases_is_no_pass) {
  judge(&empty, FLOATS("0", "0"));
  ck_assert_str_eq(verdict_text(v.kind), "INTERNAL");
}
END_TEST

START_TEST(missing_file_is_no_pass) {
  pz_judge(&arena, &twice, &(struct pz_request){.path = "build/tmp/no-such-file.cu"}, &v);
  ck_assert_str_eq(verdict_text(v.kind), "INTERNAL");
}
END_TEST

START_TEST(same_seed_same_bytes) {
  struct strbuf a = {0}, b = {0};
  for (int i = 0; i < 2; i++) {
    judge(&twice, HEAD "__shared__ int s[64]; s[i] = i; if (i < n) out[i] = s[63 - i]; }");
    v.milliseconds = 0;
    verdict_write(i ? &b : &a, &v);
  }
  ck_assert_uint_eq(a.n, b.n);
  ck_assert_int_eq(memcmp(a.p, b.p, a.n), 0);
  strbuf_free(&a);
  strbuf_free(&b);
}
END_TEST

/* ---- bytes ---- */
START_TEST(verdict_survives_the_wire) {
  struct strbuf b = {0}, again = {0};
  struct diag why = {0};
  struct verdict got;
  judge(&twice, HEAD "__shared__ int s[64]; s[i] = i; if (i < n) out[i] = s[63 - i]; }");
  verdict_write(&b, &v);
  ck_assert(verdict_read(&arena, (str){b.p, b.n}, &got, &why));
  verdict_write(&again, &got);
  ck_assert_uint_eq(b.n, again.n);
  ck_assert_int_eq(memcmp(b.p, again.p, b.n), 0);
  for (size_t n = 0; n < b.n; n++) ck_assert(!verdict_read(&arena, (str){b.p, n}, &got, &why));
  for (size_t n = 0; n < b.n; n++) {
    b.p[n] = (char)(b.p[n] ^ 0x41);
    ck_assert(!verdict_read(&arena, (str){b.p, b.n}, &got, &why));
    b.p[n] = (char)(b.p[n] ^ 0x41);
  }
  strbuf_free(&b);
  strbuf_free(&again);
}
END_TEST

START_TEST(plans) {
  struct pz_step s;
  u32 n = 0, large = 0;
  for (; pz_plan_step(&(struct pz_plan){.seed = 5}, n, &s); n++) large += !s.is_small_only;
  ck_assert_uint_eq(n, 12);
  ck_assert_uint_eq(large, 2);
  ck_assert_uint_eq(s.seed, 12); /* the last: 5 + 7 */
  ck_assert(pz_plan_step(&(struct pz_plan){.only = true, .schedule = VM_SPLIT}, 0, &s));
  ck_assert(!pz_plan_step(&(struct pz_plan){.only = true, .schedule = VM_SPLIT}, 1, &s));
}
END_TEST

START_TEST(names_of_puzzles) {
  struct diag why = {0};
  ck_assert_int_eq(pz_puzzle_find("no such puzzle", &why), -1);
  ck_assert_int_eq(pz_puzzle_find("", &why), -1);
  for (u32 i = 0; i < pz_puzzle_count(); i++) {
    const char *id = pz_puzzle_at(i)->id;
    char number[3] = {id[0], id[1], 0};
    ck_assert_int_eq(pz_puzzle_find(id, &why), (int)i);
    ck_assert_int_eq(pz_puzzle_find(number, &why), (int)i);
    ck_assert_int_eq(pz_puzzle_find(id + 3, &why), (int)i);
    if (i) ck_assert_int_gt(strcmp(id, pz_puzzle_at(i - 1)->id), 0);
  }
}
END_TEST

Suite *suite_puzzle(void);
Suite *suite_puzzle(void) {
  Suite *s = suite_create("puzzle");
  TCase *t = tcase_create("judge");
  tcase_set_timeout(t, 60);
  const TTest *const tests[] = {right_answer,
                                a_finding_names_its_launch,
                                wrong_value,
                                never_written,
                                undefined_value,
                                broken_rule,
                                does_not_compile,
                                kernel_of_another_name,
                                other_parameters,
                                race_before_wrong,
                                exit_and_printf_mean_nothing,
                                tolerance_and_nan,
                                refused_launch,
                                refusal_is_no_finding,
                                makespan_in_its_own_run_only,
                                work_is_shared_out,
                                no_cases_is_no_pass,
                                missing_file_is_no_pass,
                                same_seed_same_bytes,
                                verdict_survives_the_wire,
                                plans,
                                names_of_puzzles};
  for (size_t i = 0; i < COUNT_OF(tests); i++) tcase_add_test(t, tests[i]);
  suite_add_tcase(s, t);
  return s;
}
