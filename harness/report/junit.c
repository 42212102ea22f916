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

static void testcase(FILE *out, const struct report_item *it) {
  fputs("    <testcase classname=\"warplings\"", out);
  attribute(out, "name", it->id);
  attribute(out, "file", it->path);
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

void junit_end(struct report *r) {
  FILE *out = r->style.out;
  u32 failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  for (u32 i = 0; i < r->count; i++) {
    enum verdict_kind k = r->items[i].v->kind;
    seconds += r->items[i].v->milliseconds / 1000;
    if (k == V_INTERNAL)
      errors++;
    else if (k == V_SKIP)
      skipped++;
    else if (k != V_PASS)
      failures++;
  }
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
  fprintf(out,
          "<testsuites tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n",
          r->count, failures, errors, skipped, seconds);
  fprintf(out,
          "  <testsuite name=\"warplings\" tests=\"%u\" failures=\"%u\" errors=\"%u\" "
          "skipped=\"%u\" time=\"%.3f\">\n",
          r->count, failures, errors, skipped, seconds);
  for (u32 i = 0; i < r->count; i++) testcase(out, &r->items[i]);
  fputs("  </testsuite>\n</testsuites>\n", out);
}
