/* junit.c - JUnit XML: the learner's faults are failures, the suite's own are errors, skips are
 * skipped. Written so that the schemas of Ant's reports and of Jenkins' plugin both accept it: that
 * is why the outermost element has no totals, and why suites have empty streams at their ends. */
#include <string.h>
#include <time.h>
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

struct totals {
  u32 tests, failures, errors, skipped;
  double seconds;
};
static void add(struct totals *t, const struct verdict *v) {
  t->tests++;
  t->seconds += v->milliseconds / 1000;
  if (v->kind == V_INTERNAL)
    t->errors++;
  else if (v->kind == V_SKIP)
    t->skipped++;
  else if (v->kind != V_PASS)
    t->failures++;
}

void report_junit_begin(FILE *out) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
}

/* Both schemas ask for a host; which one it was is nobody's business. */
void report_junit_suite(FILE *out, const struct report_junit *s, const struct report_item *items,
                        u32 count) {
  struct totals t = {0};
  char when[32] = "1970-01-01T00:00:00";
  struct tm parts;
  time_t at = (time_t)s->time;
  if (gmtime_r(&at, &parts)) strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &parts);
  for (u32 i = 0; i < count; i++) add(&t, items[i].v);
  fputs("  <testsuite", out);
  attribute(out, "name", s->name[strspn(s->name, " \t\r\n")] ? s->name : "?");
  fprintf(out, " package=\"warplings\" id=\"%u\" timestamp=\"%s\" hostname=\"localhost\"",
          s->number, when);
  fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n",
          t.tests, t.failures, t.errors, t.skipped, t.seconds);
  fputs("    <properties>\n", out);
  for (u32 i = 0; i < s->property_count; i++) {
    fputs("      <property", out);
    attribute(out, "name", s->properties[i][0]);
    attribute(out, "value", s->properties[i][1]);
    fputs("/>\n", out);
  }
  fputs("    </properties>\n", out);
  for (u32 i = 0; i < count; i++) testcase(out, s->name, &items[i]);
  fputs("    <system-out/>\n    <system-err/>\n  </testsuite>\n", out);
}

void report_junit_end(FILE *out) { fputs("</testsuites>\n", out); }

void junit_end(struct report *r) {
  struct report_junit s = {.name = "warplings", .time = (i64)time(NULL)};
  report_junit_begin(r->style.out);
  report_junit_suite(r->style.out, &s, r->items, r->count);
  report_junit_end(r->style.out);
}
