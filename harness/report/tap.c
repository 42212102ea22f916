/* tap.c - TAP 14: one test point for each puzzle, the reason in its YAML block. */
#include "report/parts.h"

void tap_end(struct report *r) {
  FILE *out = r->style.out;
  fprintf(out, "TAP version 14\n1..%u%s\n", r->count, r->count ? "" : " # SKIP no puzzles");
  for (u32 i = 0; i < r->count; i++) {
    const struct report_item *it = &r->items[i];
    const struct finding *f = report_reason(it->v);
    bool ok = it->v->kind == V_PASS || it->v->kind == V_SKIP;
    fprintf(out, "%s %u - ", ok ? "ok" : "not ok", i + 1);
    escape_tap(out, it->id);
    if (it->v->kind == V_SKIP) {
      fputs(" # SKIP ", out);
      escape_tap(out, it->v->finding_count ? it->v->findings[0].message : "");
    }
    fputc('\n', out);
    if (ok) continue;
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
}
