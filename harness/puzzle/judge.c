/* judge.c - one file against one puzzle: compile, then every case under every schedule on the
 * unoptimised build, each on a fresh device; then the rules on the optimised build. Stops at the
 * first run with an error. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "puzzle/advice.h"
#include "puzzle/judge.h"
#include "puzzle/pz.h"

enum { RANDOM_DEFAULT = 8, GPU_ROUNDS = 5, PRINTED_MAX = 8192, NAMES_MAX = 400 };
static const u64 steps_default = 4000000;

struct judge {
  struct arena *keep;
  const struct pz_puzzle *puzzle;
  const struct pz_request *request;
  struct verdict *v;
  struct finding_list found; /* strings in keep */
  bool wants_rules;
  bool ignores_rules; /* they are for the schedule that run_rules takes */
  u32 hidden;         /* the hidden case that runs, from 1; 0: a public one */
  bool values_only;   /* no race check: are the values right? */
  str ptx;            /* of the last build */
  bool on_gpu;        /* the last stage: values and time on the GPU */
  const char *gpu;
  double gpu_ms;
  struct pz_advice advice;
  const struct detect_sync *without; /* while a run is repeated for advice */
  bool is_probe;
  u64 unordered;
};

bool pz_plan_step(const struct pz_plan *p, u32 i, struct pz_step *out) {
  static const enum vm_schedule_kind fixed[] = {VM_CONVERGED, VM_REVERSED, VM_SPLIT,
                                                VM_SPLIT_REVERSED};
  static const enum vm_schedule_kind drawn[] = {VM_RANDOM, VM_BUFFERED, VM_ADVERSARIAL};
  u32 random_count = p->random_count ? p->random_count : RANDOM_DEFAULT;
  if (p->only) {
    *out = (struct pz_step){.schedule = p->schedule, .seed = p->seed};
    return i == 0;
  }
  if (i >= COUNT_OF(fixed) + random_count) return false;
  u32 nth = i < COUNT_OF(fixed) ? 0 : i - (u32)COUNT_OF(fixed);
  out->schedule = i < COUNT_OF(fixed) ? fixed[i] : drawn[nth % COUNT_OF(drawn)];
  out->seed = p->seed + nth;
  /* Large cases: the usual order and one random one. */
  out->is_small_only = !(out->schedule == VM_CONVERGED || (out->schedule == VM_RANDOM && nth == 0));
  return true;
}

static u32 small_cases(const struct pz_puzzle *p) {
  int small = p->small_cases > 0 ? p->small_cases : p->cases;
  return (u32)(small < p->cases ? small : p->cases);
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- compiling ---- */
static void compile_error(struct judge *j, const struct compile_result *c) {
  struct finding *f = finding_list_say(&j->found, V_COMPILE, "The file does not compile.");
  f->accesses[0].op = "";
  f->accesses[0].file = j->request->path;
  f->accesses[0].line = c->first_error_line;
  f->access_count = c->first_error_line ? 1 : 0;
}

enum verdict_kind pz_uncompiled(const char *path, const struct diag *why) {
  struct stat s;
  if (compile_wants_toolkit(why)) return V_SKIP;
  bool readable = stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, R_OK) == 0;
  return readable && strcmp(why->file, path) == 0 ? V_COMPILE : V_INTERNAL;
}

/* The module, or NULL with a finding. */
static const struct ptx_module *build(struct judge *j, enum build kind) {
  struct diag why = {0};
  struct compile_result c = {0};
  struct compile_request r = {.path = j->request->path,
                              .compiler = j->request->compiler,
                              .build = kind,
                              .cache_dir = j->request->cache_dir};
  const struct pz_workshop *w = j->request->workshop;
  const struct ptx_module *made = NULL;
  if (!(w ? w->build(w->self, j->keep, kind, &c, &made, &why)
          : compile_ptx(j->keep, &r, &c, &why))) {
    enum verdict_kind kind_of_fault = pz_uncompiled(j->request->path, &why);
    /* Elsewhere there is no file to look at: what names it lies in its contents. */
    if (w && kind_of_fault != V_SKIP)
      kind_of_fault = strcmp(why.file, j->request->path) == 0 ? V_COMPILE : V_INTERNAL;
    struct finding *f = finding_list_say(&j->found, kind_of_fault, "%s", why.text);
    f->suggestion = str_copy(j->keep, str_of(why.next)).p;
    return NULL;
  }
  j->v->evidence.compiler = c.compiler_version ? c.compiler_version : "";
  if (kind == BUILD_DEBUG) j->v->log = c.log.n ? str_copy(j->keep, c.log).p : "";
  if (!c.ok) {
    j->v->log = c.log.n ? str_copy(j->keep, c.log).p : "";
    compile_error(j, &c);
    return NULL;
  }
  struct ptx_module *m = NULL;
  j->ptx = c.ptx;
  if (w ? !made : !ptx_parse(j->keep, c.ptx, &m, &why)) {
    finding_list_say(&j->found, V_INTERNAL, "The compiler's PTX cannot be read: line %u: %s",
                     why.line, why.text);
    return NULL;
  }
  if (w) return made;
  compile_shapes(j->request->path, m);
  return m;
}

