/* exec_run.c - one kernel, one set of arguments, every schedule of the plan until the first error.
 * Each run has a fresh device and fresh buffers; random contents come from the run's own seed, so
 * that
 * --schedule and --seed repeat it alone. */
#include <inttypes.h>
#include <string.h>
#include <time.h>
#include "cli/exec.h"
#include "puzzle/advice.h"

enum { PRINTED_MAX = 64 << 10 };

struct running {
  const struct exec *e;
  struct arena *keep;
  struct verdict v;
  struct finding_list found;
  struct diag usage; /* set: the question was wrong, there is no verdict */
  const char *names[LIST_MAX];
  bool counting; /* the run for --counters */
  struct pz_advice advice;
  const struct detect_sync *without; /* while a run is repeated for advice */
  bool is_probe;
  u64 unordered;
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
    if (!only || !only->is_entry) {
      only = NULL;
      diag_set(&r->usage, "--kernel %s: %s; the file has: %.*s", r->e->o->kernel,
               why.text[0] ? why.text : "not a kernel", names.n ? (int)names.n : 4,
               names.n ? names.p : "none");
    }
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
  strbuf_free(&names);
  return only;
}

/* ---- arguments ---- */
/* An array of bytes: a struct, a union, a vector. */
static bool is_bytes(const struct ptx_param *p) {
  return p->size_bytes > ptx_type_bytes(p->type) && ptx_type_bytes(p->type) == 1;
}
static bool fits(const struct exec_arg *a, const struct ptx_param *p) {
  bool wants_float = p->type == T_F32 || p->type == T_F64;
  if (a->form == ARG_STRUCT) return p->size_bytes == a->size_bytes && is_bytes(p);
  if (a->form != ARG_SCALAR) return p->size_bytes == 8 && !wants_float;
  return p->size_bytes == exec_type_bytes(a->type) && wants_float == exec_type_is_float(a->type);
}

/* What the parameter would take: "f32", "a pointer or 64-bit integer". */
static const char *wanted(const struct ptx_param *p, struct arena *a) {
  if (p->type == T_F32) return "f32";
  if (p->type == T_F64) return "f64";
  if (is_bytes(p)) return arena_printf(a, "a struct of %u bytes", p->size_bytes);
  if (p->size_bytes == 8) return "a buffer, null, i64 or u64";
  return arena_printf(a, "an integer of %u byte%s", p->size_bytes, p->size_bytes == 1 ? "" : "s");
}

static bool check_args(struct running *r, const struct ptx_func *f) {
  const struct exec *e = r->e;
  str name = f->demangled.n ? f->demangled : f->name;
  if (e->arg_count != f->arg_count) {
    diag_set(&r->usage, STR_F " takes %u parameters, there are %u --arg", STR_A(name), f->arg_count,
             e->arg_count);
    return false;
  }
  for (u32 i = 0; i < e->arg_count; i++) {
    const struct ptx_param *p = &f->params[f->ret_count + i];
    if (fits(&e->args[i], p)) continue;
    const char *has = e->args[i].form == ARG_STRUCT
                          ? arena_printf(r->keep, " (%u bytes)", e->args[i].size_bytes)
                          : "";
    diag_set(&r->usage, "--arg %.200s%s does not fit parameter %u of " STR_F ": it takes %s",
             e->o->arg_specs[i], has, i, STR_A(name), wanted(p, r->keep));
    return false;
  }
  /* Reports call a buffer what its author calls it, where the source says so. */
  str plain = name;
  const char *paren = memchr(plain.p, '(', plain.n);
  if (paren) plain.n = (size_t)(paren - plain.p);
  for (size_t i = plain.n; i > 0; i--)
    if (plain.p[i - 1] == ':' || plain.p[i - 1] == ' ') {
      plain = (str){plain.p + i, plain.n - i};
      break;
    }
  if (e->is_ptx || !exec_param_names(r->keep, e->source, plain, e->arg_count, r->names))
    for (u32 i = 0; i < e->arg_count; i++) r->names[i] = arena_printf(r->keep, "arg%u", i);
  return true;
}

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

static void dump(struct running *r, struct device *d, const u64 *addresses) {
  const struct exec *e = r->e;
  struct arena scratch = {0};
  r->v.dump_count = e->dump_count;
  r->v.dumps = NEWN(r->keep, struct verdict_dump, e->dump_count + 1);
  for (u32 i = 0; i < e->dump_count; i++) {
    struct verdict_dump *out = &r->v.dumps[i];
    struct diag why = {0};
    const struct exec_arg *arg = e->dumps[i].from;
    u32 size = exec_type_bytes(arg->type);
    u64 bytes = (u64)e->dumps[i].count * size, at = addresses[arg->slot];
    u8 *data = NEWN(&scratch, u8, bytes + 1), *known = NEWN(&scratch, u8, bytes + 1);
    u8 *written = NEWN(&scratch, u8, bytes + 1);
    *out = (struct verdict_dump){.arg = e->dumps[i].arg,
                                 .field = e->dumps[i].field,
                                 .name = r->names[e->dumps[i].arg],
                                 .type = exec_type_text(arg->type)};
    if (bytes &&
        !(device_read(d, at, data, bytes, &why) && device_defined(d, at, known, bytes, &why) &&
          device_written(d, at, written, bytes, &why))) {
      gap(r, &why);
      continue;
    }
    out->count = e->dumps[i].count;
    out->values = NEWN(r->keep, const char *, out->count + 1);
    for (u32 k = 0; k < out->count; k++) {
      const u8 *p = data + (u64)k * size;
      if (memchr(written + (u64)k * size, 0, size))
        out->values[k] = "-";
      else if (memchr(known + (u64)k * size, 0, size))
        out->values[k] = "?";
      else
        out->values[k] = exec_element_text(r->keep, arg->type, p);
    }
  }
  arena_free(&scratch);
}

static void launched(struct running *r, struct device *d, enum vm_outcome outcome,
                     const struct diag *why, const u64 *addresses, bool first) {
  if (outcome == VM_REFUSED)
    finding_list_say(&r->found, V_TRAP, "The device refuses this launch: %s.", why->text);
  else if (outcome == VM_STOPPED && !device_has_error(d))
    finding_list_say(&r->found, V_INTERNAL, "The launch stopped and no check said why.");
  collect(r, d, first);
  if (outcome != VM_REFUSED && !r->counting) dump(r, d, addresses);
  pz_advice_note(&r->advice, d);
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
    if (!r->is_probe) launched(r, d, outcome, &why, addresses, first);
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
  if (f && check_args(r, f)) run_once(r, m, f, &s, true, true);
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
  pz_advice_conclude(&r->advice, r->v.evidence.schedules, 1, &r->found);
}

static void run_build(struct running *r, enum build build) {
  struct pz_step s;
  const struct ptx_module *m = load(r, build);
  const struct ptx_func *f = m ? choose_kernel(r, m) : NULL;
  if (!f || !check_args(r, f)) return;
  for (u32 i = 0; !finding_list_has_error(&r->found) && pz_plan_step(&r->e->plan, i, &s); i++) {
    r->v.evidence.schedules = i + 1;
    r->v.evidence.runs++;
    run_once(r, m, f, &s, build == BUILD_RELEASE, i == 0);
  }
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
  struct running r = {.e = e, .keep = &keep, .found = {.keep = &keep}, .advice = {.keep = &keep}};
  double start = now_ms();
  (void)i;
  verdict_init(&r.v);
  r.v.evidence.race_checked = true;
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
