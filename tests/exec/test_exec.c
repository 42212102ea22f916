/* test_exec.c - every kernel on file goes through `warplings exec`, with each compiler that is
 * here, and must be judged as announced. The program is build/warplings, or what WARPLINGS names.
 * Two run at a time. */
#include <check.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "exec/exec_judge.h"

Suite *suite_exec(void);

enum { AT_A_TIME = 2, WORDS_MAX = 100, OUTPUT_MAX = 16 << 20 };
struct running {
  pid_t pid;
  const struct exec_case *c;
  FILE *output;
};

static const char *program(void) {
  const char *p = getenv("WARPLINGS");
  return p && *p ? p : "build/warplings";
}

static void start(struct running *r, const struct exec_case *c, const char *compiler,
                  struct arena *a) {
  const char *words[WORDS_MAX] = {program(), "exec",       c->file, "--format",
                                  "json",    "--compiler", compiler};
  u32 n = 7;
  if (!strstr(c->options, "--seed")) { /* exec tries more where that is cheap: not in every test */
    words[n++] = "--seeds";
    words[n++] = "8";
  }
  char *rest = arena_printf(a, "%s", c->options);
  for (char *w; n < WORDS_MAX - 2 * CASE_DUMPS - 1 && (w = strsep(&rest, " "));)
    if (*w) words[n++] = w;
  for (u32 i = 0; c->add_dumps && i < c->dump_count; i++) {
    words[n++] = "--dump";
    const struct exec_dump_want *d = &c->dumps[i];
    words[n++] = d->field ? arena_printf(a, "%u.%u%s", d->arg, d->field - 1, d->count)
                          : arena_printf(a, "%u%s", d->arg, d->count);
  }
  r->output = tmpfile();
  ck_assert_ptr_nonnull(r->output);
  r->c = c;
  r->pid = fork();
  ck_assert_int_ge(r->pid, 0);
  if (r->pid == 0) {
    dup2(fileno(r->output), 1);
    dup2(fileno(r->output), 2);
    execv(program(), (char *const *)(uintptr_t)words);
    _exit(127);
  }
}

static char *read_back(FILE *f) {
  char *text = calloc(1, OUTPUT_MAX);
  ck_assert_ptr_nonnull(text);
  rewind(f);
  text[fread(text, 1, OUTPUT_MAX - 1, f)] = 0;
  fclose(f);
  return text;
}

/* Waits for one of them; false: it was judged otherwise, `failures` says how. */
static bool finish(struct running *r, u32 count, struct strbuf *failures) {
  int status;
  pid_t pid = waitpid(-1, &status, 0);
  for (u32 i = 0; i < count; i++) {
    if (r[i].pid != pid) continue;
    struct diag why = {0};
    char *json = read_back(r[i].output);
    bool ok = exec_judge(r[i].c, json, &why);
    if (WIFSIGNALED(status)) diag_set(&why, "killed by signal %d", WTERMSIG(status)), ok = false;
    if (!ok) strbuf_printf(failures, "\n  %s: %s", r[i].c->name, why.text);
    free(json);
    r[i].pid = 0;
    return ok;
  }
  return true;
}

static void run_all(const struct exec_cases *all, const char *what, const char *compiler) {
  struct running r[AT_A_TIME] = {0};
  struct strbuf failures = {0};
  struct arena a = {0};
  u32 failed = 0, busy = 0;
  for (u32 i = 0; i < all->count || busy;) {
    if (i < all->count && busy < AT_A_TIME) {
      u32 slot = r[0].pid ? 1 : 0;
      start(&r[slot], &all->list[i++], compiler, &a);
      busy++;
      continue;
    }
    failed += !finish(r, AT_A_TIME, &failures);
    busy--;
  }
  printf("exec: %s with %s: %u cases, %u wrong%s\n", what, compiler, all->count, failed,
         all->later ? ", some left for later" : "");
  fflush(stdout);
  if (failed) ck_abort_msg("%u of %u:%s", failed, all->count, failures.p);
  strbuf_free(&failures);
  arena_free(&a);
}

/* ---- which cases, which compilers ---- */
static const enum compiler compilers[] = {COMPILER_NVRTC, COMPILER_CLANG};

static bool is_here(enum compiler c) {
  struct compile_found f;
  compile_probe(&f);
  if (c == COMPILER_NVRTC ? f.nvrtc : f.clang) return true;
  printf("exec: NOT RUN with %s: it is not installed\n", compiler_name(c));
  return false;
}

static struct exec_cases all; /* in a test's own process */

static void folder(const char *name, const char *ending, const char *with) {
  struct diag why = {0};
  if (!exec_cases_folder(&all, name, ending, with, &why)) ck_abort_msg("%s", why.text);
}

START_TEST(cases) {
  if (!is_here(compilers[_i])) return;
  folder("tests/cases", ".cu", compiler_name(compilers[_i]));
  run_all(&all, "cases", compiler_name(compilers[_i]));
}
END_TEST

START_TEST(pairs) {
  if (!is_here(compilers[_i])) return;
  folder("tests/pairs", ".cu", compiler_name(compilers[_i]));
  for (u32 i = 0; i < all.count; i++) all.list[i].silent = true;
  run_all(&all, "pairs", compiler_name(compilers[_i]));
}
END_TEST

