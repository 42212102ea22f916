/* out_tests.c - the class as JUnit XML (a suite for each student) and as TAP: report/'s writers. */
#include "grade/out.h"

bool out_junit(const struct output *o, struct diag *why) {
  char *temp;
  FILE *f = out_open(o->keep, o, "junit.xml", &temp, why);
  struct report_item *items = NEWN(o->keep, struct report_item, o->plan->course.count);
  const char *properties[][2] = {{"sandbox", grade_sandbox_name(o->plan->sandbox)},
                                 {"suite", o->plan->suite},
                                 {"gpu", out_gpu(o)}};
  if (!f) return false;
  report_junit_begin(f);
  for (u32 i = 0; i < o->sheets->count; i++) {
    struct arena a = {0};
    const struct sheet *s = &o->sheets->list[i];
    struct report_junit suite = {.name = s->student,
                                 .number = i,
                                 .time = s->time,
                                 .properties = properties,
                                 .property_count = out_gpu(o) ? 3 : 2};
    for (u32 k = 0; k < o->plan->course.count; k++)
      out_item(&a, o, k, s->marks[k].outcome, &items[k]);
    report_junit_suite(f, &suite, items, o->plan->course.count);
    arena_free(&a);
  }
  report_junit_end(f);
  return out_close(f, o, "junit.xml", temp, why);
}

bool out_tap(const struct output *o, struct diag *why) {
  char *temp;
  FILE *f = out_open(o->keep, o, "results.tap", &temp, why);
  u32 number = 0;
  if (!f) return false;
  report_tap_begin(f, o->sheets->count * o->plan->course.count);
  fprintf(f, "# sandbox: %s\n", grade_sandbox_name(o->plan->sandbox));
  if (out_gpu(o)) {
    fputs("# gpu: ", f);
    escape_tap(f, out_gpu(o));
    fputc('\n', f);
  }
  for (u32 i = 0; i < o->sheets->count; i++) {
    struct arena a = {0};
    const struct sheet *s = &o->sheets->list[i];
    for (u32 k = 0; k < o->plan->course.count; k++) {
      struct report_item it;
      out_item(&a, o, k, s->marks[k].outcome, &it);
      report_tap_point(f, ++number, arena_printf(&a, "%s / %s", s->student, it.id), &it);
    }
    arena_free(&a);
  }
  return out_close(f, o, "results.tap", temp, why);
}
