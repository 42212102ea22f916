/* text_finding.c - one finding in the text report: what, who, where, the source lines, what to try.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include "report/parts.h"

enum { USUAL_WIDTH = 96, LEAST_WIDTH = 30, STACK_SHOWN = 4, WAITS_LINES = 30 };
static const char indent[] = "          ";

/* Wraps at word ends. The first line is already begun, `margin` characters wide; the others are
 * indented by as much. */
void text_wrap(const struct report_style *s, size_t margin, const char *text) {
  FILE *out = s->out;
  size_t width = s->width ? s->width : USUAL_WIDTH, column = margin;
  if (width < margin + LEAST_WIDTH) width = margin + LEAST_WIDTH;
  bool empty = true;
  while (*text) {
    size_t n = strcspn(text, " \n");
    if (n && !empty && column + 1 + n > width) {
      fprintf(out, "\n%*s", (int)margin, "");
      column = margin;
      empty = true;
    }
    if (n && !empty) fputc(' ', out), column++;
    for (size_t i = 0; i < n; i++) fputc(iscntrl((unsigned char)text[i]) ? '?' : text[i], out);
    column += n;
    empty = empty && n == 0;
    text += n + (text[n] != 0);
  }
  fputc('\n', out);
}

void report_paragraph(const struct report_style *s, const char *label, const char *text) {
  fputs(label, s->out);
  text_wrap(s, strlen(label), text);
}

void text_object(FILE *out, const struct finding *f) {
  if (f->space[0]) fprintf(out, "%s ", f->space);
  fputs(f->object, out);
  if (f->index && f->index[0])
    fputs(f->index, out);
  else if (f->element >= 0)
    fprintf(out, "[%" PRId64 "]", f->element);
}

static void block_text(FILE *out, const u32 b[3]) {
  if (b[1] || b[2])
    fprintf(out, "(%u,%u,%u)", b[0], b[1], b[2]);
  else
    fprintf(out, "%u", b[0]);
}

static void excerpt(FILE *out, const char *file, u32 line) {
  char text[200];
  if (!source_line(file, line, text, sizeof text)) return;
  fprintf(out, "%s%u | ", indent, line);
  escape_text(out, text[0] ? text : " ", "", 1);
}

static void access_lines(FILE *out, const struct finding_access *a, bool with_thread) {
  bool placed = a->file && a->file[0];
  if (!placed && !with_thread) return;
  fputs(indent, out);
  if (placed && a->line)
    fprintf(out, "%s:%u", a->file, a->line);
  else if (placed)
    fputs(a->file, out);
  if (with_thread) {
    if (placed) fputs("  ", out);
    if (a->op && a->op[0]) fprintf(out, "%s by ", a->op);
    fprintf(out, "thread (%u,%u,%u) of block ", a->thread[0], a->thread[1], a->thread[2]);
    block_text(out, a->block);
    fprintf(out, ", warp %u", a->warp);
    if (a->others) fprintf(out, ", and %u more thread%s", a->others, a->others == 1 ? "" : "s");
  }
  fputc('\n', out);
  if (placed) excerpt(out, a->file, a->line);
  for (u32 i = 0; i < a->stack_count && i < STACK_SHOWN; i++) {
    const struct finding_place *p = &a->stack[i];
    if (!p->line) continue;
    fprintf(out, "%s  called from %s%s%s:%u\n", indent, p->function ? p->function : "",
            p->function && p->function[0] ? ", " : "", p->file ? p->file : "", p->line);
  }
}

static const char *label_of(const struct finding *f) {
  static char label[16];
  if (f->severity == SEVERITY_NOTE) return "note";
  if (f->kind == V_WRONG) return "values";
  if (f->kind == V_INTERNAL) return "suite";
  if (f->kind == V_COMPILE) return "build";
  snprintf(label, sizeof label, "%s", verdict_text(f->kind));
  for (char *p = label; *p; p++) *p = (char)tolower((unsigned char)*p);
  return label;
}

static void mark(const struct report_style *s, const struct finding *f) {
  const char *text = f->severity == SEVERITY_NOTE ? "note"
                     : f->kind == V_INTERNAL      ? "GAP "
                                                  : "FAIL";
  const char *color =
      f->severity == SEVERITY_NOTE || f->kind == V_INTERNAL ? "\033[33m" : "\033[31m";
  fprintf(s->out, "%s%s%s   ", s->color ? color : "", text, s->color ? "\033[0m" : "");
}

void text_finding(const struct report_style *s, const struct finding *f, const char *shape) {
  FILE *out = s->out;
  const char *label = label_of(f);
  fprintf(out, "  %-7s ", label);
  mark(s, f);
  bool scheduled = f->schedule && f->schedule[0];
  const char *comma = ", ";
  if (f->object[0])
    text_object(out, f);
  else if (f->kind == V_COMPILE)
    fputs("not accepted", out);
  else if (f->severity == SEVERITY_NOTE || f->kind == V_INTERNAL || !(shape[0] || scheduled))
    fputs(verdict_text(f->kind), out);
  else
    comma = ""; /* the label has said it */
  if (shape[0]) fprintf(out, "%sin shape %s", comma, shape), comma = ", ";
  if (scheduled) fprintf(out, "%sschedule %s, seed %" PRIu64, comma, f->schedule, f->seed);
  if (f->launch_index) fprintf(out, ", launch %u", f->launch_index + 1);
  fputc('\n', out);
  text_finding_below(s, f);
}

void text_finding_below(const struct report_style *s, const struct finding *f) {
  FILE *out = s->out;
  bool about_lines = f->kind == V_COMPILE || f->kind == V_INTERNAL || f->kind == V_RULE;
  for (u32 i = 0; i < f->access_count; i++)
    access_lines(out, &f->accesses[i], !about_lines || f->accesses[i].op[0]);
  report_paragraph(s, indent, f->message);
  if (f->waits[0]) escape_text(out, f->waits, indent, WAITS_LINES);
  if (f->repeats) fprintf(out, "%s(%u more with the same cause)\n", indent, f->repeats);
  if (f->suggestion[0]) report_paragraph(s, "          try: ", f->suggestion);
}

static bool editor_places(FILE *out, const struct finding *f) {
  bool any = false;
  for (u32 a = 0; a < f->access_count; a++) {
    const struct finding_access *at = &f->accesses[a];
    if (!at->file || !at->file[0] || !at->line) continue;
    bool first = a == 0 && f->severity == SEVERITY_ERROR;
    fprintf(out, "%s:%u: %s: %s: ", at->file, at->line, first ? "error" : "note",
            verdict_text(f->kind));
    escape_text(out, first || !at->op || !at->op[0] ? f->message : at->op, "", 1);
    any = true;
  }
  return any;
}

/* A wrong value has no line of its own: an editor shows it at the top of the file. */
void text_editor_lines(FILE *out, const struct report_item *it) {
  for (u32 i = 0; i < it->v->finding_count; i++) {
    const struct finding *f = &it->v->findings[i];
    if (editor_places(out, f) || f->severity != SEVERITY_ERROR || !it->path || !it->path[0])
      continue;
    fprintf(out, "%s:1: error: %s: ", it->path, verdict_text(f->kind));
    escape_text(out, f->message, "", 1);
  }
}