/* ---- one run ---- */
static bool counts_in_optimized(const struct finding *f) {
  /* Optimisation hides real races and invents others: only what ended the launch counts there. */
  return f->severity == SEVERITY_ERROR && f->kind != V_RACE && f->kind != V_UNINIT;
}

static void collect(struct judge *j, struct pz *pz, const struct pz_step *s) {
  u32 n = 0;
  u64 dropped = 0;
  const struct finding *const *all = device_findings(pz->device, &n, &dropped);
  for (u32 i = 0; i < n; i++)
    if (!pz->optimized || counts_in_optimized(all[i])) finding_list_add(&j->found, all[i]);
  j->found.dropped += dropped;
  pz_stamp(pz);
  for (u32 i = 0; i < pz->found.count; i++) {
    struct finding *f = pz->found.items[i];
    if (j->ignores_rules && f->kind == V_RULE) continue;
    f->schedule = vm_schedule_name(s->schedule);
    f->seed = s->seed;
    /* The usual order came first, for every shape. */
    if (f->kind == V_WRONG && s->schedule != VM_CONVERGED && !j->request->plan.only && !j->on_gpu)
      f->message = arena_printf(pz->arena,
                                "%s With the usual order of the threads it comes out right: it "
                                "depends on who comes first.",
                                f->message);
    finding_list_add(&j->found, f);
  }
  if (!j->v->printed[0]) {
    str text = device_printed(pz->device, &dropped);
    if (text.n > PRINTED_MAX) {
      dropped += text.n - PRINTED_MAX;
      text.n = PRINTED_MAX;
    }
    const char *nul = text.n ? memchr(text.p, 0, text.n) : NULL;
    if (nul) text.n = (size_t)(nul - text.p);
    if (text.n) {
      j->v->printed = str_copy(j->keep, text).p;
      j->v->printed_dropped = dropped;
    }
  }
}

static u64 case_seed(u64 seed, int c) {
  u64 state = seed ^ ((u64)(c + 1) << 32);
  return rng_next(&state);
}

static u64 input_seed(const struct judge *j) {
  return j->request->input_seed ? j->request->input_seed : j->request->plan.seed;
}

/* false: an error was found. */
static bool run_case(struct judge *j, const struct ptx_module *m, int c, const struct pz_step *s,
                     bool optimized, char shape[static 160]) {
  struct arena arena = {0};
  struct pz pz = {.arena = &arena,
                  .puzzle = j->puzzle,
                  .module = m,
                  .case_index = c,
                  .optimized = optimized,
                  .hidden = j->hidden > 0,
                  .is_drawn = s->schedule == VM_RANDOM || s->schedule == VM_BUFFERED ||
                              s->schedule == VM_ADVERSARIAL,
                  .rng = case_seed(input_seed(j) + j->hidden, c)};
  pz.found.keep = &arena;
  struct device_config config = {.kind = j->on_gpu ? DEVICE_GPU : DEVICE_VM,
                                 .elsewhere =
                                     j->request->workshop ? j->request->workshop->machine : NULL,
                                 .no_race = optimized || j->values_only,
                                 .ptx = j->ptx};
  config.vm.schedule = s->schedule;
  config.vm.seed = s->seed;
  config.vm.max_steps = j->puzzle->max_steps ? j->puzzle->max_steps : steps_default;
  config.vm.no_undefined = config.vm.optimized = config.vm.count_traffic = optimized;
  config.vm.lenient_exit = j->puzzle->allow_exit;
  config.policy.strict_exit = !j->puzzle->allow_exit;
  struct diag why = {0};
  if (device_create(&arena, m, &config, &pz.device, &why)) {
    if (j->is_probe) device_probe(pz.device, j->without);
    j->puzzle->run(&pz, c);
    if (j->is_probe) {
      j->unordered = device_unordered(pz.device);
      j->advice.steps += pz.counters.steps;
    } else {
      pz_advice_note(&j->advice, pz.device);
      collect(j, &pz, s);
    }
    double ms = 0;
    const char *gpu = device_gpu(pz.device, &ms);
    if (gpu && !j->gpu) j->gpu = str_copy(j->keep, str_of(gpu)).p;
    j->gpu_ms += ms;
    if (optimized && !pz.stopped) { /* of the last case, or of the one that broke a rule */
      j->v->counters = pz.counters;
      j->v->has_counters = true;
      j->v->has_time_line = pz.has_time_line;
      j->v->time_line = pz.time_line;
    }
  } else {
    finding_list_say(&j->found, V_INTERNAL, "%s", why.text);
  }
  snprintf(shape, 160, "%s", pz.shape[0] ? pz.shape : "case");
  if (!pz.shape[0]) snprintf(shape, 160, "case %d", c);
  j->wants_rules |= pz.wants_rules;
  finding_list_free(&pz.found);
  device_destroy(pz.device);
  arena_free(&arena);
  return !finding_list_has_error(&j->found);
}

