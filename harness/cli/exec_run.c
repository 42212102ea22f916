/* exec_run.c - one kernel, one set of arguments, every schedule of the plan until the first error.
 * Each run has a fresh device and fresh buffers; random contents come from the run's own seed, so
 * that
 * --schedule and --seed repeat it alone. */
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include "cli/exec.h"
#include "puzzle/advice.h"

enum { PRINTED_MAX = 64 << 10, EXTRA_SEEDS = 60, EXTRA_STEPS = 500000 };

struct running {
  const struct exec *e;
  struct arena *keep;
  struct verdict v;
  struct finding_list found;
  struct diag usage; /* set: the question was wrong, there is no verdict */
  const char *names[LIST_MAX];
  bool counting; /* the run for --counters */
  struct exec_values values;
  struct pz_advice advice;
  const struct detect_sync *without; /* while a run is repeated for advice */
  bool is_probe;
  u64 unordered;
  u32 planned;   /* schedules of the plan that were run */
  bool is_extra; /* the plan is done, this is a schedule more */
  u64 steps;     /* of this build's runs */
};

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void gap(struct running *r, const struct diag *why) {
  struct finding *f = finding_list_say(&r->found, V_INTERNAL, "%s", why->text);
  f->suggestion = why->next[0] ? str_copy(r->keep, str_of(why->next)).p : "";
}

/* ---- the module and its kernel ---- */
static bool compile(struct running *r, enum build build, str *ptx) {
  struct diag why = {0};
  struct compile_result c = {0};
  struct compile_request q = {.path = r->e->path,
                              .compiler = r->e->o->compiler,
                              .build = build,
                              .flags = r->e->o->flags,
                              .flag_count = r->e->o->flag_count,
                              .cache_dir = r->e->cache_dir};
  if (!compile_ptx(r->keep, &q, &c, &why)) {
    struct finding *f =
        finding_list_say(&r->found, pz_uncompiled(r->e->path, &why), "%s", why.text);
    f->suggestion = why.next[0] ? str_copy(r->keep, str_of(why.next)).p : "";
    return false;
  }
  r->v.evidence.compiler = c.compiler_version ? c.compiler_version : "";
  r->v.log = c.log.n ? str_copy(r->keep, c.log).p : "";
  *ptx = c.ptx;
  if (c.ok) return true;
  struct finding *f = finding_list_say(&r->found, V_COMPILE, "The file does not compile.");
  f->accesses[0] =
      (struct finding_access){.op = "", .file = r->e->path, .line = c.first_error_line};
  f->access_count = c.first_error_line ? 1 : 0;
  return false;
}

static const struct ptx_module *load(struct running *r, enum build build) {
  struct diag why = {0};
  struct ptx_module *m = NULL;
  str ptx = r->e->source;
  if (!r->e->is_ptx && !compile(r, build, &ptx)) return NULL;
  if (ptx_parse(r->keep, ptx, &m, &why)) {
    if (!r->e->is_ptx) compile_shapes(r->e->path, m);
    return m;
  }
  /* PTX that we were given is its author's business; PTX from a compiler is ours to understand. */
  struct finding *f = finding_list_say(&r->found, r->e->is_ptx ? V_COMPILE : V_INTERNAL,
                                       "The PTX cannot be read: line %u: %s", why.line, why.text);
  if (r->e->is_ptx && why.line) {
    f->accesses[0] = (struct finding_access){.op = "", .file = r->e->path, .line = why.line};
    f->access_count = 1;
  }
  return NULL;
}

