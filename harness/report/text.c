/* text.c - the report that a learner reads: one line for each puzzle, the first failure in full. A
 * finding's own layout is in text_finding.c. */
#include <inttypes.h>
#include <string.h>
#include "report/parts.h"

enum { PRINTED_LINES = 20, LOG_LINES = 40, NOTES_SHOWN = 4, ERRORS_SHOWN = 3 };

static const char *color_of(enum verdict_kind k) {
  return k == V_PASS ? "\033[32m" : k == V_SKIP || k == V_INTERNAL ? "\033[33m" : "\033[31m";
}

static void word(const struct report_style *s, enum verdict_kind k, const char *text) {
  fprintf(s->out, "%s%s%s", s->color ? color_of(k) : "", text, s->color ? "\033[0m" : "");
}

/* The head line: number, name, verdict, and in one phrase where. */
static void head(const struct report_style *s, const struct report_item *it) {
  const struct verdict *v = it->v;
  const struct finding *f = report_reason(v);
  fprintf(s->out, "[%02u/%02u] %-28s  ", it->number, it->total, it->id);
  word(s, v->kind, verdict_text(v->kind));
  if (f && f->object[0]) {
    fputs("  ", s->out);
    text_object(s->out, f);
  }
  if (s->times) fprintf(s->out, "  %.0f ms", v->milliseconds);
  fputc('\n', s->out);
}

static void build_line(const struct report_style *s, const struct verdict *v) {
  bool bad = v->kind == V_COMPILE;
  fputs("  build   ", s->out);
  word(s, bad ? V_COMPILE : V_PASS, bad ? "FAIL" : "ok  ");
  fputs("   ", s->out);
  escape_text(s->out, v->evidence.compiler, "", 1);
}

static void values_line(const struct report_style *s, const struct verdict *v) {
  const struct verdict_evidence *e = &v->evidence;
  char text[600];
  if (!e->shapes && !(e->values_checked && v->kind == V_PASS)) return;
  for (u32 i = 0; i < v->finding_count; i++)
    if (v->findings[i].kind == V_WRONG) return; /* the finding says more */
  fputs("  values  ", s->out);
  word(s, V_PASS, "ok  ");
  fputs("   ", s->out);
  if (!e->shapes) { /* exec */
    fputs("as expected\n", s->out);
    return;
  }
  snprintf(text, sizeof text, e->shape_names[0] ? "%u of %u shapes (%s)" : "%u of %u shapes",
           e->shapes, e->shapes_total, e->shape_names);
  text_wrap(s, strlen("  values  ok     "), text);
}

static void race_line(const struct report_style *s, const struct verdict *v) {
  fputs("  race    ", s->out);
  word(s, V_PASS, "none");
  const struct verdict_evidence *e = &v->evidence;
  fprintf(s->out, "   in %u schedule%s, %u run%s\n", e->schedules, e->schedules == 1 ? "" : "s",
          e->runs, e->runs == 1 ? "" : "s");
}

static void gpu_line(const struct report_style *s, const struct verdict *v) {
  if (v->evidence.gpu && v->evidence.gpu[0]) fprintf(s->out, "  GPU run %s\n", v->evidence.gpu);
}

static void printed(const struct report_style *s, const struct verdict *v) {
  if (!v->printed[0]) return;
  fputs("  printf\n", s->out);
  escape_text(s->out, v->printed, "          ", PRINTED_LINES);
  if (v->printed_dropped)
    fprintf(s->out, "          (%" PRIu64 " bytes more)\n", v->printed_dropped);
}

static void findings(const struct report_style *s, const struct verdict *v, const char *shape) {
  const struct finding *reason = report_reason(v);
  u32 errors = reason ? 1 : 0, notes = 0, more = 0;
  bool is_told = v->kind == V_COMPILE && v->evidence.compiler[0]; /* by the line of the build */
  if (reason && is_told)
    text_finding_below(s, reason);
  else if (reason)
    text_finding(s, reason, shape);
  for (u32 i = 0; i < v->finding_count; i++) {
    const struct finding *f = &v->findings[i];
    bool is_note = f->severity == SEVERITY_NOTE;
    if (f == reason) continue;
    if (is_note ? notes++ >= NOTES_SHOWN : errors++ >= ERRORS_SHOWN)
      more++;
    else
      text_finding(s, f, is_note ? "" : shape);
  }
  if (more + v->dropped)
    fprintf(s->out, "  more    %" PRIu64 " further findings (--format json lists them)\n",
            more + v->dropped);
}