/* ---- the plan ---- */
static bool run_debug(struct judge *j, const struct ptx_module *m) {
  struct verdict_evidence *e = &j->v->evidence;
  struct strbuf names = {0};
  struct pz_step s;
  char shape[160];
  bool ok = true;
  e->race_checked = e->values_checked = true;
  for (u32 i = 0; ok && pz_plan_step(&j->request->plan, i, &s); i++) {
    e->schedules = i + 1;
    for (int c = 0; ok && c < j->puzzle->cases; c++) {
      if (s.is_small_only && (u32)c >= small_cases(j->puzzle)) break;
      ok = run_case(j, m, c, &s, false, shape);
      e->runs++;
      if (!ok) {
        e->failed_shape = str_copy(j->keep, str_of(shape)).p;
      } else if (i == 0) {
        e->shapes++;
        if (names.n + strlen(shape) < NAMES_MAX)
          strbuf_printf(&names, "%s%s", names.n ? ", " : "", shape);
      }
    }
  }
  e->shape_names = names.n ? str_copy(j->keep, (str){names.p, names.n}).p : "";
  strbuf_free(&names);
  return ok;
}

/* ---- what it could do without ---- */
struct probe {
  struct judge *j;
  const struct ptx_module *m;
  const struct pz_step *s;
  int c;
};
static u64 probe(void *self, const struct detect_sync *without) {
  struct probe *p = self;
  char shape[160];
  p->j->without = without;
  run_case(p->j, p->m, p->c, p->s, false, shape);
  return p->j->unordered;
}

/* The runs of run_debug once more. */
static void advise(struct judge *j, const struct ptx_module *m) {
  struct pz_step s;
  struct probe p = {.j = j, .m = m, .s = &s};
  j->is_probe = true;
  pz_advice_module(&j->advice, m);
  for (u32 i = 0; pz_advice_open(&j->advice) && pz_plan_step(&j->request->plan, i, &s); i++)
    for (p.c = 0; p.c < j->puzzle->cases && pz_advice_open(&j->advice); p.c++) {
      if (s.is_small_only && (u32)p.c >= small_cases(j->puzzle)) break;
      pz_advice_probe(&j->advice, probe, &p);
    }
  j->is_probe = false;
  const struct verdict_evidence *e = &j->v->evidence;
  pz_advice_conclude(&j->advice, e->schedules, e->shapes, &j->found);
}

static void run_rules(struct judge *j) {
  const struct ptx_module *m = build(j, BUILD_RELEASE);
  struct pz_step s = {.schedule = j->puzzle->timed ? VM_TIMED : VM_CONVERGED,
                      .seed = j->request->plan.seed};
  char shape[160];
  if (!m) return;
  for (int c = 0; c < j->puzzle->cases; c++)
    if (!run_case(j, m, c, &s, true, shape)) {
      j->v->evidence.failed_shape = arena_printf(j->keep, "%s, optimised build", shape);
      return;
    }
}

/* The whole plan once more. No races there: see counts_in_optimized. */
static void run_optimized(struct judge *j) {
  const struct ptx_module *m = build(j, BUILD_RELEASE);
  struct pz_step s;
  char shape[160];
  j->ignores_rules = true;
  for (u32 i = 0; m && pz_plan_step(&j->request->plan, i, &s); i++)
    for (int c = 0; c < j->puzzle->cases; c++) {
      if (s.is_small_only && (u32)c >= small_cases(j->puzzle)) break;
      j->v->evidence.runs++;
      if (run_case(j, m, c, &s, true, shape)) continue;
      j->v->evidence.failed_shape = arena_printf(j->keep, "%s, optimised build", shape);
      return;
    }
}

/* The public cases have passed: cases of the same kind with sizes and data that nobody has seen, in
 * the usual order, its reverse, lane by lane and two random ones. */
