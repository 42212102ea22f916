/* out_summary.c - the class in a few lines: how each puzzle went, and what most often went wrong.
 *
 * Two failures are the same usual one when verdict, object and kinds of access agree: lines and
 * numbers differ from student to student, the mistake does not. */
#include <stdlib.h>
#include <string.h>
#include "grade/out.h"

enum { TROUBLES = 12 };
struct usual {
  enum verdict_kind kind;
  const char *what;
  u32 count;
};

static const struct finding *deciding(const struct verdict *v) {
  for (u32 i = 0; i < v->finding_count; i++)
    if (v->findings[i].kind == v->kind && v->findings[i].severity == SEVERITY_ERROR)
      return &v->findings[i];
  return NULL;
}

static const char *what_of(struct arena *a, const struct outcome *o) {
  const struct finding *f = deciding(&o->v);
  if (o->v.evidence.hidden_failed) return "in a hidden case";
  if (o->v.kind == V_COMPILE || !f) return "";
  const char *object = f->object && *f->object ? f->object : "";
  if (f->access_count >= 2)
    return arena_printf(a, "%s%s%s against %s", object, *object ? ": " : "", f->accesses[0].op,
                        f->accesses[1].op);
  return object;
}

static int by_count(const void *a, const void *b) {
  const struct usual *x = a, *y = b;
  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  return strcmp(x->what, y->what);
}

static u32 gather(struct arena *a, const struct output *o, u32 puzzle, struct usual *list) {
  u32 n = 0;
  for (u32 i = 0; i < o->sheets->count; i++) {
    const struct mark *m = &o->sheets->list[i].marks[puzzle];
    u32 k = 0;
    if (m->outcome->missing || m->outcome->unfinished || m->outcome->v.kind == V_PASS) continue;
    const char *what = what_of(a, m->outcome);
    while (k < n && (list[k].kind != m->outcome->v.kind || strcmp(list[k].what, what) != 0)) k++;
    if (k == n) list[n++] = (struct usual){.kind = m->outcome->v.kind, .what = what};
    list[k].count++;
  }
  qsort(list, n, sizeof *list, by_count);
  return n;
}

/* Hand-ins that nothing, or not all, could be taken from. */
static void troubles(FILE *out, const struct output *o) {
  u32 n = 0;
  for (u32 i = 0; i < o->sheets->count; i++) {
    const struct sheet *s = &o->sheets->list[i];
    for (u32 k = 0; k < s->attempt_count; k++) {
      if (!*s->outcomes[k].problem || s->attempts[k] >= o->plan->count || n++ >= TROUBLES) continue;
      if (n == 1) fputs("Look at these:\n", out);
      fputs("  ", out);
      escape_tap(out, strrchr(o->plan->list[s->attempts[k]].path, '/') + 1);
      fputs(": ", out);
      escape_tap(out, s->outcomes[k].problem);
      fputc('\n', out);
    }
  }
  if (n > TROUBLES) fprintf(out, "  and %u more: see grades.csv\n", n - TROUBLES);
}

void out_summary(FILE *out, const struct output *o) {
  struct usual *list = NEWN(o->keep, struct usual, o->sheets->count + 1);
  double sum = 0;
  u32 open = 0;
  for (u32 i = 0; i < o->sheets->count; i++) {
    sum += o->sheets->list[i].score;
    open += o->sheets->list[i].open;
  }
  fprintf(out, "%u students, %u submissions, mean score %.2f\n", o->sheets->count, o->plan->count,
          o->sheets->count ? sum / o->sheets->count : 0);
  if (open)
    fprintf(out, "%u files could not be judged: see INTERNAL and SKIP in grades.csv\n", open);
  for (u32 k = 0; k < o->plan->course.count; k++) {
    struct arena a = {0};
    u32 solved = 0, handed = 0, n = gather(&a, o, k, list);
    for (u32 i = 0; i < o->sheets->count; i++) {
      const struct mark *m = &o->sheets->list[i].marks[k];
      handed += !m->outcome->missing;
      solved += !m->open && m->share >= 1;
    }
    fprintf(out, "%-28s %3u of %3u solved", out_puzzle(o, k), solved, handed);
    for (u32 i = 0; i < n && i < 3; i++) {
      fprintf(out, "%s %s in %u", i ? "," : ":", verdict_text(list[i].kind), list[i].count);
      if (*list[i].what) {
        fputs(" (", out);
        escape_tap(out, list[i].what);
        fputc(')', out);
      }
    }
    fputc('\n', out);
    arena_free(&a);
  }
  troubles(out, o);
}
