/* test_hostile.c - files that nobody should hand in, and some will: each gets a verdict or a clear
 * error within seconds, nothing crashes, and the puzzle beside it is still judged. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/sandbox.h"

Suite *suite_hostile(void);

enum { SECONDS_MAX = 10 };
#define QUICK(o) ck_assert_msg((o).seconds < SECONDS_MAX, "took %.1f s", (o).seconds)

/* A process that fell over is an INTERNAL like any other for the reader, but not for us. */
static void no_crash(const char *what, const struct output *o) {
  static const char *const words[] = {"judging process", "Sanitizer", "runtime error:", "harness/"};
  for (size_t i = 0; i < COUNT_OF(words); i++)
    if (strstr(o->out, words[i]) || strstr(o->err, words[i]))
      ck_abort_msg("%.200s: a crash ('%s'):\n%.2000s\n%.2000s", what, words[i], o->out, o->err);
}

/* ---- submissions ---- */
static const struct {
  const char *what, *text, *verdicts; /* verdicts: any of these words */
} submissions[] = {
    {"does not compile", "__global__ void k( {\n", "COMPILE"},
    {"empty", "", "COMPILE"},
    {"no kernel", "int x;\n", "COMPILE"},
    {"binary", "\177ELF\002\001\001\377\376\375\n\033[31m\001\002", "COMPILE"},
    {"includes itself", "#include __FILE__\n", "COMPILE"},
    {"includes a device", "#include \"/dev/zero\"\n", "COMPILE INTERNAL"},
    {"error directive with escapes", "#error \033]0;owned\007 <b>&amp;\"\n", "COMPILE"},
    {"deep templates",
     "template <int N> struct A { static const int v = A<N - 1>::v + A<N - 2>::v; };\nint x = "
     "A<9999>::v;\n",
     "COMPILE INTERNAL"},
    {"host code",
     "#include <stdio.h>\nint main() { return 0; }\n__attribute__((constructor)) void f() { }\n",
     "COMPILE"},
};

static bool any_of(const char *words, const char *json, const char *id) {
  char list[64], want[128];
  snprintf(list, sizeof list, "%s", words);
  const char *item = strstr(json, id), *verdict = item ? strstr(item, "\"verdict\": ") : NULL;
  if (!verdict) return false;
  for (char *rest = list, *w; (w = strsep(&rest, " "));) {
    snprintf(want, sizeof want, "\"verdict\": \"%s\"", w);
    if (strncmp(verdict, want, strlen(want)) == 0) return true;
  }
  return false;
}

/* Judges mine/01_lost_update.cu, whatever that is, and a right 02 beside it. */
static void judge(const char *what, const char *verdicts) {
  str good = sandbox_read("solutions/02_read_before_write.cu");
  sandbox_write("mine/02_read_before_write.cu", good.p, good.n);
  struct output o = sandbox_run("check 01 02 --root $S --source $S/mine --format json");
  ck_assert_msg(o.status == 1 || o.status == 2, "%s: status %d\n%s%s", what, o.status, o.out,
                o.err);
  ck_assert_msg(any_of(verdicts, o.out, "\"01_lost_update\""), "%s: not judged %s:\n%s%s", what,
                verdicts, o.out, o.err);
  ck_assert_msg(any_of("PASS", o.out, "\"02_read_before_write\""),
                "%s: the other one suffers:\n%s%s", what, o.out, o.err);
  QUICK(o);
  no_crash(what, &o);
  o = sandbox_run("check 01 --root $S --source $S/mine");
  ck_assert_msg(!strchr(o.out, '\033') && !strchr(o.out, '\007'),
                "%s: control characters reach the terminal", what);
}

START_TEST(strange_texts) {
  sandbox_make();
  sandbox_text("mine/01_lost_update.cu", submissions[_i].text);
  judge(submissions[_i].what, submissions[_i].verdicts);
}
END_TEST

