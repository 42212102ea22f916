/* test_memory.c - memory that a kernel may take, and what happens when there is no more: large
 * buffers that nobody touches are free, greedy kernels end at the limit with a word about it, a
 * process without memory says so, a full disk is no pass. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "cli/sandbox.h"

Suite *suite_memory(void);

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#define HEAD                                                                                       \
  ".version 8.0\n.target sm_90\n.address_size 64\n"                                                \
  ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"                                         \
  ".extern .func free(.param .b64 n);\n"
#define REGS  ".reg .pred %p<8>;\n.reg .b32 %r<40>;\n.reg .b64 %d<24>;\n"
#define ENTRY HEAD ".visible .entry k(.param .u64 out) {\n" REGS
#define AT                                                                                         \
  "ld.param.u64 %d1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"                       \
  "mov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %d2, %r4, 4;\n"             \
  "add.s64 %d3, %d1, %d2;\n"
#define MALLOC(n)                                                                                  \
  "{\n.param .b64 n;\n.param .b64 r;\nst.param.b64 [n], " n ";\ncall (r), malloc, (n);\n"          \
  "ld.param.b64 %d1, [r];\n}\n"
#define FREE "{\n.param .b64 n;\nst.param.b64 [n], %d1;\ncall free, (n);\n}\n"
#define LOOP(times, body)                                                                          \
  "mov.u32 %r5, 0;\nL:\n" body "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, " times                \
  ";\n@%p1 bra L;\n"

/* The most memory that any process below this one has had so far. */
static long most_mib(void) {
  struct rusage u;
  getrusage(RUSAGE_CHILDREN, &u);
  return u.ru_maxrss / 1024;
}
static void within(const char *what, long mib) {
  if (!SANITIZED && most_mib() > mib)
    ck_abort_msg("%s: %ld MiB, not at most %ld", what, most_mib(), mib);
}

static void no_crash(const char *what, const struct output *o) {
  if (strstr(o->err, "Sanitizer") || strstr(o->err, "BUG at") || o->status > 2)
    ck_abort_msg("%s: status %d\n%.2000s\n%.2000s", what, o->status, o->out, o->err);
}

static void judged(const char *what, const struct output *o, const char *verdict) {
  char want[64];
  no_crash(what, o);
  snprintf(want, sizeof want, "\"verdict\": \"%s\"", verdict);
  if (!strstr(o->out, want))
    ck_abort_msg("%s: not %s:\n%.3000s\n%.1000s", what, verdict, o->out, o->err);
}

START_TEST(untouched_memory_is_free) {
  static const char *const fills[] = {"uninit", "zero"};
  sandbox_make();
  sandbox_text("x.ptx", ENTRY AT "st.global.u32 [%d3], %r4;\nret;\n}");
  struct output o = sandbox_run("exec $S/x.ptx --grid 4096 --block 1024 --schedule converged "
                                "--arg buf:u32:268435456:%s --format json",
                                fills[_i]); /* 1 GiB, of which 16 MiB are written */
  judged(fills[_i], &o, "PASS");
  within(fills[_i], 300);
}
END_TEST

