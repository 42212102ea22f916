/* compare.c - see compare.h. What must agree:
 *   - every pair of accesses that the detector calls a race, or notes, is one by the oracle;
 *   - the values that are read are among those that the memory model allows, see outcome.c;
 *   - the first access of a run that races (but for the excused, see oracle.h) is reported.
 * Later ones may be missing: the detector forgets what can no longer change the verdict. */
#include <inttypes.h>
#include <string.h>
#include "detect/detect.h"
#include "oracle/compare.h"
#include "oracle/oracle.h"
#include "oracle/program.h"

static const struct {
  enum vm_schedule_kind kind;
  u64 seed;
} plan[] = {{VM_RANDOM, 1},   {VM_BUFFERED, 2},  {VM_RANDOM, 3},        {VM_ADVERSARIAL, 4},
            {VM_BUFFERED, 5}, {VM_CONVERGED, 0}, {VM_SPLIT, 0},         {VM_REVERSED, 0},
            {VM_RANDOM, 6},   {VM_BUFFERED, 7},  {VM_SPLIT_REVERSED, 0}};

static bool is_thread(const struct oracle *o, const struct oracle_event *e,
                      const struct finding_access *a) {
  u32 id = o->ids[e->thread], wpb = o->launch.warps_per_block;
  return a->block[0] == id / 32 / wpb && a->warp == id / 32 % wpb && a->lane == id % 32 &&
         a->line == e->line;
}

static bool is_pair(const struct oracle *o, const struct oracle_race *r, const struct finding *f) {
  const struct oracle_event *x = &o->events[r->first], *y = &o->events[r->second];
  if (f->access_count != 2) return false;
  const struct finding_access *a = &f->accesses[0], *b = &f->accesses[1];
  return (is_thread(o, x, a) && is_thread(o, y, b)) || (is_thread(o, x, b) && is_thread(o, y, a));
}

static void pair_text(const struct finding *f, struct strbuf *out) {
  for (u32 i = 0; i < f->access_count; i++) {
    const struct finding_access *a = &f->accesses[i];
    strbuf_printf(out, "%s%s line %u (block %u warp %u lane %u)", i ? " against " : "", a->op,
                  a->line, a->block[0], a->warp, a->lane);
  }
  strbuf_printf(out, ": %s\n", f->message);
}

/* What a strong read saw that came early the detector does not know exactly. Then only the verdict
 * must agree. */
static bool is_vague(const struct oracle *o) {
  for (u32 i = 0; i < o->event_count; i++)
    if (o->events[i].is_early && o->events[i].strong) return true;
  return false;
}

static bool no_false_alarm(const struct oracle *o, const struct finding *const *f, u32 n,
                           struct strbuf *why) {
  for (u32 i = 0; i < n; i++) {
    bool found = f[i]->kind != V_RACE;
    for (u32 r = 0; r < o->race_count && !found; r++) found = is_pair(o, &o->races[r], f[i]);
    if (found || (is_vague(o) && o->race_count)) continue;
    strbuf_printf(why, "reported, but not a race: ");
    pair_text(f[i], why);
    return false;
  }
  return true;
}

/* By line: findings of the same lines are folded, whoever the threads are. */
static bool first_is_named(const struct oracle *o, const struct finding *const *f, u32 n,
                           struct strbuf *why) {
  const struct oracle_race *first = NULL;
  for (u32 r = 0; r < o->race_count && !first; r++)
    if (!o->races[r].is_excused) first = &o->races[r];
  if (!first || is_vague(o)) return true;
  u32 line = o->events[first->second].line;
  for (u32 i = 0; i < n; i++)
    for (u32 a = 0; a < f[i]->access_count; a++)
      if (f[i]->kind == V_RACE && f[i]->accesses[a].line == line) return true;
  strbuf_printf(why, "not reported: the race of events %u and %u (line %u)\n", first->first,
                first->second, line);
  return false;
}

static bool run(const struct program *p, const struct ptx_module *module, u32 i, bool strict,
                struct compare_count *n, struct strbuf *why) {
  struct vm_config config = {
      .schedule = plan[i].kind, .seed = plan[i].seed, .max_steps = 200000, .lenient_exit = true};
  struct detect_policy policy = {.strict_volatile = strict, .strict_same_value = strict};
  struct vm_machine *m;
  struct diag bad = {0};
  struct arena keep = {0};
  struct vm_counters counters;
  if (!vm_create(module, &config, &m, &bad)) {
    strbuf_printf(why, "%s\n", bad.text);
    return false;
  }
  struct detect *d = detect_create(&keep, m, &policy);
  struct oracle *o = oracle_create(&keep, m, p);
  struct vm_launch l = {.kernel = ptx_kernel(module, STR("k"), &bad),
                        .grid = {p->blocks},
                        .block = {p->block_threads},
                        .cluster = {p->cluster},
                        .params = (const u8 *)""};
  bool ok = l.kernel && vm_run(m, &l, &counters, &bad) == VM_DONE;
  if (!ok) strbuf_printf(why, "the launch did not end: %s\n", bad.text);
  u32 count;
  const struct finding *const *f = detect_findings(d, &count, NULL);
  for (u32 k = 0; k < count && !ok; k++) pair_text(f[k], why);
  ok = ok && oracle_outcome(o, why);
  ok = ok && no_false_alarm(o, f, count, why) && (!strict || first_is_named(o, f, count, why));
  n->runs++;
  n->racy += o->race_count > 0;
  n->events += o->event_count;
  if (!ok) {
    strbuf_printf(why, "schedule %s, seed %" PRIu64 "%s\n", vm_schedule_name(config.schedule),
                  config.seed, strict ? ", --strict volatile,same-value" : "");
    oracle_print(o, why);
  }
  detect_destroy(d);
  vm_destroy(m);
  arena_free(&keep);
  return ok;
}

bool compare_program(u64 seed, u32 schedules, struct compare_count *n, struct strbuf *why) {
  struct arena keep = {0};
  struct diag bad = {0};
  struct ptx_module *module;
  struct program p = program_make(&keep, seed);
  bool ok = ptx_parse(&keep, p.text, &module, &bad);
  if (!ok) strbuf_printf(why, "line %u: %s\n", bad.line, bad.text);
  n->programs++;
  for (u32 i = 0; i < schedules && ok; i++) /* the plan, from another place each time */
    ok = run(&p, module, (u32)((seed * 3 + i) % COUNT_OF(plan)), (seed + i) % 4 != 0, n, why);
  if (!ok) strbuf_printf(why, "program %" PRIu64 ":\n" STR_F, seed, STR_A(p.text));
  arena_free(&keep);
  return ok;
}