/* The kernel's head is taken from the skeleton: whatever the puzzle calls it. */
static void with_body(const char *body) {
  static char text[8192];
  str s = sandbox_read("puzzles/01_lost_update/skeleton.cu");
  const char *head = strstr(s.p, "__global__"), *brace = head ? strchr(head, '{') : NULL;
  ck_assert(head && brace);
  snprintf(text, sizeof text, "#include <assert.h>\n%.*s{\n%s\n}\n", (int)(brace - head), head,
           body);
  sandbox_text("mine/01_lost_update.cu", text);
}

static const struct {
  const char *what, *body, *verdicts;
} kernels[] = {
    {"loops for ever", "unsigned i = 1; while (i) i += 2;", "HANG DEADLOCK"},
    {"waits for ever", "__shared__ volatile int s; s = 0; while (s == 0) { }",
     "HANG DEADLOCK RACE"},
    {"writes out of bounds", "((volatile int *)0)[threadIdx.x] = 1;", "BOUNDS"},
    {"writes far away", "((volatile int *)0x7fffffff0000)[threadIdx.x] = 1;", "BOUNDS"},
    {"prints without end",
     "unsigned i = 1; while (i) { printf(\"again and again %u\\n\", i); i += 2; }", "HANG"},
    {"gives up", "__trap();", "TRAP"},
    {"asserts", "assert(threadIdx.x > 5000);", "TRAP"},
    {"does nothing", "", "WRONG"},
    {"allocates without end",
     "char *p; do { p = (char *)malloc(1 << 20); if (p) p[0] = 1; } while (true);",
     "HANG DEADLOCK BOUNDS"},
    {"sleeps without end", "for (;;) __nanosleep(1000000);", "HANG DEADLOCK"},
};

START_TEST(strange_kernels) {
  sandbox_make();
  with_body(kernels[_i].body);
  judge(kernels[_i].what, kernels[_i].verdicts);
}
END_TEST

START_TEST(recursion_without_end) {
  sandbox_make();
  sandbox_text("mine/01_lost_update.cu", "");
  with_body("extern __device__ int deep(int); if (deep(1) == 7) __trap();");
  str s = sandbox_read("mine/01_lost_update.cu");
  static char text[8192];
  snprintf(text, sizeof text,
           "__device__ int deep(int n) { return n == -5 ? 7 : deep(n + 1) + deep(n + 2); }\n" STR_F,
           STR_A(s));
  sandbox_text("mine/01_lost_update.cu", text);
  judge("recursion without end", "BOUNDS TRAP HANG DEADLOCK");
}
END_TEST

START_TEST(a_folder) {
  sandbox_make();
  sandbox_text("mine/01_lost_update.cu/file", "");
  judge("a folder", "INTERNAL SKIP");
}
END_TEST

START_TEST(an_unreadable_file) {
  sandbox_make();
  sandbox_text("mine/01_lost_update.cu", "int x;");
  chmod(sandbox_path("mine/01_lost_update.cu"), 0);
  if (access(sandbox_path("mine/01_lost_update.cu"), R_OK) == 0)
    return; /* as root everything is readable */
  judge("unreadable", "INTERNAL");
}
END_TEST

START_TEST(a_pipe) {
  sandbox_make();
  sandbox_text("mine/x", "");
  ck_assert_int_eq(mkfifo(sandbox_path("mine/01_lost_update.cu"), 0600), 0);
  judge("a pipe that nobody writes to", "INTERNAL SKIP");
}
END_TEST

START_TEST(a_huge_file) {
  size_t n = 8 << 20;
  char *text = malloc(n);
  ck_assert_ptr_nonnull(text);
  memset(text, '/', n);
  sandbox_make();
  sandbox_write("mine/01_lost_update.cu", text, n);
  free(text);
  judge("8 MiB", "INTERNAL COMPILE");
}
END_TEST