/* ---- greedy kernels, under a limit of 128 MiB ---- */
enum { LIMIT = 128, MARGIN = LIMIT / 4 + 64 + 40 };
static const struct {
  const char *what, *ptx, *options, *verdict, *word;
} greedy[] = {
    {"global", HEAD ".global .b8 g[10000000000];\n.visible .entry k(.param .u64 out) { ret; }",
     "--grid 1 --block 1", "INTERNAL", "--memory-limit"},
    {"buffer", ENTRY "ret;\n}", "--grid 1 --block 1 --arg buf:u32:1000000000:iota", "INTERNAL",
     "--memory-limit"},
    {"local",
     ENTRY ".local .align 4 .b8 a[500000];\n" AT
           "mov.u64 %d4, a;\nst.local.u32 [%d4+496000], %r1;\nbar.sync 0;\nret;\n}",
     "--grid 64 --block 1024", "INTERNAL", "memory limit"},
    {"local beyond the stack",
     ENTRY ".local .align 4 .b8 a[300000];\n.local .align 4 .b8 b[300000];\n" AT
           "mov.u64 %d4, a;\nst.local.u32 [%d4+296000], %r1;\nret;\n}",
     "--grid 1 --block 32", "INTERNAL", "local variables"},
    {"recursion",
     HEAD ".func f(.param .b32 a)\n{\n.reg .b32 %x<20000>;\n.param .b32 b;\n"
          "ld.param.b32 %x1, [a];\nst.param.b32 [b], %x1;\ncall f, (b);\nret;\n}\n"
          ".visible .entry k(.param .u64 out) {\n.param .b32 b;\nst.param.b32 [b], 1;\n"
          "call f, (b);\nret;\n}",
     "--grid 16 --block 256", "INTERNAL", "memory limit"},
    {"recursion of little frames",
     HEAD ".func f(.param .b32 a)\n{\n.param .b32 b;\n.reg .b32 %x;\n"
          "ld.param.b32 %x, [a];\nst.param.b32 [b], %x;\ncall f, (b);\nret;\n}\n"
          ".visible .entry k(.param .u64 out) {\n.param .b32 b;\nst.param.b32 [b], 1;\n"
          "call f, (b);\nret;\n}",
     "--grid 16 --block 256", "TRAP", "too deep"},
    {"malloc and free", ENTRY LOOP("1000000000", MALLOC("100000") "st.u32 [%d1], 1;\n" FREE) "}",
     "--grid 16 --block 1 --max-steps 3000000", "HANG", ""},
    {"malloc of crumbs",
     ENTRY
     "L:\n" MALLOC("1") "setp.ne.u64 %p1, %d1, 0;\n@%p1 st.u8 [%d1], 1;\n@%p1 bra L;\nret;\n}",
     "--grid 16 --block 64 --max-steps 100000000", "INTERNAL", "memory limit"},
    {"a giant grid", ENTRY "ret;\n}", "--grid 2147483647 --block 1 --max-steps 1000000", "HANG",
     ""},
    {"a giant grid in random order", ENTRY "ret;\n}",
     "--grid 2147483647 --block 1 --schedule random", "INTERNAL", "memory limit"},
    {"many processors", ENTRY "ret;\n}",
     "--grid 2000000 --block 32 --sms 4000000 --blocks-per-sm 32", "INTERNAL", "side by side"},
    {"many atomics",
     ENTRY AT LOOP("64", "atom.relaxed.gpu.global.add.u32 %r6, [%d3], 1;\n"
                         "add.s64 %d3, %d3, 65536;\n") "ret;\n}",
     "--grid 64 --block 256 --arg buf:u32:4194304:zero", "INTERNAL", "memory limit"},
    {"clocks", ENTRY AT LOOP("4", "atom.acq_rel.gpu.global.add.u32 %r6, [%d1], 1;\n") "ret;\n}",
     "--grid 16 --block 128 --arg buf:u32:4:zero", "PASS", ""},
    {"many mbarriers",
     ENTRY ".shared .align 16 .b8 s[230000];\n" AT
           "mov.u32 %r7, s;\nmad.lo.u32 %r7, %r1, 8, %r7;\n" LOOP(
               "100", "mbarrier.init.shared.b64 [%r7], 1;\nadd.u32 %r7, %r7, 2048;\n") "ret;\n}",
     "--grid 64 --block 256", "PASS", ""},
    {"copies that nobody waits for",
     ENTRY ".shared .align 16 .b8 s[4096];\n" AT "shl.b32 %r6, %r1, 4;\nmov.u32 %r7, s;\n"
           "add.u32 %r7, %r7, %r6;\n" LOOP(
               "1000000", "cp.async.ca.shared.global [%r7], [%d1], 16;\n") "ret;\n}",
     "--grid 1 --block 256 --max-steps 20000 --schedule reversed --arg buf:u32:1024:zero", "RACE",
     ""},
    {"printing",
     HEAD ".global .b8 f[32] = {97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 0};\n"
          ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
          ".visible .entry k(.param .u64 out) {\n" REGS LOOP(
              "1000000000", "{\n.param .b64 a;\n.param .b64 b;\n.param .b32 r;\nmov.u64 %d5, f;\n"
                            "st.param.b64 [a], %d5;\nst.param.b64 [b], 0;\n"
                            "call (r), vprintf, (a, b);\n}\n") "ret;\n}",
     "--grid 4 --block 64 --max-steps 3000000", "HANG", ""},
};

START_TEST(greedy_kernels_end_at_the_limit) {
  const char *what = greedy[_i].what;
  sandbox_make();
  sandbox_text("x.ptx", greedy[_i].ptx);
  const char *buffer = strstr(greedy[_i].options, "--arg") ? "" : "--arg null";
  const char *order = strstr(greedy[_i].options, "--schedule") ? "" : "--schedule converged";
  struct output o = sandbox_run("exec $S/x.ptx --memory-limit %d %s %s %s --format json", LIMIT,
                                buffer, order, greedy[_i].options);
  judged(what, &o, greedy[_i].verdict);
  if (!strstr(o.out, greedy[_i].word)) ck_abort_msg("%s: no word of it:\n%.2000s", what, o.out);
  within(what, LIMIT + MARGIN);
}
END_TEST

