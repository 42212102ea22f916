/* out_html.c - a page for the class and one for each student. Plain HTML with its own style, no
 * script, nothing fetched; wide enough tables scroll by themselves on a phone. All text goes
 * through escape_xml. */
#include <stdlib.h>
#include <string.h>
#include "grade/out.h"

static const char style[] =
    "<style>\n"
    "body{font:16px/1.45 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem;"
    "color:#1b1b1b;background:#fff}\n"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin:1.6rem 0 .3rem}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse}\n"
    "th,td{padding:.25rem .6rem;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".pass{color:#10662a}.fail{color:#9b1c1c}.open{color:#6b4a00}.small{color:#555;font-size:.9rem}"
    "\n"
    "pre{overflow-x:auto;background:#f4f4f4;padding:.6rem;font-size:.85rem}\n"
    "h1,h2,p,li,td{overflow-wrap:anywhere}td.pass,td.fail,td.open{overflow-wrap:normal;"
    "white-space:nowrap}\n"
    "@media (prefers-color-scheme:dark){body{background:#161616;color:#e6e6e6}"
    "th,td{border-color:#3a3a3a}pre{background:#242424}.pass{color:#7fd99a}.fail{color:#ff9a9a}"
    ".open{color:#ffd27a}.small{color:#aaa}a{color:#9ecbff}}\n"
    "</style>\n";

static void head(FILE *f, const char *title) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>",
        f);
  escape_xml(f, title);
  fprintf(f, "</title>\n%s</head>\n<body>\n<h1>", style);
  escape_xml(f, title);
  fputs("</h1>\n", f);
}

static void paragraph(FILE *f, const char *class_name, const char *text) {
  fprintf(f, "<p%s%s%s>", *class_name ? " class=\"" : "", class_name, *class_name ? "\"" : "");
  escape_xml(f, text);
  fputs("</p>\n", f);
}

static void foot(FILE *f, const struct output *o) {
  fputs("<p class=\"small\">Sandbox: ", f);
  escape_xml(f, grade_sandbox_words(o->plan->sandbox));
  if (out_gpu(o)) {
    fputs(". GPU: ", f);
    escape_xml(f, out_gpu(o));
  }
  fprintf(f, ". Suite %.12s.</p>\n</body>\n</html>\n", o->plan->suite);
}

static const char *class_of(const struct mark *m) {
  return m->open ? "open" : m->share >= 1 ? "pass" : "fail";
}

static const char *short_verdict(const struct mark *m) {
  return m->outcome->missing      ? "-"
         : m->outcome->unfinished ? "?"
                                  : verdict_text(m->outcome->v.kind);
}

/* ---- a student ---- */
static void finding(FILE *f, const struct finding *x) {
  fprintf(f, "<li><b>%s%s</b> ", verdict_text(x->kind),
          x->severity == SEVERITY_NOTE ? " (note)" : "");
  escape_xml(f, x->message);
  for (u32 i = 0; i < x->access_count; i++) {
    const struct finding_access *a = &x->accesses[i];
    if (!a->line) continue;
    fputs("<br><code>", f);
    escape_xml(f, a->file ? a->file : "");
    fprintf(f, ":%u</code> ", a->line);
    escape_xml(f, a->op ? a->op : "");
    if (x->kind != V_COMPILE)
      fprintf(f, " by thread (%u,%u,%u) of block (%u,%u,%u)", a->thread[0], a->thread[1],
              a->thread[2], a->block[0], a->block[1], a->block[2]);
  }
  if (x->waits && *x->waits) {
    fputs("<pre>", f);
    escape_xml(f, x->waits);
    fputs("</pre>", f);
  }
  if (x->suggestion && *x->suggestion) {
    fputs("<br>", f);
    escape_xml(f, x->suggestion);
  }
  fputs("</li>\n", f);
}

