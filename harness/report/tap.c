/* tap.c - TAP 14: one test point for each puzzle, the reason in its YAML block. */
#include "report/parts.h"

void report_tap_begin(FILE *out, u32 count) {
  fprintf(out, "TAP version 14\n1..%u%s\n", count, count ? "" : " # SKIP no puzzles");
}

void report_tap_point(FILE *out, u32 number, const char *name, const struct report_item *it) {
  const struct finding *f = report_reason(it->v);
  bool ok = it->v->kind == V_PASS || it->v->kind == V_SKIP;
  fprintf(out, "%s %u - ", ok ? "ok" : "not ok", number);
  escape_tap(out, name);
  if (it->v->kind == V_SKIP) {
    fputs(" # SKIP ", out);
    escape_tap(out, it->v->finding_count ? it->v->findings[0].message : "");
  }
  fputc('\n', out);
  if (ok) return;
  /* JSON strings are YAML strings. */
  fprintf(out, "  ---\n  verdict: %s\n  message: ", verdict_text(it->v->kind));
  escape_json(out, f ? f->message : "");
  if (f && f->access_count && f->accesses[0].line) {
    fputs("\n  at:\n    file: ", out);
    escape_json(out, f->accesses[0].file ? f->accesses[0].file : "");
    fprintf(out, "\n    line: %u", f->accesses[0].line);
  }
  fputs("\n  replay: ", out);
  escape_json(out, it->replay);
  fputs("\n  ...\n", out);
}

void tap_end(struct report *r) {
  report_tap_begin(r->style.out, r->count);
  for (u32 i = 0; i < r->count; i++)
    report_tap_point(r->style.out, i + 1, r->items[i].id, &r->items[i]);
}