static void run_hidden(struct judge *j, const struct ptx_module *m) {
  static const struct pz_step steps[] = {
      {.schedule = VM_CONVERGED}, {.schedule = VM_REVERSED},          {.schedule = VM_SPLIT},
      {.schedule = VM_RANDOM},    {.schedule = VM_RANDOM, .seed = 1},
  };
  char shape[160];
  u32 small = small_cases(j->puzzle);
  for (u32 h = 1; h <= j->request->hidden_cases; h++) {
    u64 draw = input_seed(j) ^ h;
    int c = (int)rng_below(&draw, small);
    j->hidden = h;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
      struct pz_step s = steps[i];
      s.seed += j->request->plan.seed;
      if (!run_case(j, m, c, &s, false, shape)) {
        j->v->evidence.failed_shape = "a hidden case";
        j->v->evidence.hidden_failed = true;
        return;
      }
      j->v->evidence.runs++;
    }
    j->v->evidence.hidden++;
  }
  j->hidden = 0;
}

/* Races aside: are the values of every case right in the usual order? */
static void run_values(struct judge *j, const struct ptx_module *m) {
  struct finding_list aside = j->found;
  struct pz_step s = {.schedule = VM_CONVERGED, .seed = j->request->plan.seed};
  char shape[160];
  bool right = true;
  for (u32 i = 0; right && i < aside.count; i++)
    right = aside.items[i]->severity == SEVERITY_NOTE || aside.items[i]->kind == V_RACE;
  j->found = (struct finding_list){.keep = j->keep};
  j->values_only = true;
  for (int c = 0; right && c < j->puzzle->cases; c++) right = run_case(j, m, c, &s, false, shape);
  finding_list_free(&j->found);
  j->found = aside;
  j->v->evidence.values_right = right;
}

/* What the machine has proved is run on the GPU as well: the optimised build, every case, several
 * times. It adds evidence and a time, the best round's; it cannot replace the proof. */
static void run_gpu(struct judge *j) {
  const struct ptx_module *m = build(j, BUILD_RELEASE);
  struct pz_step s = {.schedule = VM_CONVERGED, .seed = j->request->plan.seed};
  double best = 0;
  char shape[160];
  j->on_gpu = true;
  /* A kernel's printf comes out of the driver, into the report; this process is at its end soon. */
  int null = j->request->workshop ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0) dup2(null, STDOUT_FILENO);
  for (int round = 0; m && round < GPU_ROUNDS; round++) {
    j->gpu_ms = 0;
    for (int c = 0; c < j->puzzle->cases; c++)
      if (!run_case(j, m, c, &s, false, shape)) {
        j->v->evidence.gpu = arena_printf(j->keep, "FAIL, %s", j->gpu ? j->gpu : "no GPU");
        j->v->evidence.failed_shape = arena_printf(j->keep, "%s, on the GPU", shape);
        return;
      }
    if (round == 0 || j->gpu_ms < best) best = j->gpu_ms;
  }
  if (m) j->v->evidence.gpu_ms = best;
  if (m)
    j->v->evidence.gpu = arena_printf(j->keep, "ok, %d shapes, %s, %.3f ms (best of %d rounds)",
                                      j->puzzle->cases, j->gpu ? j->gpu : "?", best, GPU_ROUNDS);
}

void pz_judge(struct arena *keep, const struct pz_puzzle *p, const struct pz_request *r,
              struct verdict *out) {
  double start = now_ms();
  struct judge j = {.keep = keep,
                    .puzzle = p,
                    .request = r,
                    .v = out,
                    .found = {.keep = keep},
                    .advice = {.keep = keep}};
  verdict_init(out);
  out->evidence.shapes_total = (u32)p->cases;
  /* No cases would be a pass that rests on nothing. */
  if (p->cases <= 0) finding_list_say(&j.found, V_INTERNAL, "This puzzle's check has no cases.");
  bool proves = p->cases > 0 && !r->gpu_only;
  const struct ptx_module *m = proves ? build(&j, BUILD_DEBUG) : NULL;
  bool ok = m && run_debug(&j, m);
  /* One schedule proves little; a grader gives marks, no advice. */
  bool advises = ok && !r->plan.only && !r->workshop;
  if (ok && r->hidden_cases) run_hidden(&j, m);
  if (ok && j.wants_rules && !finding_list_has_error(&j.found)) run_rules(&j);
  if (m && !ok && r->wants_values) run_values(&j, m);
  if (ok && !out->evidence.hidden_failed) out->evidence.values_right = true;
  if (ok && r->both_builds && !finding_list_has_error(&j.found)) run_optimized(&j);
  if (advises && !finding_list_has_error(&j.found)) advise(&j, m);
  if ((m || (r->gpu_only && p->cases > 0)) && r->device == DEVICE_GPU &&
      !finding_list_has_error(&j.found))
    run_gpu(&j);
  verdict_conclude(out, keep, &j.found);
  finding_list_free(&j.found);
  out->milliseconds = now_ms() - start;
}
