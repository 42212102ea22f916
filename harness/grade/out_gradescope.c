/* out_gradescope.c - Gradescope's results.json, one for each student: the format of its autograder
 * specification. Marks that are open have no score of their own. */
#include <string.h>
#include "grade/out.h"

/* What one test shows: how the points came about, then the findings, in plain text. */
static const char *words(struct arena *a, const struct mark *m) {
  struct strbuf b = {0};
  struct verdict v;
  out_verdict(a, m->outcome, &v);
  strbuf_printf(&b, "%s\n", m->why);
  for (u32 i = 0; i < v.finding_count && i < 8; i++) {
    const struct finding *f = &v.findings[i];
    strbuf_printf(&b, "%s%s: %s\n", f->severity == SEVERITY_NOTE ? "note, " : "",
                  verdict_text(f->kind), f->message);
    for (u32 k = 0; k < f->access_count; k++)
      if (f->accesses[k].line)
        strbuf_printf(&b, "    %s:%u %s\n", f->accesses[k].file ? f->accesses[k].file : "",
                      f->accesses[k].line, f->accesses[k].op ? f->accesses[k].op : "");
    if (f->suggestion && *f->suggestion) strbuf_printf(&b, "    %s\n", f->suggestion);
  }
  if (score_shows(m->outcome) && v.kind == V_COMPILE && *v.log)
    strbuf_printf(&b, "%.4000s\n", v.log);
  const char *text = str_copy(a, (str){b.p, b.n}).p;
  strbuf_free(&b);
  return text;
}

static void test(FILE *f, struct arena *a, const struct output *o, const struct sheet *s, u32 i) {
  const struct mark *m = &s->marks[i];
  bool passed = !m->open && m->share >= 1;
  fprintf(f, "%s\n    {", i ? "," : "");
  if (!m->open) fprintf(f, "\"score\": %.4f, \"max_score\": %.4f, ", m->points, m->most);
  if (!m->open) fprintf(f, "\"status\": \"%s\", ", passed ? "passed" : "failed");
  fputs("\"name\": ", f);
  escape_json(f, out_puzzle(o, i));
  fprintf(f, ", \"number\": \"%u\", \"output\": ", i + 1);
  escape_json(f, words(a, m));
  fputs(", \"output_format\": \"text\", \"visibility\": \"visible\"}", f);
}

/* Puzzles about time have a place there; less is better. */
static void leaderboard(FILE *f, const struct output *o, const struct sheet *s) {
  fprintf(f, "  \"leaderboard\": [{\"name\": \"solved\", \"value\": %u}", s->passed);
  for (u32 i = 0; i < o->plan->course.count; i++) {
    const struct verdict *v = &s->marks[i].outcome->v;
    if (!pz_puzzle_at(o->plan->course.puzzles[i].puzzle)->timed || v->kind != V_PASS ||
        s->marks[i].outcome->missing)
      continue;
    if (v->has_counters)
      fprintf(f, ",\n    {\"name\": \"%s, virtual time\", \"value\": %llu, \"order\": \"asc\"}",
              out_puzzle(o, i), (unsigned long long)out_virtual_time(v));
    if (v->evidence.gpu_ms > 0)
      fprintf(f, ",\n    {\"name\": \"%s, GPU ms\", \"value\": %.4f, \"order\": \"asc\"}",
              out_puzzle(o, i), v->evidence.gpu_ms);
  }
  fputs("],\n", f);
}

static bool one(const struct output *o, const struct sheet *s, const char *name, struct diag *why) {
  struct arena a = {0};
  char *temp;
  const char *gpu = out_gpu(o);
  FILE *f = out_open(&a, o, name, &temp, why);
  if (!f) return arena_free(&a), false;
  fprintf(f, "{\n  \"score\": %.4f,\n  \"execution_time\": %.0f,\n  \"output\": ", s->score,
          o->seconds);
  escape_json(
      f, arena_printf(&a, "%.4f of %.4f points, %u of %u puzzles solved%s. Sandbox: %s.%s%s%s%s",
                      s->score, s->most, s->passed, o->plan->course.count,
                      s->open ? arena_printf(&a, ", %u could not be judged", s->open) : "",
                      grade_sandbox_words(o->plan->sandbox), gpu ? " GPU: " : "", gpu ? gpu : "",
                      *s->outcomes[s->attempt_count - 1].problem ? " Note: " : "",
                      s->outcomes[s->attempt_count - 1].problem));
  fputs(",\n  \"output_format\": \"text\",\n  \"visibility\": \"visible\",\n"
        "  \"stdout_visibility\": \"hidden\",\n",
        f);
  leaderboard(f, o, s);
  fprintf(f,
          "  \"extra_data\": {\"sandbox\": \"%s\", \"suite\": \"%s\", \"not_judged\": %u, "
          "\"submission_sha256\": \"%s\"},\n  \"tests\": [",
          grade_sandbox_name(o->plan->sandbox), o->plan->suite, s->open,
          s->outcomes[s->attempt_count - 1].sha256);
  for (u32 i = 0; i < o->plan->course.count; i++) test(f, &a, o, s, i);
  fputs("\n  ]\n}\n", f);
  bool ok = out_close(f, o, name, temp, why);
  arena_free(&a);
  return ok;
}

bool out_gradescope(const struct output *o, struct diag *why) {
  if (!dir_make(arena_printf(o->keep, "%s/gradescope", o->out_dir), why)) return false;
  for (u32 i = 0; i < o->sheets->count; i++) {
    const struct sheet *s = &o->sheets->list[i];
    if (!one(o, s, arena_printf(o->keep, "gradescope/%s.json", s->key), why)) return false;
  }
  return true;
}
