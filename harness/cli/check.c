/* check.c - the verbs check and next: choose puzzles, judge them, keep the learner's state, say
 * what to do next. */
#include <inttypes.h>
#include <string.h>
#include "cli/cli.h"
#include "device/device_gpu.h"

struct checking {
  const struct options *o;
  struct project project;
  struct state state;
  struct report report;
  struct job *jobs;
  u32 count;
  u32 *numbers; /* position of each among all puzzles, from 1 */
  int status;
  int first_failed;   /* index into jobs, -1 */
  const char *no_gpu; /* --backend gpu, and this is missing: everything is skipped */
};

const char *cli_short_id(const char *id) {
  static char text[128];
  size_t digits = strspn(id, "0123456789");
  snprintf(text, sizeof text, "%.*s", digits ? (int)digits : (int)strlen(id), id);
  return text;
}

/* The command that gives this verdict again. make knows the usual settings, the program knows all.
 */
const char *cli_replay(const struct options *o, const char *id) {
  struct arena *a = o->keep;
  if (!o->schedule && o->compiler == COMPILER_AUTO)
    return arena_printf(a, "make check P=%s SEED=%" PRIu64 "%s%s%s", cli_short_id(id), o->seed,
                        o->backend == DEVICE_GPU ? " BACKEND=gpu" : "", o->source ? " SRC=" : "",
                        o->source ? o->source : "");
  return arena_printf(a, "build/warplings check %s --seed %" PRIu64 "%s%s%s%s%s%s%s", id, o->seed,
                      o->backend == DEVICE_GPU ? " --backend gpu" : "",
                      o->source ? " --source " : "", o->source ? o->source : "",
                      o->schedule ? " --schedule " : "", o->schedule ? o->schedule : "",
                      o->compiler != COMPILER_AUTO ? " --compiler " : "",
                      o->compiler != COMPILER_AUTO ? compiler_name(o->compiler) : "");
}

const char *cli_outdated_note(struct arena *a, const char *id) {
  return arena_printf(a,
                      "the skeleton has changed since this puzzle.cu was made from it. make reset "
                      "P=%s takes the new one and keeps yours beside it.",
                      cli_short_id(id));
}

/* ---- which file ---- */
static bool find_in_source(struct checking *c, struct job *j, bool demanded) {
  struct arena *a = c->project.keep;
  const char *flat = arena_printf(a, "%s/%s.cu", c->o->source, j->puzzle->id);
  const char *deep = arena_printf(a, "%s/%s/puzzle.cu", c->o->source, j->puzzle->id);
  j->request.path = file_exists(flat) || !file_exists(deep) ? flat : deep;
  if (file_exists(j->request.path)) return true;
  j->missing = arena_printf(a, "%s has neither %s.cu nor %s/puzzle.cu", c->o->source, j->puzzle->id,
                            j->puzzle->id);
  j->demanded = demanded;
  return false;
}

static void find_own(struct checking *c, struct job *j) {
  struct diag why = {0};
  bool touched;
  j->request.path = project_file(&c->project, j->puzzle->id, "puzzle.cu");
  if (!state_prepare(&c->state, &c->project, j->puzzle->id, &touched, &why)) {
    j->missing =
        arena_printf(c->project.keep, "%s%s%s", why.file, why.file[0] ? ": " : "", why.text);
    j->demanded = true;
  }
}

struct job cli_job(const struct options *o, u32 puzzle) {
  struct job j = {.puzzle = pz_puzzle_at(puzzle)};
  j.request = (struct pz_request){.compiler = o->compiler,
                                  .device = o->backend,
                                  .cache_dir = CACHE_DIR,
                                  .plan = {.seed = o->seed}};
  if (o->schedule) {
    j.request.plan.only = true;
    vm_schedule_find(o->schedule, &j.request.plan.schedule);
  }
  return j;
}

/* Asked once, in a child of its own: a process that has opened CUDA cannot fork. */
static const char *gpu_missing(const struct options *o) {
  struct gpu_found f;
  if (o->backend != DEVICE_GPU) return NULL;
  gpu_probe(&f);
  return f.ok ? NULL : arena_printf(o->keep, "no GPU to run on: %s", f.missing);
}

static bool add_job(struct checking *c, u32 puzzle, bool demanded) {
  struct job *j = &c->jobs[c->count];
  *j = cli_job(c->o, puzzle);
  c->numbers[c->count++] = puzzle + 1;
  if (c->no_gpu) {
    j->missing = c->no_gpu;
    j->request.path = "";
    return true;
  }
  if (c->o->source) return find_in_source(c, j, demanded);
  find_own(c, j);
  return true;
}

static bool choose(struct checking *c, struct diag *why) {
  const struct options *o = c->o;
  u32 all = pz_puzzle_count(), room = all > o->arg_count ? all : o->arg_count, found = 0;
  c->jobs = NEWN(c->project.keep, struct job, room + 1);
  c->numbers = NEWN(c->project.keep, u32, room + 1);
  if (all == 0) {
    diag_set(why, "this program has no puzzles");
    diag_next(why, "make puts every puzzles/*/check.c into it");
    return false;
  }
  for (u32 i = 0; i < o->arg_count; i++) {
    int p = pz_puzzle_find(o->args[i], why);
    if (p < 0) return false;
    bool again = false;
    for (u32 k = 0; k < c->count; k++) again |= c->numbers[k] == (u32)p + 1;
    if (!again) found += add_job(c, (u32)p, true);
  }
  for (u32 i = 0; o->arg_count == 0 && i < all; i++) found += add_job(c, i, false);
  if (o->arg_count == 0 && found == 0) {
    diag_set(why, "%s holds no file for any puzzle", o->source);
    diag_next(why,
              "it should have NN_name.cu or NN_name/puzzle.cu, named like the folders in puzzles/");
    return false;
  }
  return true;
}