/* What was proved before the limit was reached is the verdict. */
START_TEST(a_race_stands) {
  sandbox_make();
  sandbox_text("x.ptx", ENTRY AT "st.global.u32 [%d1], %r1;\n" LOOP(
                            "64", "atom.relaxed.gpu.global.add.u32 %r6, "
                                  "[%d3], 1;\nadd.s64 %d3, %d3, 65536;\n") "ret;\n}");
  struct output o = sandbox_run("exec $S/x.ptx --memory-limit %d --schedule converged --grid 64 "
                                "--block 256 --arg buf:u32:4194304:zero --format json",
                                LIMIT);
  judged("race and limit", &o, "RACE");
  ck_assert_ptr_nonnull(strstr(o.out, "memory limit"));
  o = sandbox_run("exec $S/x.ptx --memory-limit 3 --grid 1 --block 1");
  ck_assert_int_eq(o.status, 2);
  ck_assert_ptr_nonnull(strstr(o.err, "--memory-limit"));
}
END_TEST

/* ---- no memory, no disk ---- */
static int shell(char *out, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int shell(char *out, size_t size, const char *fmt, ...) {
  char command[2048];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(command, sizeof command, fmt, ap);
  va_end(ap);
  FILE *f = popen(command, "r");
  ck_assert_ptr_nonnull(f);
  size_t n = fread(out, 1, size - 1, f);
  out[n] = 0;
  int status = pclose(f);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* From too little to start with up to plenty. The loader's own failure is not ours. */
START_TEST(out_of_memory_anywhere) {
  static char out[1 << 16];
  u32 ended = 0, passed = 0;
  if (SANITIZED) return; /* its shadow takes terabytes of addresses */
  sandbox_make();
  sandbox_text("x.ptx", ENTRY AT LOOP("64", "atom.acq_rel.gpu.global.add.u32 %r6, [%d3], 1;\n"
                                            "add.s64 %d3, %d3, 8192;\n") "ret;\n}");
  /* Wide steps until the program can be loaded at all, then narrow ones until it has enough. */
  for (int kib = 4000, loads = 0; kib < 400000 && passed < 4; kib += loads ? 300 : 2000) {
    int status = shell(out, sizeof out,
                       "(ulimit -v %d; exec %s exec %s --grid 4 --block 64 --schedule converged "
                       "--arg buf:u32:131328:zero) 2>&1",
                       kib, sandbox_program(), sandbox_path("x.ptx"));
    bool loaded = !strstr(out, "shared object") && status != 127;
    if (loaded && status != 0 &&
        (status != 2 || (!strstr(out, "out of memory") && !strstr(out, "cannot start a process"))))
      ck_abort_msg("with %d KiB: status %d\n%.3000s", kib, status, out);
    loads |= loaded;
    ended += loaded && status == 2;
    passed += status == 0;
  }
  ck_assert_uint_gt(ended, 3);
  ck_assert_uint_gt(passed, 1);
}
END_TEST

START_TEST(a_full_disk) {
  static const char *const words[] = {"--help",
                                      "--version",
                                      "list",
                                      "exec --help",
                                      "doctor",
                                      "exec %s --grid 1 --block 1 --arg null",
                                      "exec %s --grid 1 --block 1 --arg null --format json",
                                      "exec %s --grid 1 --block 1 --arg buf:u32:64:zero --dump 0"};
  char out[4096], command[1024];
  sandbox_make();
  sandbox_text("x.ptx", ENTRY "ret;\n}");
  for (size_t i = 0; i < COUNT_OF(words); i++) {
    const char *at = strstr(words[i], "%s");
    snprintf(command, sizeof command, "%.*s%s%s", at ? (int)(at - words[i]) : 1000, words[i],
             at ? sandbox_path("x.ptx") : "", at ? at + 2 : "");
    int status = shell(out, sizeof out, "%s %s 2>&1 >/dev/full", sandbox_program(), command);
    if (status != 2 || !strstr(out, "cannot write"))
      ck_abort_msg("%s to a full disk: status %d, %s", words[i], status, out);
  }
}
END_TEST

Suite *suite_memory(void) {
  Suite *s = suite_create("memory");
  TCase *t = tcase_create("memory");
  tcase_set_timeout(t, 300);
  tcase_add_loop_test(t, untouched_memory_is_free, 0, 2);
  tcase_add_loop_test(t, greedy_kernels_end_at_the_limit, 0, (int)COUNT_OF(greedy));
  tcase_add_test(t, a_race_stands);
  tcase_add_test(t, out_of_memory_anywhere);
  tcase_add_test(t, a_full_disk);
  suite_add_tcase(s, t);
  return s;
}
