/* selfcheck.c - grades the grader: skeletons fail as announced, solutions pass under all schedules,
 * every wrong answer on file is rejected for its stated reason. Papers are read by
 * selfcheck_files.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "cli/selfcheck.h"

enum { SOLUTION_SEEDS = 20, TIMEOUT_DEFAULT = 120 };

static bool wanted(const struct options *o, u32 puzzle, struct diag *why) {
  for (u32 i = 0; i < o->arg_count; i++)
    if (pz_puzzle_find(o->args[i], why) == (int)puzzle) return true;
  return o->arg_count == 0;
}

/* Every compiler that is here, or the one that was asked for. */
static u32 compilers(const struct options *o, enum compiler out[2]) {
  struct compile_found found = {0};
  u32 n = 0;
  compile_probe(&found);
  struct {
    bool here;
    enum compiler c;
  } all[] = {{found.nvrtc, COMPILER_NVRTC}, {found.clang, COMPILER_CLANG}};
  for (size_t i = 0; i < COUNT_OF(all); i++) {
    bool asked = o->compiler == COMPILER_AUTO || o->compiler == all[i].c;
    if (asked && all[i].here) out[n++] = all[i].c;
    if (asked && !all[i].here) printf("SKIP  %s is not here\n", compiler_name(all[i].c));
  }
  return n;
}

static void plan(struct selfcheck *s, const enum compiler *with, u32 with_count) {
  s->jobs = NEWN(s->keep, struct job, s->trial_count * with_count + 1);
  s->job_trial = NEWN(s->keep, u32, s->trial_count * with_count + 1);
  for (u32 t = 0; t < s->trial_count; t++)
    for (u32 k = 0; k < with_count; k++) {
      const struct trial *trial = &s->trials[t];
      struct job *j = &s->jobs[s->job_count];
      *j = (struct job){.puzzle = pz_puzzle_at(trial->puzzle)};
      j->request = (struct pz_request){.path = trial->path,
                                       .compiler = with[k],
                                       .cache_dir = CACHE_DIR,
                                       .plan = {.seed = s->o->seed}};
      if (trial->what == SOLUTION) j->request.plan.random_count = SOLUTION_SEEDS;
      s->job_trial[s->job_count++] = t;
    }
}

/* One line on what was found instead. */
static void complain(struct selfcheck *s, const struct trial *t, const struct job *j,
                     const struct verdict *v) {
  char want[128];
  const struct finding *f = report_reason(v);
  expect_text(&t->expect, want, sizeof want);
  printf("FAIL  %s [%s]: expected %s, got %s", t->path, compiler_name(j->request.compiler), want,
         verdict_text(v->kind));
  if (f && f->access_count) printf(" at line %u", f->accesses[0].line);
  if (f) printf(": %s", f->message);
  if (v->evidence.failed_shape[0]) printf(" (shape %s)", v->evidence.failed_shape);
  if (f && f->schedule[0]) printf(" (schedule %s, seed %" PRIu64 ")", f->schedule, f->seed);
  printf("\n");
  if (v->kind == V_COMPILE && v->log[0]) printf("%.600s\n", v->log);
  s->problems++;
}

static void finish_puzzle(struct selfcheck *s, u32 puzzle) {
  if (s->problems == s->problems_before)
    printf("ok    %-28s %u judgements\n", pz_puzzle_at(puzzle)->id, s->judged_here);
  s->problems_before = s->problems;
  s->judged_here = 0;
  fflush(stdout);
}

static void judged(void *self, u32 i, const struct verdict *v) {
  struct selfcheck *s = self;
  const struct trial *t = &s->trials[s->job_trial[i]];
  s->judged_here++;
  s->runs += v->evidence.runs;
  if (!expect_met(&t->expect, v)) complain(s, t, &s->jobs[i], v);
  if (i + 1 == s->job_count || s->trials[s->job_trial[i + 1]].puzzle != t->puzzle)
    finish_puzzle(s, t->puzzle);
}

int cli_selfcheck(struct options *o) {
  struct diag why = {0};
  struct project p = {0};
  struct selfcheck s = {.keep = o->keep, .o = o, .project = &p};
  enum compiler with[2] = {0};
  u32 chosen = 0;
  if (!project_open(o, &p, &why)) return cli_fail(&why);
  for (u32 i = 0; i < o->arg_count; i++)
    if (pz_puzzle_find(o->args[i], &why) < 0) return cli_fail(&why);
  u32 with_count = compilers(o, with);
  if (with_count == 0) {
    diag_set(&why, "no compiler for kernels is here");
    diag_next(&why, "make doctor says what to install");
    return cli_fail(&why);
  }
  for (u32 i = 0; i < with_count; i++) printf("with  %s\n", compiler_name(with[i]));
  for (u32 i = 0; i < pz_puzzle_count(); i++)
    if (wanted(o, i, &why)) {
      selfcheck_read(&s, i);
      chosen++;
    }
  s.problems_before = s.problems;
  if (chosen == 0) {
    diag_set(&why, "this program has no puzzles");
    return cli_fail(&why);
  }
  plan(&s, with, with_count);
  if (s.job_count)
    jobs_run(o->keep, s.jobs, s.job_count, o->jobs, o->timeout_s ? o->timeout_s : TIMEOUT_DEFAULT,
             judged, &s);
  printf("\nselfcheck: %u puzzles, %u files, %u judgements, %" PRIu64 " runs, %u problems\n",
         chosen, s.trial_count, s.job_count, s.runs, s.problems);
  free(s.trials);
  return s.problems ? EXIT_LEARNER : EXIT_PASS;
}
