/* json.c - verdicts as JSON; docs/findings.md lists the fields. Numbers that may exceed 2^53 are
 * printed as they are. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "report/parts.h"

static void key(FILE *out, const char *name) { fprintf(out, "\"%s\": ", name); }

static void text_field(FILE *out, const char *name, const char *value) {
  fputs(", ", out);
  key(out, name);
  escape_json(out, value ? value : "");
}

static void triple(FILE *out, const char *name, const u32 v[3]) {
  fprintf(out, ", \"%s\": [%u, %u, %u]", name, v[0], v[1], v[2]);
}

static void access_json(FILE *out, const struct finding_access *a) {
  fputc('{', out);
  key(out, "op");
  escape_json(out, a->op ? a->op : "");
  triple(out, "thread", a->thread);
  triple(out, "block", a->block);
  fprintf(out, ", \"warp\": %u, \"lane\": %u, \"others\": %u", a->warp, a->lane, a->others);
  text_field(out, "file", a->file);
  fprintf(out, ", \"line\": %u", a->line);
  if (a->has_value) fprintf(out, ", \"value\": %" PRIu64, a->value);
  fputs(", \"stack\": [", out);
  for (u32 i = 0; i < a->stack_count; i++) {
    fputs(i ? ", {" : "{", out);
    key(out, "function");
    escape_json(out, a->stack[i].function ? a->stack[i].function : "");
    text_field(out, "file", a->stack[i].file);
    fprintf(out, ", \"line\": %u}", a->stack[i].line);
  }
  fputs("]}", out);
}

static void finding_json(FILE *out, const struct finding *f) {
  fprintf(out, "{\"kind\": \"%s\", \"severity\": \"%s\"", verdict_text(f->kind),
          f->severity == SEVERITY_NOTE ? "note" : "error");
  text_field(out, "space", f->space);
  text_field(out, "object", f->object);
  fprintf(out, ", \"offset\": %" PRIu64 ", \"element\": %" PRId64 ", \"accesses\": [", f->offset,
          f->element);
  for (u32 i = 0; i < f->access_count; i++) {
    if (i) fputs(", ", out);
    access_json(out, &f->accesses[i]);
  }
  fputc(']', out);
  text_field(out, "message", f->message);
  text_field(out, "suggestion", f->suggestion);
  text_field(out, "waits", f->waits);
  text_field(out, "schedule", f->schedule);
  fprintf(out, ", \"seed\": %" PRIu64 ", \"launch\": %u, \"repeats\": %u}", f->seed,
          f->launch_index, f->repeats);
}

static void findings(FILE *out, const struct verdict *v) {
  fputs(", \"findings\": [", out);
  for (u32 i = 0; i < v->finding_count; i++) {
    if (i) fputs(", ", out);
    finding_json(out, &v->findings[i]);
  }
  fputc(']', out);
  if (v->dropped) fprintf(out, ", \"dropped\": %" PRIu64, v->dropped);
}

static void time_line(FILE *out, const struct verdict *v) {
  const struct vm_time_line *t = &v->time_line;
  if (!v->has_time_line) return;
  fprintf(out, ", \"time_line\": {\"makespan\": %" PRIu64 ", \"sms\": [", t->makespan);
  for (u32 s = 0; s < t->sm_count; s++)
    fprintf(out, "%s{\"worked\": %" PRIu64 "}", s ? ", " : "", t->sm[s].worked);
  fputs("]}", out);
}

static void counters(FILE *out, const struct verdict *v) {
  fputs(", \"counters\": {", out);
  for (u32 i = 0; v->has_counters && i < verdict_counter_count; i++)
    fprintf(out, "%s\"%s\": %" PRIu64, i ? ", " : "", verdict_counters[i].name,
            verdict_counter_get(&v->counters, i));
  fputc('}', out);
}

static void words(FILE *out, const struct verdict *v) {
  if (v->log[0]) text_field(out, "log", v->log);
  if (v->printed[0]) text_field(out, "printed", v->printed);
  if (v->printed_dropped) fprintf(out, ", \"printed_dropped\": %" PRIu64, v->printed_dropped);
}

/* A number stays a number; what JSON cannot say (NaN, infinities) is a string, no value is null. */
static void dump_value(FILE *out, const char *s) {
  char *end;
  if (strcmp(s, "?") == 0 || strcmp(s, "-") == 0) {
    fputs("null", out);
    return;
  }
  double d = strtod(s, &end);
  if (*end || !isfinite(d))
    escape_json(out, s);
  else
    fputs(s, out);
}

static void dumps(FILE *out, const struct verdict *v) {
  if (!v->dump_count) return;
  fputs(", \"dumps\": [", out);
  for (u32 i = 0; i < v->dump_count; i++) {
    const struct verdict_dump *d = &v->dumps[i];
    fprintf(out, "%s{\"arg\": %u", i ? ", " : "", d->arg);
    if (d->field) fprintf(out, ", \"field\": %u", d->field - 1);
    text_field(out, "name", d->name);
    text_field(out, "type", d->type);
    fputs(", \"values\": [", out);
    for (u32 e = 0; e < d->count; e++) {
      if (e) fputs(", ", out);
      dump_value(out, d->values[e]);
    }
    fputs("]}", out);
  }
  fputc(']', out);
}

static void item(FILE *out, const struct report_item *it) {
  const struct verdict *v = it->v;
  fputs("{\"id\": ", out);
  escape_json(out, it->id);
  text_field(out, "title", it->title);
  text_field(out, "file", it->path);
  text_field(out, "verdict", verdict_text(v->kind));
  findings(out, v);
  fprintf(out,
          ", \"evidence\": {\"shapes\": %u, \"shapes_total\": %u, \"schedules\": %u, \"runs\": %u",
          v->evidence.shapes, v->evidence.shapes_total, v->evidence.schedules, v->evidence.runs);
  text_field(out, "failed_shape", v->evidence.failed_shape);
  text_field(out, "compiler", v->evidence.compiler);
  text_field(out, "gpu", v->evidence.gpu ? v->evidence.gpu : "");
  fputc('}', out);
  counters(out, v);
  time_line(out, v);
  words(out, v);
  text_field(out, "replay", it->replay);
  fprintf(out, ", \"milliseconds\": %.1f}", v->milliseconds);
}

void json_end(struct report *r) {
  FILE *out = r->style.out;
  fputs("{\"puzzles\": [", out);
  for (u32 i = 0; i < r->count; i++) {
    fputs(i ? ",\n" : "\n", out);
    item(out, &r->items[i]);
  }
  fprintf(out, "%s], \"passed\": %u, \"judged\": %u, \"seed\": %" PRIu64 ", \"backend\": \"%s\"}\n",
          r->count ? "\n" : "", r->passed, r->count, r->style.seed, r->style.backend);
}

void json_one(const struct report_style *s, const struct report_item *it) {
  FILE *out = s->out;
  fprintf(out, "{\"verdict\": \"%s\", \"schedules\": %u", verdict_text(it->v->kind),
          it->v->evidence.schedules);
  text_field(out, "file", it->path);
  text_field(out, "compiler", it->v->evidence.compiler);
  findings(out, it->v);
  counters(out, it->v);
  time_line(out, it->v);
  words(out, it->v);
  dumps(out, it->v);
  fputs("}\n", out);
}