static const struct ptx_func *choose_kernel(struct running *r, const struct ptx_module *m) {
  struct strbuf names = {0};
  const struct ptx_func *only = NULL;
  u32 count = 0;
  for (u32 i = 0; i < m->func_count; i++) {
    const struct ptx_func *f = &m->funcs[i];
    if (!f->is_entry) continue;
    only = f;
    if (count++ < 12)
      strbuf_printf(&names, "%s" STR_F, count > 1 ? ", " : "",
                    STR_A(f->demangled.n ? f->demangled : f->name));
  }
  if (r->e->o->kernel) {
    struct diag why = {0};
    only = ptx_kernel(m, str_of(r->e->o->kernel), &why);
    if (!only) diag_set(&r->usage, "--kernel %.100s: %s", r->e->o->kernel, why.text);
  } else if (count != 1) {
    only = NULL;
    if (count)
      diag_set(&r->usage, "--kernel is needed, the file has %u: %.*s", count, (int)names.n,
               names.p ? names.p : "");
    else
      diag_set(&r->usage, "the file has no kernel%s",
               str_has(r->e->source, "template")
                   ? "; a template becomes one where its arguments are given: template __global__ "
                     "void name<float>(float *);"
                   : "");
  }
  if (!count && str_has(r->e->source, "__global__"))
    diag_set(&r->usage,
             "the file has no kernel that was compiled: a template becomes one where it is "
             "instantiated, such as by 'template __global__ void k<float>(float *, int);'");
  strbuf_free(&names);
  return only;
}

/* ---- arguments ---- */
static u64 alloc_on(void *device, const char *name, u64 bytes, u32 elem_bytes, struct diag *why) {
  return device_alloc(device, name, bytes, elem_bytes, why);
}
static bool write_on(void *device, u64 address, const u8 *from, u64 bytes, struct diag *why) {
  return device_write(device, address, from, bytes, why);
}
static bool clear_on(void *device, u64 address, u64 bytes, struct diag *why) {
  return device_clear(device, address, bytes, why);
}
static bool place_args(struct running *r, struct arena *a, struct device *d,
                       const struct ptx_func *f, u64 seed, u8 *block, u64 *addresses) {
  struct exec_memory memory = {d, alloc_on, write_on, clear_on};
  struct diag why = {0};
  u64 rng = seed;
  for (u32 i = 0; i < r->e->arg_count; i++) {
    const struct ptx_param *p = &f->params[f->ret_count + i];
    if (p->offset_bytes > f->entry_param_bytes ||
        p->size_bytes > f->entry_param_bytes - p->offset_bytes)
      BUG("parameter %u lies outside its block", i);
    if (exec_place(a, &memory, &r->e->args[i], r->names[i], &rng, block + p->offset_bytes,
                   p->size_bytes, addresses, &why))
      continue;
    gap(r, &why);
    return false;
  }
  return true;
}

/* ---- one run ---- */
static void collect(struct running *r, struct device *d, bool first) {
  u32 n = 0;
  u64 dropped = 0;
  const struct finding *const *all = device_findings(d, &n, &dropped);
  for (u32 i = 0; i < n; i++) finding_list_add(&r->found, all[i]);
  r->found.dropped += dropped;
  str text = device_printed(d, &dropped);
  if (!first || !text.n) return;
  if (text.n > PRINTED_MAX) {
    dropped += text.n - PRINTED_MAX;
    text.n = PRINTED_MAX;
  }
  const char *nul = memchr(text.p, 0, text.n);
  if (nul) text.n = (size_t)(nul - text.p);
  r->v.printed = str_copy(r->keep, text).p;
  r->v.printed_dropped = dropped;
}

static void launched(struct running *r, struct device *d, enum vm_outcome outcome,
                     const struct diag *why, const u64 *addresses, const struct pz_step *s,
                     bool first) {
  struct diag unread = {0};
  if (outcome == VM_REFUSED)
    finding_list_say(&r->found, V_TRAP, "The device refuses this launch: %s.", why->text);
  else if (outcome == VM_STOPPED && !device_has_error(d))
    finding_list_say(&r->found, V_INTERNAL, "The launch stopped and no check said why.");
  collect(r, d, first);
  if (outcome != VM_REFUSED && !r->counting &&
      !exec_values_take(&r->values, r->e, d, addresses, r->names, s, outcome == VM_DONE, &unread))
    gap(r, &unread);
  if (!r->is_extra) pz_advice_note(&r->advice, d);
}

