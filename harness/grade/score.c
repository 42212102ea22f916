/* score.c - verdicts to marks: what a kernel earns, what lateness takes, which attempt counts.
 * Every mark carries the line that explains it. Reads no files but the tasks' results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "grade/grade.h"

/* ---- one verdict ---- */
static double share_of(const struct course_puzzle *z, const struct outcome *o) {
  const struct verdict *v = &o->v;
  if (v->kind == V_PASS) return 1;
  if (v->evidence.hidden_failed) return 1 - z->hidden;
  if (v->kind == V_RACE && v->evidence.values_right) return z->race;
  if (v->kind == V_RULE && v->evidence.values_right) return z->rule;
  return 0;
}

static const char *share_why(struct arena *a, const struct course_puzzle *z,
                             const struct outcome *o, double share) {
  const struct verdict *v = &o->v;
  const char *kind = verdict_text(v->kind);
  if (v->kind == V_PASS) return "solved: right values, no race, under every schedule";
  if (v->evidence.hidden_failed)
    return share > 0
               ? arena_printf(a, "passes every case on show, %s in a hidden one: %.4g%% of %.4g",
                              kind, share * 100, z->points)
               : arena_printf(a, "passes every case on show, but %s in a hidden one", kind);
  if (share > 0)
    return arena_printf(a, "%s, but all values are right: %.4g%% of %.4g", kind, share * 100,
                        z->points);
  return arena_printf(a, "%s", kind);
}

/* ---- lateness ---- */
static i64 deadline_of(const struct plan *p, const struct student *row,
                       const struct course_puzzle *z) {
  if (row && row->deadline) return row->deadline;
  return z->deadline ? z->deadline : p->course.deadline;
}

/* The share of the points that is lost; days: how many have begun. */
static double lateness(const struct course *c, i64 deadline, i64 time, i64 *days) {
  *days = 0;
  if (!deadline || time <= deadline) return 0;
  *days = (time - deadline + 86399) / 86400;
  if ((double)*days > c->late_days_max) return 1;
  double lost = c->late_per_day * (double)*days;
  return lost < 1 ? lost : 1;
}

/* To a ten-thousandth: sums do not depend on how a machine rounds. */
static double rounded(double v) { return floor(v * 10000 + 0.5) / 10000; }

void score_share(struct arena *keep, const struct plan *p, const struct student *row,
                 const struct course_puzzle *z, double share, i64 time, const char *why,
                 struct mark *m) {
  i64 days;
  double lost = lateness(&p->course, deadline_of(p, row, z), time, &days);
  m->share = share;
  m->most = z->points;
  m->open = false;
  m->lost = rounded(z->points * share * lost);
  m->points = rounded(z->points * share) - m->lost;
  m->why = why;
  if (days && share > 0)
    m->why = arena_printf(keep, "%s; %lld day%s late: %.4g%% less", why, (long long)days,
                          days == 1 ? "" : "s", lost * 100);
}

void score_mark(struct arena *keep, const struct plan *p, const struct student *row,
                const struct course_puzzle *z, const struct outcome *o, i64 time, struct mark *m) {
  *m = (struct mark){.outcome = o, .most = z->points, .why = "no file for this puzzle"};
  if (o->missing) return;
  if (o->unfinished || o->v.kind == V_INTERNAL || o->v.kind == V_SKIP) {
    m->open = true;
    m->why = "could not be judged: it costs nothing, your instructor has to look";
    return;
  }
  double share = share_of(z, o);
  const char *why = share_why(keep, z, o, share);
  if (*o->v.evidence.gpu) why = arena_printf(keep, "%s; GPU: %s", why, o->v.evidence.gpu);
  score_share(keep, p, row, z, share, time, why, m);
}

/* ---- what a student may read ---- */
bool score_shows(const struct outcome *o) {
  return !o->missing && !o->unfinished && !o->v.evidence.hidden_failed;
}

const char *score_reason(struct arena *keep, const struct outcome *o) {
  const struct verdict *v = &o->v;
  const struct finding *f = NULL;
  if (o->missing) return "not handed in";
  if (o->unfinished) return "not judged yet";
  if (v->kind == V_PASS) return "";
  if (v->evidence.hidden_failed) return "a case that is not shown fails";
  for (u32 i = 0; i < v->finding_count && !f; i++)
    if (v->findings[i].kind == v->kind && v->findings[i].severity == SEVERITY_ERROR)
      f = &v->findings[i];
  if (!f) return "";
  if (f->access_count && f->accesses[0].line)
    return arena_printf(keep, "line %u: %s", f->accesses[0].line, f->message);
  return f->message;
}