/* What the memory model says, case by case; docs/memory-model.md is the page. */
START_TEST(litmus) {
  folder("tests/litmus", ".ptx", "auto");
  for (u32 i = 0; i < all.count; i++) all.list[i].silent = true;
  run_all(&all, "litmus", "auto");
}
END_TEST

START_TEST(patterns) {
  if (!is_here(compilers[_i])) return;
  folder("tests/patterns", ".cu", compiler_name(compilers[_i]));
  for (u32 i = 0; i < all.count; i++) all.list[i].silent = all.list[i].add_dumps = true;
  run_all(&all, "patterns", compiler_name(compilers[_i]));
}
END_TEST

/* The kernels of docs/exec.md. */
START_TEST(examples) {
  if (!is_here(compilers[_i])) return;
  folder("tests/examples", ".cu", compiler_name(compilers[_i]));
  for (u32 i = 0; i < all.count; i++) all.list[i].advice_exact = true;
  run_all(&all, "examples", compiler_name(compilers[_i]));
}
END_TEST

START_TEST(advice) {
  if (!is_here(compilers[_i])) return;
  folder("tests/advice", ".cu", compiler_name(compilers[_i]));
  for (u32 i = 0; i < all.count; i++) all.list[i].advice_exact = true;
  run_all(&all, "advice", compiler_name(compilers[_i]));
}
END_TEST

START_TEST(kernels) {
  struct diag why = {0};
  if (!is_here(compilers[_i])) return;
  if (!exec_cases_table(&all, "tests/kernels", &why)) ck_abort_msg("%s", why.text);
  run_all(&all, "kernels", compiler_name(compilers[_i]));
}
END_TEST

/* The first line of a kernel of kernels2 names its compilers. */
static bool takes(const struct exec_case *c, const char *compiler) {
  struct diag why = {0};
  str text, line;
  if (!file_read(&all.keep, c->file, 1 << 20, &text, &why)) ck_abort_msg("%s", why.text);
  return str_line(&text, &line) &&
         (str_has(line, compiler) || (str_has(line, "rdc") && strcmp(compiler, "nvrtc") == 0));
}

START_TEST(more_kernels) {
  struct diag why = {0};
  const char *name = compiler_name(compilers[_i]);
  if (!is_here(compilers[_i])) return;
  if (!exec_cases_table(&all, "tests/kernels2", &why)) ck_abort_msg("%s", why.text);
  u32 kept = 0;
  for (u32 i = 0; i < all.count; i++)
    if (takes(&all.list[i], name)) all.list[kept++] = all.list[i];
  all.count = kept;
  run_all(&all, "kernels2", name);
}
END_TEST

START_TEST(ops) {
  folder("tests/ops", ".ptx", "auto");
  run_all(&all, "ops", "auto");
}
END_TEST

/* tests/ops/NAME.ptx or NAME_*.ptx */
static bool has_case(const char *op) {
  size_t n = strlen(op);
  for (u32 i = 0; i < all.count; i++) {
    const char *base = strrchr(all.list[i].file, '/') + 1;
    if (strncmp(base, op, n) == 0 && (base[n] == '.' || base[n] == '_')) return true;
  }
  return false;
}

START_TEST(every_opcode) {
  struct strbuf missing = {0};
  folder("tests/ops", ".ptx", "auto");
  for (u32 i = 1; i < OP_COUNT; i++)
    if (!has_case(ptx_ops[i].text)) strbuf_printf(&missing, " %s", ptx_ops[i].text);
  if (missing.n) ck_abort_msg("ops.def has opcodes without a case in tests/ops:%s", missing.p);
}
END_TEST

static bool has_row(const char *file) {
  for (u32 i = 0; i < all.count; i++)
    if (strcmp(all.list[i].file, file) == 0) return true;
  return false;
}

