/* out_csv.c - marks as CSV: one line for each student and puzzle under nbgrader's column names, and
 * a matrix of students and puzzles; a leaderboard. */
#include <stdlib.h>
#include <string.h>
#include "grade/out.h"

#define GRADER_VERSION "warplings 0.1"

static void cell(FILE *f, const char *text) {
  escape_csv(f, text);
  fputc(',', f);
}

static void line(FILE *f, struct arena *a, const struct output *o, const struct sheet *s, u32 i) {
  const struct course *c = &o->plan->course;
  const struct course_puzzle *z = &c->puzzles[i];
  const struct mark *m = &s->marks[i];
  const struct student *row = s->row;
  char due[32], time[32];
  i64 deadline = row && row->deadline ? row->deadline : z->deadline ? z->deadline : c->deadline;
  course_time_text(deadline, due);
  course_time_text(o->plan->list[s->attempts[m->attempt]].time, time);
  cell(f, out_puzzle(o, i));
  cell(f, due);
  cell(f, time);
  cell(f, s->student);
  cell(f, row ? row->last_name : "");
  cell(f, row ? row->first_name : "");
  cell(f, row ? row->email : "");
  if (m->open)
    fputs(",,,", f); /* no mark is no zero */
  else
    fprintf(f, "%.4f,%.4f,%.4f,", m->points + m->lost, m->lost, m->points);
  fprintf(f, "%.4f,", m->most);
  cell(f, m->outcome->missing ? "SKIP" : verdict_text(m->outcome->v.kind));
  const char *reason = score_reason(a, m->outcome);
  cell(f, *reason ? arena_printf(a, "%s; %s", m->why, reason) : m->why);
  fprintf(f, "%.0f,vm+%s,%s,%s\n", m->outcome->v.milliseconds, grade_sandbox_name(o->plan->sandbox),
          s->outcomes[m->attempt].sha256, GRADER_VERSION);
}

bool out_csv(const struct output *o, struct diag *why) {
  char *temp;
  FILE *f = out_open(o->keep, o, "grades.csv", &temp, why);
  if (!f) return false;
  fputs("assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,"
        "late_submission_penalty,score,max_score,verdict,reason,wall_ms,backend,"
        "submission_sha256,grader_version\n",
        f);
  for (u32 i = 0; i < o->sheets->count; i++) {
    struct arena a = {0};
    for (u32 k = 0; k < o->plan->course.count; k++) line(f, &a, o, &o->sheets->list[i], k);
    arena_free(&a);
  }
  return out_close(f, o, "grades.csv", temp, why);
}

bool out_matrix(const struct output *o, struct diag *why) {
  char *temp;
  FILE *f = out_open(o->keep, o, "matrix.csv", &temp, why);
  if (!f) return false;
  cell(f, "student_id");
  for (u32 k = 0; k < o->plan->course.count; k++) cell(f, out_puzzle(o, k));
  fputs("score,max_score,not_judged\n", f);
  for (u32 i = 0; i < o->sheets->count; i++) {
    const struct sheet *s = &o->sheets->list[i];
    cell(f, s->student);
    for (u32 k = 0; k < o->plan->course.count; k++)
      if (s->marks[k].open)
        fputc(',', f);
      else
        fprintf(f, "%.4f,", s->marks[k].points);
    fprintf(f, "%.4f,%.4f,%u\n", s->score, s->most, s->open);
  }
  return out_close(f, o, "matrix.csv", temp, why);
}

/* ---- who solves a puzzle in the least virtual time ---- */
struct place {
  const char *student;
  u64 steps, instructions;
};

static int by_steps(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  if (x->steps != y->steps) return x->steps < y->steps ? -1 : 1;
  if (x->instructions != y->instructions) return x->instructions < y->instructions ? -1 : 1;
  return strcmp(x->student, y->student);
}

bool out_leaderboard(const struct output *o, struct diag *why) {
  char *temp;
  FILE *f = out_open(o->keep, o, "leaderboard.csv", &temp, why);
  struct place *list = NEWN(o->keep, struct place, o->sheets->count + 1);
  if (!f) return false;
  fputs("assignment,rank,student_id,virtual_time,warp_instructions\n", f);
  for (u32 k = 0; k < o->plan->course.count; k++) {
    u32 n = 0;
    for (u32 i = 0; i < o->sheets->count; i++) {
      const struct sheet *s = &o->sheets->list[i];
      const struct verdict *v = &s->marks[k].outcome->v;
      if (s->marks[k].outcome->missing || v->kind != V_PASS || !v->has_counters) continue;
      u64 time = v->counters.makespan ? v->counters.makespan : v->counters.steps;
      list[n++] = (struct place){s->student, time, v->counters.warp_instructions};
    }
    qsort(list, n, sizeof *list, by_steps);
    for (u32 i = 0, rank = 1; i < n; i++) {
      if (i && by_steps(&list[i], &list[i - 1]) &&
          (list[i].steps != list[i - 1].steps || list[i].instructions != list[i - 1].instructions))
        rank = i + 1;
      cell(f, out_puzzle(o, k));
      fprintf(f, "%u,", rank);
      cell(f, list[i].student);
      fprintf(f, "%llu,%llu\n", (unsigned long long)list[i].steps,
              (unsigned long long)list[i].instructions);
    }
  }
  return out_close(f, o, "leaderboard.csv", temp, why);
}
