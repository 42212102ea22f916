/* junit.c - JUnit XML: the learner's faults are failures, the suite's own are errors, skips are
 * skipped. */
#include "report/parts.h"

static void attribute(FILE *out, const char *name, const char *value) {
  fprintf(out, " %s=\"", name);
  escape_xml(out, value);
  fputc('"', out);
}

static void places(FILE *out, const struct finding *f) {
  for (u32 i = 0; i < f->access_count; i++) {
    const struct finding_access *a = &f->accesses[i];
    escape_xml(out, a->file ? a->file : "");
    fprintf(out, ":%u: ", a->line);
    escape_xml(out, a->op ? a->op : "");
    fprintf(out, " by thread (%u,%u,%u) of block (%u,%u,%u)\n", a->thread[0], a->thread[1],
            a->thread[2], a->block[0], a->block[1], a->block[2]);
  }
}

static void fault(FILE *out, const char *element, const struct report_item *it) {
  const struct finding *f = report_reason(it->v);
  fprintf(out, "      <%s type=\"%s\"", element, verdict_text(it->v->kind));
  attribute(out, "message", f ? f->message : "");
  fputs(">", out);
  for (u32 i = 0; i < it->v->finding_count; i++) {
    const struct finding *each = &it->v->findings[i];
    fprintf(out, "%s %s: ", verdict_text(each->kind),
            each->severity == SEVERITY_NOTE ? "note" : "error");
    escape_xml(out, each->message);
    fputc('\n', out);
    if (each->kind != V_COMPILE) places(out, each);
    escape_xml(out, each->waits);
  }
  escape_xml(out, it->v->log);
  fputs("replay: ", out);
  escape_xml(out, it->replay);
  fprintf(out, "</%s>\n", element);
}

static void testcase(FILE *out, const char *class_name, const struct report_item *it) {
  fputs("    <testcase", out);
  attribute(out, "classname", class_name);
  attribute(out, "name", it->id);
  fprintf(out, " time=\"%.3f\"", it->v->milliseconds / 1000);
  if (it->v->kind == V_PASS) {
    fputs("/>\n", out);
    return;
  }
  fputs(">\n", out);
  if (it->v->kind == V_SKIP) {
    fputs("      <skipped", out);
    attribute(out, "message", it->v->finding_count ? it->v->findings[0].message : "");
    fputs("/>\n", out);
  } else {
    fault(out, it->v->kind == V_INTERNAL ? "error" : "failure", it);
  }
  fputs("    </testcase>\n", out);
}

void report_junit_count(struct report_junit *t, const struct verdict *v) {
  t->tests++;
  t->seconds += v->milliseconds / 1000;
  if (v->kind == V_INTERNAL)
    t->errors++;
  else if (v->kind == V_SKIP)
    t->skipped++;
  else if (v->kind != V_PASS)
    t->failures++;
}

static void totals(FILE *out, const struct report_junit *t) {
  fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" time=\"%.3f\"", t->tests, t->failures,
          t->errors, t->seconds);
}

void report_junit_begin(FILE *out, const struct report_junit *t) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
  totals(out, t);
  fputs(">\n", out);
}

void report_junit_suite(FILE *out, const char *name, const struct report_item *items, u32 count) {
  struct report_junit t = {0};
  for (u32 i = 0; i < count; i++) report_junit_count(&t, items[i].v);
  fputs("  <testsuite", out);
  attribute(out, "name", name);
  totals(out, &t);
  fprintf(out, " skipped=\"%u\">\n", t.skipped);
  for (u32 i = 0; i < count; i++) testcase(out, name, &items[i]);
  fputs("  </testsuite>\n", out);
}

void report_junit_end(FILE *out) { fputs("</testsuites>\n", out); }

void junit_end(struct report *r) {
  struct report_junit t = {0};
  for (u32 i = 0; i < r->count; i++) report_junit_count(&t, r->items[i].v);
  report_junit_begin(r->style.out, &t);
  report_junit_suite(r->style.out, "warplings", r->items, r->count);
  report_junit_end(r->style.out);
}