/* ---- PTX ---- */
static void run_ptx(const char *what) {
  struct output o = sandbox_run("exec $S/x.ptx --grid 1 --block 32 --arg buf:u32:64:zero "
                                "--max-steps 100000 --schedule converged");
  ck_assert_msg(o.status >= 0 && o.status <= 2, "%s: status %d\n%.2000s", what, o.status, o.err);
  ck_assert_msg(o.status == 0 || o.out_bytes || o.err[0], "%s: no word about it", what);
  no_crash(what, &o);
  QUICK(o);
}

/* Files cut off at 24 places each. */
static const char *const cut[] = {"call",     "brx", "call_struct", "cvta",
                                  "ld_types", "mov", "bar_red",     "shfl_up"};

START_TEST(half_written_ptx) {
  static char text[1 << 16];
  char name[128];
  struct arena keep = {0};
  struct diag why = {0};
  str s;
  snprintf(name, sizeof name, "tests/ops/%s.ptx", cut[_i]);
  sandbox_make();
  ck_assert(file_read(&keep, name, sizeof text, &s, &why));
  for (size_t k = 0; k <= 24; k++) {
    sandbox_write("x.ptx", s.p, s.n * k / 24);
    run_ptx(name);
  }
  /* One byte changed, here and there. */
  for (size_t k = 0; k < 24; k++) {
    memcpy(text, s.p, s.n);
    text[s.n * k / 24] = "{}[]();,.%0\"\\\n\377A"[k % 16];
    sandbox_write("x.ptx", text, s.n);
    run_ptx(name);
  }
  arena_free(&keep);
}
END_TEST

#define HEAD  ".version 7.8\n.target sm_80\n.address_size 64\n"
#define ENTRY HEAD ".visible .entry k(.param .u64 out) {\n"
static const char *const hostile[] = {
    "\n\n\n",
    ".version 99999999999999999999.7\n.target sm_80\n",
    ".version 7.8\n.target sm_999999999999999999\n.address_size 64\n",
    HEAD ".visible .entry k(.param .u64 out)",
    ENTRY ".reg .b32 %r<4294967295>;\nret;\n}",
    ENTRY ".reg .b32 %r<99999999999999999999999>;\nret;\n}",
    ENTRY ".reg .b32 %r<-1>;\nret;\n}",
    ENTRY ".shared .align 4 .b8 s[99999999999999];\nst.shared.u32 [s], 1;\nret;\n}",
    ENTRY ".local .align 4 .b8 s[4000000000];\nst.local.u32 [s], 1;\nret;\n}",
    HEAD
    ".global .align 4 .b8 g[18446744073709551615];\n.visible .entry k(.param .u64 out) { ret; }",
    HEAD
    ".global .align 4 .u32 g[4] = {1, 2, 3, 4, 5};\n.visible .entry k(.param .u64 out) { ret; }",
    HEAD ".global .align 3 .u32 g;\n.visible .entry k(.param .u64 out) { ret; }",
    HEAD ".global .u64 g = g + 99999999999999999999;\n.visible .entry k(.param .u64 out) { ret; }",
    HEAD ".visible .entry k(.param .align 8 .b8 out[18446744073709551615]) { ret; }",
    ENTRY "bra nowhere;\n}",
    ENTRY "call nobody;\nret;\n}",
    ENTRY "self: bra self;\n}",
    ENTRY ".reg .b32 %r<2>;\nadd.u32 %r1, %r1;\nret;\n}",
    ENTRY ".reg .b32 %r<2>;\nadd.u32 %r1, %r7, 1;\nret;\n}",
    ENTRY ".reg .b32 %r<2>;\nfrobnicate.u32 %r1, 1;\nret;\n}",
    ENTRY ".reg .b32 %r<2>;\nmov.u32 %r1, %no.such.register;\nret;\n}",
    ENTRY ".reg .b64 %d<2>;\nld.global.u32 %d1, [123456789012345678901234567890];\nret;\n}",
    ENTRY ".reg .b64 %d<2>;\nld.global.u64 %d1, [-8];\nret;\n}",
    ENTRY ".reg .b64 %d<2>;\nld.global.v4.u32 {%d1, %d1}, [0];\nret;\n}",
    ENTRY "{{{{{{{{{{{{{{{{{{{{ ret;\n}",
    ENTRY "/* a comment without an end",
    ENTRY ".file 1 \"without an end",
    ENTRY ".loc 99999999 99999999999999 1, function_name $x, inlined_at 9 9 9\nret;\n}",
    ENTRY ".reg .f32 %f<2>;\nmov.f32 %f1, 0fZZZZ;\nret;\n}",
    ENTRY ".branchtargets a, b;\nret;\n}",
    ENTRY ".reg .b32 %r<2>;\nt: .branchtargets a;\nmov.u32 %r1, 7;\nbrx.idx %r1, t;\na: ret;\n}",
    ENTRY "bar.sync 99;\nret;\n}",
    ENTRY "bar.sync 0, 4294967295;\nret;\n}",
    ENTRY "ret;\n}\n" HEAD,
    ENTRY "ret;\n}\n.visible .entry k(.param .u64 out) { ret; }",
    HEAD ".func f() { call f; ret; }\n.visible .entry k(.param .u64 out) { call f; ret; }",
    HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.visible .entry "
         "k(.param .u64 out) {\n"
         ".param .b64 a;\n.param .b64 b;\n.param .b32 r;\nst.param.b64 [a], 12345;\nst.param.b64 "
         "[b], 99;\ncall (r), vprintf, (a, b);\nret;\n}",
};