static void counters(const struct report_style *s, const struct verdict *v) {
  if (!s->counters || !v->has_counters) return;
  fputs("  counters, optimised build\n", s->out);
  for (u32 i = 0; i < verdict_counter_count; i++)
    fprintf(s->out, "          %-32s %12" PRIu64 "\n", verdict_counters[i].text,
            verdict_counter_get(&v->counters, i));
}

static void body(const struct report_style *s, const struct report_item *it) {
  const struct verdict *v = it->v;
  if (v->evidence.compiler[0]) build_line(s, v);
  if (v->log[0] && v->kind == V_COMPILE) escape_text(s->out, v->log, "          ", LOG_LINES);
  values_line(s, v);
  if (v->kind == V_PASS && v->evidence.race_checked) race_line(s, v);
  gpu_line(s, v);
  findings(s, v, v->evidence.failed_shape);
  bool shows = s->counters || (report_reason(v) && report_reason(v)->kind == V_RULE);
  if (v->has_time_line && shows) text_time_line(s, &v->time_line);
  printed(s, v);
  counters(s, v);
  if (s->editor) text_editor_lines(s->out, it);
}

static void about(const struct report_style *s, const struct report_item *it) {
  const struct verdict *v = it->v;
  if (v->kind != V_PASS) {
    const char *t = verdict_text(v->kind);
    fputs("  about   docs/findings.md#", s->out);
    for (; *t; t++) fputc(*t >= 'A' && *t <= 'Z' ? *t + 32 : *t, s->out);
    fputc('\n', s->out);
  }
  if (it->replay && it->replay[0]) fprintf(s->out, "  replay  %s\n", it->replay);
}

static void closing(const struct report_style *s, const struct report_item *it, bool in_full) {
  bool fresh = in_full || it->first_pass;
  if (fresh && it->v->kind == V_PASS && it->learned && it->learned[0])
    report_paragraph(s, "  learned ", it->learned);
  if (it->note && it->note[0]) report_paragraph(s, "  note    ", it->note);
}

void text_item(struct report *r, const struct report_item *it) {
  const struct report_style *s = &r->style;
  bool failed = it->v->kind != V_PASS && it->v->kind != V_SKIP;
  head(s, it);
  if (s->detail_all || (failed && !r->detailed)) {
    body(s, it);
    about(s, it);
    closing(s, it, true);
    fputc('\n', s->out);
    if (failed) r->detailed = true;
  } else {
    if (s->editor) text_editor_lines(s->out, it);
    closing(s, it, false);
  }
  fflush(s->out);
}

void text_end(struct report *r) {
  u32 tally[V_COUNT] = {0};
  if (r->count < 2) return;
  for (u32 i = 0; i < r->count; i++) tally[r->items[i].v->kind]++;
  fprintf(r->style.out, "\n  %u judged:", r->count);
  for (u32 k = 0; k < V_COUNT; k++)
    if (tally[k]) fprintf(r->style.out, "  %u %s", tally[k], verdict_text((enum verdict_kind)k));
  fputc('\n', r->style.out);
}

static void dumps(FILE *out, const struct verdict *v) {
  for (u32 i = 0; i < v->dump_count; i++) {
    const struct verdict_dump *d = &v->dumps[i];
    fprintf(out, "  dump    parameter %u, ", d->arg);
    if (d->field) fprintf(out, "field %u, ", d->field - 1);
    fprintf(out, "%s, %s[%u]:", d->name, d->type, d->count);
    for (u32 e = 0; e < d->count; e++)
      fprintf(out, "%s%s", e % 16 ? " " : "\n          ", d->values[e]);
    fputc('\n', out);
  }
}

void text_one(const struct report_style *s, const struct report_item *it) {
  fputs("[exec] ", s->out);
  escape_text(s->out, it->id, "", 1);
  fputs("  verdict ", s->out);
  word(s, it->v->kind, verdict_text(it->v->kind));
  fprintf(s->out, "   %u schedule%s", it->v->evidence.schedules,
          it->v->evidence.schedules == 1 ? "" : "s");
  if (s->times) fprintf(s->out, ", %.0f ms", it->v->milliseconds);
  fputc('\n', s->out);
  body(s, it);
  dumps(s->out, it->v);
  if (it->v->kind != V_PASS) about(s, it);
}