/* ---- students ---- */
void score_sum(struct sheet *s, const struct plan *p) {
  s->score = s->most = s->lost = 0;
  s->open = s->passed = 0;
  for (u32 i = 0; i < p->course.count; i++) {
    const struct mark *m = &s->marks[i];
    s->open += m->open;
    s->passed += !m->open && m->share >= 1;
    if (m->open) continue;
    s->score += m->points;
    s->lost += m->lost;
    if (!p->course.puzzles[i].bonus) s->most += m->most;
  }
  s->score = rounded(s->score);
  s->lost = rounded(s->lost);
}

static const struct plan *sorting;
static int by_student(const void *a, const void *b) {
  const struct submission *x = &sorting->list[*(const u32 *)a],
                          *y = &sorting->list[*(const u32 *)b];
  int order = strcmp(x->student, y->student);
  if (order) return order;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return strcmp(x->path, y->path);
}

/* Attempts stand in order of time: the last one is the latest. */
static void choose(struct arena *keep, const struct plan *p, struct sheet *s, u32 i) {
  const struct course_puzzle *z = &p->course.puzzles[i];
  u32 first = p->course.best ? 0 : s->attempt_count - 1;
  for (u32 a = first; a < s->attempt_count; a++) {
    struct mark m;
    score_mark(keep, p, s->row, z, &s->outcomes[a].list[i], p->list[s->attempts[a]].time, &m);
    m.attempt = a;
    if (m.outcome->missing && *s->outcomes[a].problem) m.why = s->outcomes[a].problem;
    const struct mark *old = &s->marks[i];
    /* A file beats none, a judged one one that is open, more points fewer. */
    bool better = a == first || (old->outcome->missing && !m.outcome->missing) ||
                  (old->open && !m.open && m.points > 0) || (!m.open && m.points > old->points);
    if (better) s->marks[i] = m;
  }
}

static void fill(struct arena *keep, const struct plan *p, const struct roster *r,
                 const char *out_dir, struct sheet *s) {
  const struct submission *first = &p->list[s->attempts[0]];
  s->student = first->student;
  s->key = first->key;
  s->row = roster_find(r, s->student);
  s->time = p->list[s->attempts[s->attempt_count - 1]].time;
  s->outcomes = NEWN(keep, struct outcomes, s->attempt_count);
  s->marks = NEWN(keep, struct mark, p->course.count);
  for (u32 a = 0; a < s->attempt_count; a++)
    if (s->attempts[a] >= p->count) {
      task_nothing(keep, p, &s->outcomes[a]);
      s->outcomes[a].problem = "nothing was handed in";
    } else if (!task_outcomes(keep, p, s->attempts[a], out_dir, &s->outcomes[a])) {
      /* One submission that defeats the grader must not cost the others their marks. */
      s->outcomes[a].problem = "the grader failed on this submission: its own fault, not yours";
      snprintf(s->outcomes[a].sha256, sizeof s->outcomes[a].sha256, "unknown");
      for (u32 i = 0; i < p->course.count; i++) {
        s->outcomes[a].list[i].missing = false;
        s->outcomes[a].list[i].unfinished = true;
      }
    }
  for (u32 i = 0; i < p->course.count; i++) choose(keep, p, s, i);
  score_sum(s, p);
}

void score_all(struct arena *keep, const struct plan *p, const struct roster *r,
               const char *out_dir, struct sheets *out) {
  u32 all = p->count + p->absent, *order = NEWN(keep, u32, all);
  for (u32 i = 0; i < all; i++) order[i] = i;
  sorting = p;
  qsort(order, all, sizeof *order, by_student);
  out->list = NEWN(keep, struct sheet, all);
  out->count = 0;
  for (u32 i = 0; i < all;) {
    struct sheet *s = &out->list[out->count++];
    u32 n = 1;
    while (i + n < all && strcmp(p->list[order[i]].student, p->list[order[i + n]].student) == 0)
      n++;
    s->attempts = &order[i];
    s->attempt_count = n;
    fill(keep, p, r, out_dir, s);
    i += n;
  }
}