START_TEST(hostile_ptx) {
  sandbox_make();
  sandbox_text("x.ptx", hostile[_i]);
  run_ptx(hostile[_i]);
}
END_TEST

/* The same little thing, very often. */
static const struct {
  const char *before, *often, *after;
} repeated[] = {
    {ENTRY, "{", "ret;\n}"},
    {HEAD ".global .u64 g = ", "(", ";"},
    {HEAD ".global .u64 g = ", "-", "1;"},
    {HEAD ".visible .entry k(", ".param .u64 a,", ".param .u64 z) { ret; }"},
    {ENTRY ".reg .b32 %r<2>;\n", "add.u32 %r1, 1, 2;\n", "ret;\n}"},
    {ENTRY ".reg .b32 a", "a", ";\nret;\n}"},
    {ENTRY "add", ".u32", " 1, 2;\nret;\n}"},
    {HEAD "/", "*", "/"},
};

START_TEST(very_long_ptx) {
  enum { TIMES = 100000 };
  const size_t k = strlen(repeated[_i].often);
  char *text = malloc(TIMES * k + 4096), *p = text;
  ck_assert_ptr_nonnull(text);
  p = stpcpy(p, repeated[_i].before);
  for (int i = 0; i < TIMES; i++) p = stpcpy(p, repeated[_i].often);
  p = stpcpy(p, repeated[_i].after);
  sandbox_make();
  sandbox_write("x.ptx", text, (size_t)(p - text));
  free(text);
  run_ptx(repeated[_i].often);
}
END_TEST

Suite *suite_hostile(void) {
  Suite *s = suite_create("hostile");
  TCase *t = tcase_create("submissions");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, strange_texts, 0, (int)COUNT_OF(submissions));
  tcase_add_loop_test(t, strange_kernels, 0, (int)COUNT_OF(kernels));
  tcase_add_test(t, recursion_without_end);
  tcase_add_test(t, a_folder);
  tcase_add_test(t, an_unreadable_file);
  tcase_add_test(t, a_pipe);
  tcase_add_test(t, a_huge_file);
  suite_add_tcase(s, t);
  t = tcase_create("ptx");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, half_written_ptx, 0, (int)COUNT_OF(cut));
  tcase_add_loop_test(t, hostile_ptx, 0, (int)COUNT_OF(hostile));
  tcase_add_loop_test(t, very_long_ptx, 0, (int)COUNT_OF(repeated));
  suite_add_tcase(s, t);
  return s;
}
