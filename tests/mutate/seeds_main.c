/* seeds_main.c - make seeds: every right program on file under every schedule and many seeds, the
 * unoptimised and the optimised build, must stay without an error. What exec and check try is a
 * part of this; false alarms that need luck show here.
 *
 *   seeds [--compiler nvrtc|clang] [--count N] [PART-OF-A-FILE-NAME...]
 *
 * N seeds: the four fixed schedules, 2 N random ones, N adversarial ones. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "exec/exec_judge.h"
#include "mutate/right.h"

enum { TASKS_MAX = 4096, TASK_SECONDS = 3600, COUNT_DEFAULT = 50 };

struct task {
  const struct right *right;
  const struct exec_case *launch; /* NULL: an answer to a puzzle */
};
struct seeds {
  struct arena keep;
  enum compiler with;
  u32 count;
  struct right_list right;
  struct task tasks[TASKS_MAX];
  u32 task_count, failed;
  u64 runs;
};
static struct seeds s;

/* ---- one task, in a child: "RUNS problem" ---- */
static void answer(struct strbuf *out, u64 runs, const char *problem) {
  strbuf_printf(out, "%" PRIu64 " %s", runs, problem);
}

static void run_answer(struct arena *a, const struct right *r, struct strbuf *out) {
  struct pz_request q = {.path = r->file,
                         .compiler = s.with,
                         .both_builds = true,
                         .cache_dir = CACHE_DIR,
                         .plan = {.seed = 1, .random_count = 3 * s.count}};
  struct verdict v;
  pz_judge(a, r->puzzle, &q, &v);
  const struct finding *f = report_reason(&v);
  const char *problem = "";
  if (v.kind != V_PASS)
    problem = arena_printf(a, "%s (%s, %s, seed %" PRIu64 "): %s", verdict_text(v.kind),
                           v.evidence.failed_shape, f ? f->schedule : "?", f ? f->seed : 0,
                           f ? f->message : "");
  answer(out, v.evidence.runs, problem);
}

/* Notes are for the unoptimised build: only that one follows undefined values. A launch that names
 * its build means that one alone. */
static void run_launch(struct arena *a, const struct exec_case *c, struct strbuf *out) {
  static const char *const builds[] = {"debug", "release"};
  size_t k = strlen(c->file);
  bool one = strcmp(c->file + k - 4, ".ptx") == 0 || strstr(c->options, "--build ");
  u32 build_count = one ? 1 : COUNT_OF(builds);
  struct exec_case release = *c;
  const char *problem = "";
  u64 runs = 0;
  release.want.note = false;
  release.dump_count = 0;
  for (u32 i = 0; i < build_count && !*problem; i++) {
    struct diag why = {0};
    const char *extra =
        arena_printf(a, "--build %s --seeds %u --timeout %d", builds[i], 3 * s.count, TASK_SECONDS);
    const char *json = right_exec(a, c->file, c, s.with, extra);
    const char *n = strstr(json, "\"schedules\": ");
    runs += n ? strtoull(n + strlen("\"schedules\": "), NULL, 10) : 0;
    if (!exec_judge(i ? &release : c, json, &why))
      problem = arena_printf(a, "%s: %s", builds[i], why.text);
  }
  answer(out, runs, problem);
}

static void work(void *self, u32 i, struct strbuf *out) {
  const struct task *t = &s.tasks[i];
  struct arena a = {0};
  (void)self;
  if (t->launch)
    run_launch(&a, t->launch, out);
  else
    run_answer(&a, t->right, out);
  arena_free(&a);
}

static void done(void *self, u32 i, str bytes, const struct diag *failure) {
  const struct task *t = &s.tasks[i];
  const char *text = bytes.n ? str_copy(&s.keep, bytes).p : "0 no answer";
  char *problem;
  (void)self;
  s.runs += strtoull(text, &problem, 10);
  if (failure->set) problem = (char *)(uintptr_t)failure->text;
  while (*problem == ' ') problem++;
  if (!*problem) return;
  printf("FAIL  %s: %s\n", t->launch ? t->launch->name : t->right->file, problem);
  fflush(stdout);
  s.failed++;
}

/* ---- all of them ---- */
static void add(const struct right *r, const struct exec_case *launch) {
  if (s.task_count == TASKS_MAX) BUG("more than %d tasks: raise TASKS_MAX", TASKS_MAX);
  s.tasks[s.task_count++] = (struct task){r, launch};
}

static void plan(char **parts, int part_count) {
  for (u32 i = 0; i < s.right.count; i++) {
    const struct right *r = &s.right.items[i];
    bool wanted = part_count == 0;
    for (int k = 0; k < part_count; k++) wanted |= strstr(r->file, parts[k]) != NULL;
    if (!wanted) continue;
    if (r->puzzle) add(r, NULL);
    for (u32 k = 0; k < r->launch_count; k++) add(r, r->launches[k]);
  }
}

static bool options(int argc, char **argv, int *first) {
  u64 n;
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; i++) {
    if (i + 1 == argc) return false;
    if (strcmp(argv[i], "--compiler") == 0 && compiler_find(argv[i + 1], &s.with))
      i++;
    else if (strcmp(argv[i], "--count") == 0 && cli_number(argv[i + 1], 100000, &n) && n)
      s.count = (u32)n, i++;
    else
      return false;
  }
  *first = i;
  return true;
}

int main(int argc, char **argv) {
  struct diag why = {0};
  struct compile_found here = {0};
  int first = 1;
  s.count = COUNT_DEFAULT;
  compile_probe(&here);
  s.with = here.nvrtc ? COMPILER_NVRTC : COMPILER_CLANG;
  if (!options(argc, argv, &first)) {
    fprintf(stderr, "seeds [--compiler nvrtc|clang] [--count N] [FILES]\n");
    return 2;
  }
  if (s.with == COMPILER_CLANG ? !here.clang : !here.nvrtc) {
    printf("seeds: NOT RUN with %s: it is not installed\n", compiler_name(s.with));
    return 0;
  }
  if (!right_read(&s.right, s.with, &why)) {
    diag_print(stderr, &why);
    return 2;
  }
  plan(argv + first, argc - first);
  compile_warm(s.with);
  pool_run(&(struct pool_task){.count = s.task_count,
                               .jobs = pool_cores(),
                               .timeout_s = TASK_SECONDS,
                               .work = work,
                               .done = done});
  printf("seeds: with %s: %u programs and launches, %u seeds, both builds: %" PRIu64
         " runs, %u problems\n",
         compiler_name(s.with), s.task_count, s.count, s.runs, s.failed);
  return s.failed || s.task_count == 0 ? 1 : 0;
}
