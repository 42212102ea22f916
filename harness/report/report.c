/* report.c - the list of formats, and what all of them need. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "report/parts.h"

const struct report_format report_formats[] = {
    {"text", text_item, text_end, text_one},
    {"json", NULL, json_end, json_one},
    {"junit", NULL, junit_end, NULL},
    {"tap", NULL, tap_end, NULL},
};
const u32 report_format_count = COUNT_OF(report_formats);

bool report_format_find(const char *name, const struct report_format **out) {
  for (u32 i = 0; i < report_format_count; i++)
    if (strcmp(name, report_formats[i].name) == 0) {
      *out = &report_formats[i];
      return true;
    }
  return false;
}

void report_add(struct report *r, const struct report_format *f, const struct report_item *it) {
  r->items = base_grow(r->items, &r->cap, r->count + 1u, sizeof *r->items);
  r->items[r->count++] = *it;
  if (it->v->kind == V_PASS) r->passed++;
  if (f->item) f->item(r, it);
}

void report_end(struct report *r, const struct report_format *f) {
  if (f->end) f->end(r);
}

void report_free(struct report *r) {
  source_forget();
  free(r->items);
  r->items = NULL;
}

int report_exit(enum verdict_kind k) {
  if (k == V_PASS || k == V_SKIP) return 0;
  return k == V_INTERNAL ? 2 : 1;
}

const struct finding *report_reason(const struct verdict *v) {
  for (u32 i = 0; i < v->finding_count; i++)
    if (v->findings[i].kind == v->kind && v->findings[i].severity == SEVERITY_ERROR)
      return &v->findings[i];
  return NULL;
}

bool report_use_color(FILE *out) {
  const char *no = getenv("NO_COLOR");
  return isatty(fileno(out)) && !(no && *no);
}

void report_progress(FILE *out, bool color, u32 solved, u32 total) {
  enum { WIDTH = 20 };
  u32 full = total ? solved * WIDTH / total : 0;
  fprintf(out, "  Progress: %s[", color ? "\033[32m" : "");
  for (u32 i = 0; i < WIDTH; i++)
    fputc(i < full ? '#' : i == full && solved < total ? '>' : '-', out);
  fprintf(out, "]%s  %u/%u", color ? "\033[0m" : "", solved, total);
}