/* Every file has a row in its folder's table, and none of the 89 kernels has been lost. */
START_TEST(every_kernel) {
  enum { KERNELS = 89 };
  static const char *const folders[] = {"tests/kernels", "tests/kernels2"};
  bool seen[KERNELS + 1] = {false};
  struct strbuf missing = {0};
  for (size_t d = 0; d < COUNT_OF(folders); d++) {
    struct arena a = {0};
    struct diag why = {0};
    glob_t files;
    if (!exec_cases_table(&all, folders[d], &why)) ck_abort_msg("%s", why.text);
    ck_assert_int_eq(glob(arena_printf(&a, "%s/*.cu", folders[d]), 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
      const char *base = strrchr(files.gl_pathv[i], '/') + 1;
      u32 number = base[0] == 'k' ? (u32)strtoul(base + 1, NULL, 10) : 0;
      if (!has_row(files.gl_pathv[i])) strbuf_printf(&missing, " %s", files.gl_pathv[i]);
      if (number <= KERNELS) seen[number] = true;
    }
    globfree(&files);
    arena_free(&a);
  }
  for (u32 k = 1; k <= KERNELS; k++)
    if (!seen[k]) strbuf_printf(&missing, " k%02u", k);
  if (missing.n) ck_abort_msg("no kernel, or no row in its folder's table:%s", missing.p);
}
END_TEST

/* "PTX ISA 8.9.4" or "PTX ISA, shfl.sync" in the comments, perhaps on two lines. */
static bool names_rule(str text) {
  struct strbuf b = {0};
  for (str line; str_line(&text, &line) && str_starts(line, "//");)
    strbuf_add(&b, line.p + 2, line.n - 2);
  str comments = {b.p, b.n};
  bool yes = str_has(comments, "PTX ISA");
  strbuf_free(&b);
  return yes;
}

/* Each program says which rule of the memory model it is about. */
START_TEST(every_litmus) {
  struct arena a = {0};
  struct diag why = {0};
  str text;
  folder("tests/litmus", ".ptx", "auto");
  ck_assert_uint_ge(all.count, 60);
  for (u32 i = 0; i < all.count; i++) {
    if (!file_read(&a, all.list[i].file, 1 << 20, &text, &why)) ck_abort_msg("%s", why.text);
    if (!names_rule(text))
      ck_abort_msg("%s: no word on the rule: 'PTX ISA 8.9.4' or the like", all.list[i].file);
  }
  arena_free(&a);
}
END_TEST

/* Each NAME.cu passes and has a NAME_wrong.cu, which does not. */
START_TEST(every_pattern) {
  struct arena a = {0};
  folder("tests/patterns", ".cu", "");
  for (u32 i = 0; i < all.count; i++) {
    const char *f = all.list[i].file, *cut = strstr(f, "_wrong.cu");
    int n = (int)(cut ? cut - f : (i64)strlen(f) - 3);
    const char *other = arena_printf(&a, "%.*s%s", n, f, cut ? ".cu" : "_wrong.cu");
    if (!file_exists(other)) ck_abort_msg("%s: there is no %s", f, other);
    bool passes = all.list[i].want.kinds == 1u << V_PASS;
    if (passes != !cut) ck_abort_msg("%s: a right one passes, a wrong one does not", f);
  }
  arena_free(&a);
}
END_TEST

/* Each NAME_needless.cu has its NAME_needed.cu; the lines named are those of the former. */
START_TEST(every_advice) {
  struct arena a = {0};
  folder("tests/advice", ".cu", "");
  for (u32 i = 0; i < all.count; i++) {
    const char *f = all.list[i].file, *cut = strrchr(f, '_');
    bool needless = cut && strcmp(cut, "_needless.cu") == 0;
    if (!needless && !(cut && strcmp(cut, "_needed.cu") == 0))
      ck_abort_msg("%s: neither NAME_needless.cu nor NAME_needed.cu", f);
    const char *other =
        arena_printf(&a, "%.*s%s", (int)(cut - f), f, needless ? "_needed.cu" : "_needless.cu");
    if (!file_exists(other)) ck_abort_msg("%s: there is no %s", f, other);
    if (needless != (all.list[i].advice != NULL))
      ck_abort_msg("%s: only what is needless has a line '// advice:'", f);
  }
  arena_free(&a);
}
END_TEST

/* Each _wrong has its _right. */
START_TEST(every_pair) {
  struct arena a = {0};
  folder("tests/pairs", ".cu", "");
  for (u32 i = 0; i < all.count; i++) {
    const char *f = all.list[i].file, *cut = strrchr(f, '_');
    bool wrong = cut && strcmp(cut, "_wrong.cu") == 0, right = cut && strcmp(cut, "_right.cu") == 0;
    if (!wrong && !right) ck_abort_msg("%s: neither NAME_wrong.cu nor NAME_right.cu", f);
    const char *other =
        arena_printf(&a, "%.*s%s", (int)(cut - f), f, wrong ? "_right.cu" : "_wrong.cu");
    if (!file_exists(other)) ck_abort_msg("%s: there is no %s", f, other);
    bool passes = all.list[i].want.kinds == 1u << V_PASS;
    if (passes != right) ck_abort_msg("%s: a right one passes, a wrong one does not", f);
  }
  arena_free(&a);
}
END_TEST

Suite *suite_exec(void) {
  const struct {
    const char *name;
    const TTest *test;
    int times;
  } rows[] = {{"every_opcode", every_opcode, 1},
              {"every_kernel", every_kernel, 1},
              {"every_litmus", every_litmus, 1},
              {"every_pair", every_pair, 1},
              {"every_advice", every_advice, 1},
              {"every_pattern", every_pattern, 1},
              {"ops", ops, 1},
              {"litmus", litmus, 1},
              {"patterns", patterns, 2},
              {"advice", advice, 2},
              {"examples", examples, 2},
              {"cases", cases, 2},
              {"pairs", pairs, 2},
              {"kernels", kernels, 2},
              {"more_kernels", more_kernels, 2}};
  Suite *s = suite_create("exec");
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    TCase *t = tcase_create(rows[i].name);
    tcase_set_timeout(t, 900);
    tcase_add_loop_test(t, rows[i].test, 0, rows[i].times);
    suite_add_tcase(s, t);
  }
  return s;
}