static void run_once(struct running *r, const struct ptx_module *m, const struct ptx_func *f,
                     const struct pz_step *s, bool optimized, bool first) {
  const struct options *o = r->e->o;
  struct arena a = {0};
  struct device *d = NULL;
  struct diag why = {0};
  struct vm_counters counters = {0};
  u64 *addresses = NEWN(&a, u64, r->e->buffer_count + 1);
  u8 *params = NEWN(&a, u8, f->entry_param_bytes + 8);
  struct device_config config = {.policy = r->e->policy, .no_race = r->counting};
  config.vm = (struct vm_config){.sm_count = o->sms,
                                 .blocks_per_sm = o->blocks_per_sm,
                                 .max_steps = o->max_steps,
                                 .schedule = s->schedule,
                                 .seed = s->seed,
                                 .no_undefined = optimized,
                                 .optimized = optimized,
                                 .cost = o->cost,
                                 .lenient_exit = !r->e->policy.strict_exit};
  struct vm_launch l = {.kernel = f,
                        .shared_bytes = o->shared_bytes,
                        .cooperative = o->cooperative,
                        .params = params,
                        .param_bytes = f->entry_param_bytes};
  memcpy(l.grid, o->grid, sizeof l.grid);
  memcpy(l.block, o->block, sizeof l.block);
  memcpy(l.cluster, o->cluster, sizeof l.cluster);
  if (!device_create(&a, m, &config, &d, &why)) {
    gap(r, &why);
  } else if (place_args(r, &a, d, f, s->seed, params, addresses)) {
    if (r->is_probe) device_probe(d, r->without);
    enum vm_outcome outcome = device_launch(d, &l, &counters, &why);
    r->steps += counters.steps;
    if (!r->is_probe) launched(r, d, outcome, &why, addresses, s, first);
    r->unordered = device_unordered(d);
    r->advice.steps += r->is_probe ? counters.steps : 0;
    if (first) r->v.counters = counters, r->v.has_counters = outcome != VM_REFUSED;
    if (r->counting) {
      r->v.counters = counters;
      r->v.has_counters = outcome == VM_DONE;
      r->v.has_time_line = r->v.has_counters && device_time_line(d, &r->v.time_line);
    }
  }
  device_destroy(d);
  arena_free(&a);
}

/* Counters are those of the optimised build, under the cost model. What goes wrong in this run is
 * the business of the others, that looked for it. */
static void count(struct running *r) {
  struct finding_list found = r->found;
  struct verdict v = r->v;
  struct pz_step s = {.schedule = VM_TIMED, .seed = r->e->plan.seed};
  r->found = (struct finding_list){.keep = r->keep};
  r->counting = true;
  const struct ptx_module *m = load(r, BUILD_RELEASE);
  const struct ptx_func *f = m ? choose_kernel(r, m) : NULL;
  if (f) run_once(r, m, f, &s, true, true);
  v.counters = r->v.counters;
  v.has_counters = r->v.has_counters;
  v.time_line = r->v.time_line;
  v.has_time_line = r->v.has_time_line;
  finding_list_free(&r->found);
  r->found = found;
  r->v = v;
}

/* ---- what it could do without ---- */
struct probe {
  struct running *r;
  const struct ptx_module *m;
  const struct ptx_func *f;
  const struct pz_step *s;
};
static u64 probe(void *self, const struct detect_sync *without) {
  struct probe *p = self;
  p->r->without = without;
  run_once(p->r, p->m, p->f, p->s, false, false);
  return p->r->unordered;
}

static void advise(struct running *r, const struct ptx_module *m, const struct ptx_func *f) {
  struct pz_step s;
  struct probe p = {r, m, f, &s};
  r->is_probe = true;
  pz_advice_module(&r->advice, m);
  for (u32 i = 0; pz_advice_open(&r->advice) && pz_plan_step(&r->e->plan, i, &s); i++)
    pz_advice_probe(&r->advice, probe, &p);
  r->is_probe = false;
  pz_advice_conclude(&r->advice, r->planned, 1, &r->found);
}

/* The plan; then, unless a number was asked for, more schedules while they cost next to nothing:
 * some faults need an order that one seed in fifty brings about. */
static bool next_step(struct running *r, u32 i, struct pz_step *s) {
  if (pz_plan_step(&r->e->plan, i, s)) {
    r->planned = i + 1;
    return true;
  }
  struct pz_plan wide = r->e->plan;
  wide.random_count = EXTRA_SEEDS;
  r->is_extra = true;
  return !r->e->o->seeds && !wide.only && r->steps < EXTRA_STEPS && pz_plan_step(&wide, i, s);
}