/* ---- results ---- */
static void judged(void *self, u32 i, const struct verdict *v) {
  struct checking *c = self;
  const struct pz_puzzle *p = c->jobs[i].puzzle;
  int status = report_exit(v->kind);
  if (status > c->status) c->status = status;
  if (status && c->first_failed < 0) c->first_failed = (int)i;
  bool own = !c->o->source && !c->no_gpu,
       first_pass = own && state_judged(&c->state, p->id, v->kind);
  struct report_item it = {.id = p->id,
                           .title = p->title ? p->title : p->id,
                           .learned = p->learned ? p->learned : "",
                           .path = c->jobs[i].request.path,
                           .number = c->numbers[i],
                           .total = pz_puzzle_count(),
                           .replay = cli_replay(c->o, p->id),
                           .first_pass = first_pass,
                           .note = own && state_outdated(&c->state, &c->project, p->id)
                                       ? cli_outdated_note(c->o->keep, p->id)
                                       : NULL,
                           .v = v};
  report_add(&c->report, c->o->format, &it);
}

static u32 solved(struct checking *c) {
  u32 n = 0;
  for (u32 i = 0; i < pz_puzzle_count(); i++) {
    const struct state_row *r = state_of(&c->state, pz_puzzle_at(i)->id);
    n += r->judged && r->verdict == V_PASS;
  }
  return n;
}

/* Progress and the next step, for the learner's own files. */
static void farewell(struct checking *c) {
  u32 n = solved(c), all = pz_puzzle_count();
  FILE *out = c->report.style.out;
  report_progress(out, c->report.style.color, n, all);
  if (c->first_failed >= 0) {
    const char *id = c->jobs[c->first_failed].puzzle->id;
    const struct state_row *r = state_of(&c->state, id);
    if (c->status == EXIT_UNJUDGED && c->report.items[c->first_failed].v->kind == V_INTERNAL)
      fprintf(out, "      next: make doctor\n");
    else if (!state_touched(&c->state, &c->project, id))
      fprintf(out, "      next: puzzles/%s/README.md has the task, puzzle.cu is yours to edit\n",
              id);
    else if (r->hints < 3)
      fprintf(out, "      next: edit puzzles/%s/puzzle.cu, or make hint P=%s\n", id,
              cli_short_id(id));
    else
      fprintf(out, "      next: edit puzzles/%s/puzzle.cu, or make solution P=%s\n", id,
              cli_short_id(id));
  } else if (n == all) {
    fprintf(out, "      all solved\n");
  } else {
    fprintf(out, "      next: make next\n");
  }
}

static int run(struct checking *c, const struct options *o) {
  struct diag why = {0};
  bool is_text = o->format == &report_formats[0];
  c->first_failed = -1;
  c->report.style = (struct report_style){.out = stdout,
                                          .color = report_use_color(stdout),
                                          .times = o->times,
                                          .editor = o->editor,
                                          .counters = o->counters,
                                          .detail_all = o->arg_count > 0 || c->count == 1,
                                          .backend = device_kind_name(o->backend),
                                          .seed = o->seed};
  /* The driver takes its time to start, and to assemble. */
  u32 timeout_s = o->timeout_s ? o->timeout_s : o->backend == DEVICE_GPU ? 60 : 0;
  jobs_run(c->project.keep, c->jobs, c->count, o->jobs, timeout_s, judged, c);
  report_end(&c->report, o->format);
  if (!o->source) {
    if (is_text) farewell(c);
    if (!state_save(&c->state, &why)) cli_fail(&why); /* the verdicts stand all the same */
  }
  report_free(&c->report);
  return c->status;
}

int cli_check(struct options *o) {
  struct diag why = {0};
  struct checking c = {.o = o};
  if (!project_open(o, &c.project, &why)) return cli_fail(&why);
  c.no_gpu = gpu_missing(o);
  state_load(o->keep, &c.state);
  if (!choose(&c, &why)) return cli_fail(&why);
  return run(&c, o);
}

int cli_next(struct options *o) {
  struct diag why = {0};
  struct checking c = {.o = o};
  if (o->arg_count) {
    diag_set(&why, "next takes no puzzle: it goes to the first that is not solved");
    diag_next(&why, "warplings check %s judges that one", o->args[0]);
    return cli_fail(&why);
  }
  if (!project_open(o, &c.project, &why)) return cli_fail(&why);
  c.no_gpu = gpu_missing(o);
  state_load(o->keep, &c.state);
  c.jobs = NEW(o->keep, struct job);
  c.numbers = NEW(o->keep, u32);
  int i = state_next(&c.state);
  if (i >= 0) add_job(&c, (u32)i, true);
  if (c.count == 0) {
    printf("Every puzzle is solved. make check judges them all again.\n");
    return EXIT_PASS;
  }
  return run(&c, o);
}