static void puzzle(FILE *f, struct arena *a, const struct output *o, const struct sheet *s, u32 i) {
  const struct mark *m = &s->marks[i];
  struct verdict v;
  out_verdict(a, m->outcome, &v);
  fprintf(f, "<h2 id=\"%s\">", out_puzzle(o, i));
  escape_xml(f, out_puzzle(o, i));
  fprintf(f, " <span class=\"%s\">%s</span></h2>\n", class_of(m), short_verdict(m));
  if (m->open)
    paragraph(f, "", m->why);
  else
    paragraph(f, "", arena_printf(a, "%.4g of %.4g points: %s.", m->points, m->most, m->why));
  if (m->outcome->missing || v.kind == V_PASS) return;
  fputs("<ul>\n", f);
  for (u32 k = 0; k < v.finding_count && k < 10; k++) finding(f, &v.findings[k]);
  fputs("</ul>\n", f);
  if (score_shows(m->outcome) && v.kind == V_COMPILE && *v.log) {
    fputs("<pre>", f);
    escape_xml(f, arena_printf(a, "%.8000s", v.log));
    fputs("</pre>\n", f);
  }
  if (!m->open)
    paragraph(f, "small",
              arena_printf(a, "To see it yourself: make check P=%.*s",
                           (int)strcspn(out_puzzle(o, i), "_"), out_puzzle(o, i)));
}

static bool student_page(const struct output *o, const struct sheet *s, struct diag *why) {
  struct arena a = {0};
  char *temp, time[32];
  const char *name = arena_printf(&a, "html/%s.html", s->key);
  FILE *f = out_open(&a, o, name, &temp, why);
  if (!f) return arena_free(&a), false;
  head(f, arena_printf(&a, "%s: %s", o->plan->course.title, s->student));
  course_time_text(s->time, time);
  paragraph(f, "",
            arena_printf(
                &a, "%.4f of %.4f points, %u of %u puzzles solved%s. Handed in %s%s.", s->score,
                s->most, s->passed, o->plan->course.count,
                s->lost > 0 ? arena_printf(&a, ", %.4f lost to lateness", s->lost) : "", time,
                s->attempt_count > 1 ? arena_printf(&a, " (%u attempts)", s->attempt_count) : ""));
  for (u32 k = 0; k < s->attempt_count; k++)
    if (*s->outcomes[k].problem) paragraph(f, "fail", s->outcomes[k].problem);
  for (u32 i = 0; i < o->plan->course.count; i++) puzzle(f, &a, o, s, i);
  foot(f, o);
  bool ok = out_close(f, o, name, temp, why);
  arena_free(&a);
  return ok;
}

/* ---- the class ---- */
static void class_table(FILE *f, const struct output *o) {
  fputs("<div class=\"scroll\"><table>\n<tr><th>Student</th><th class=\"n\">Score</th>"
        "<th class=\"n\">Solved</th>",
        f);
  for (u32 k = 0; k < o->plan->course.count; k++)
    fprintf(f, "<th title=\"%s\">%.*s</th>", out_puzzle(o, k), (int)strcspn(out_puzzle(o, k), "_"),
            out_puzzle(o, k));
  fputs("</tr>\n", f);
  for (u32 i = 0; i < o->sheets->count; i++) {
    const struct sheet *s = &o->sheets->list[i];
    fprintf(f, "<tr><td><a href=\"%s.html\">", s->key);
    escape_xml(f, s->student);
    fprintf(f, "</a></td><td class=\"n\">%.2f / %.2f</td><td class=\"n\">%u</td>", s->score,
            s->most, s->passed);
    for (u32 k = 0; k < o->plan->course.count; k++)
      fprintf(f, "<td class=\"%s\">%s</td>", class_of(&s->marks[k]), short_verdict(&s->marks[k]));
    fputs("</tr>\n", f);
  }
  fputs("</table></div>\n", f);
}

static bool class_page(const struct output *o, struct diag *why) {
  char *temp;
  FILE *f = out_open(o->keep, o, "html/index.html", &temp, why);
  char *text = NULL;
  size_t size = 0;
  if (!f) return false;
  head(f, o->plan->course.title);
  FILE *memory = open_memstream(&text, &size);
  if (memory) {
    out_summary(memory, o);
    fclose(memory);
    fputs("<pre>", f);
    escape_xml(f, text);
    fputs("</pre>\n", f);
    free(text);
  }
  class_table(f, o);
  foot(f, o);
  return out_close(f, o, "html/index.html", temp, why);
}

bool out_html(const struct output *o, struct diag *why) {
  if (!dir_make(arena_printf(o->keep, "%s/html", o->out_dir), why) || !class_page(o, why))
    return false;
  for (u32 i = 0; i < o->sheets->count; i++)
    if (!student_page(o, &o->sheets->list[i], why)) return false;
  return true;
}