static void run_build(struct running *r, enum build build) {
  struct pz_step s;
  const struct ptx_module *m = load(r, build);
  const struct ptx_func *f = m ? choose_kernel(r, m) : NULL;
  if (!f || !exec_args_fit(r->keep, r->e, f, r->names, &r->usage)) return;
  exec_values_start(&r->values, r->e);
  r->steps = 0;
  r->is_extra = false;
  for (u32 i = 0; !finding_list_has_error(&r->found) && next_step(r, i, &s); i++) {
    r->v.evidence.schedules = i + 1;
    r->v.evidence.runs++;
    run_once(r, m, f, &s, build == BUILD_RELEASE, i == 0);
  }
  if (!r->values.first_run) exec_values_print(&r->values, r->e, r->names, &r->v);
  bool advises = build == BUILD_DEBUG && !r->e->plan.only; /* one schedule proves little */
  if (advises && !finding_list_has_error(&r->found)) advise(r, m, f);
}

/* ---- the other build ---- */
static bool was_judged(const struct finding_list *l) {
  for (u32 i = 0; i < l->count; i++)
    if (l->items[i]->kind == V_COMPILE || l->items[i]->kind == V_INTERNAL) return false;
  return true;
}

/* One build fails, the other has passed every schedule. */
static void say_only(struct running *r, struct finding_list *l, const char *this_one,
                     const char *that_one, u32 schedules) {
  for (u32 i = 0; i < l->count; i++)
    if (l->items[i]->severity == SEVERITY_ERROR)
      l->items[i]->message = arena_printf(
          r->keep, "%s Only the %s build shows this: the %s one passed %u schedule%s.",
          l->items[i]->message, this_one, that_one, schedules, schedules == 1 ? "" : "s");
}

/* Runs even where the unoptimised build has failed, to say whether this one fails as well: no more
 * than that, since optimisation hides faults, invents others and blurs lines. */
static void run_optimized(struct running *r) {
  struct finding_list plain = r->found;
  struct verdict v = r->v;
  bool failed = finding_list_has_error(&plain);
  if (failed && !was_judged(&plain)) return;
  r->found = (struct finding_list){.keep = r->keep};
  run_build(r, BUILD_RELEASE);
  bool fails = finding_list_has_error(&r->found);
  if (r->e->debug && fails != failed && was_judged(&r->found)) {
    if (fails)
      say_only(r, &r->found, "optimised", "unoptimised", v.evidence.schedules);
    else
      say_only(r, &plain, "unoptimised", "optimised", r->v.evidence.schedules);
  }
  if (failed) {
    v.evidence.runs = r->v.evidence.runs;
    r->v = v;
  }
  if (!fails && r->e->debug) { /* the optimised build does not know what is undefined */
    r->v.dumps = v.dumps;
    r->v.dump_count = v.dump_count;
  }
  struct finding_list optimized = r->found;
  r->found = plain;
  for (u32 i = 0; !failed && i < optimized.count; i++)
    finding_list_add(&r->found, optimized.items[i]);
  if (!failed) r->found.dropped += optimized.dropped;
  finding_list_free(&optimized);
}

void exec_run(void *self, u32 i, struct strbuf *result) {
  const struct exec *e = self;
  struct arena keep = {0};
  struct running r = {.e = e,
                      .keep = &keep,
                      .found = {.keep = &keep},
                      .advice = {.keep = &keep},
                      .values = {.keep = &keep}};
  r.values.found = &r.found;
  double start = now_ms();
  (void)i;
  verdict_init(&r.v);
  r.v.evidence.race_checked = true;
  r.v.evidence.values_checked = e->expect_count > 0;
  if (e->debug) run_build(&r, BUILD_DEBUG);
  if (e->release && !r.usage.set) run_optimized(&r);
  if (e->o->counters && !r.usage.set && !finding_list_has_error(&r.found)) count(&r);
  if (r.usage.set) {
    strbuf_printf(result, "%c%s", EXEC_USAGE, r.usage.text);
  } else {
    verdict_conclude(&r.v, &keep, &r.found);
    r.v.milliseconds = now_ms() - start;
    strbuf_printf(result, "%c", EXEC_VERDICT);
    verdict_write(result, &r.v);
  }
  finding_list_free(&r.found);
  arena_free(&keep);
}
