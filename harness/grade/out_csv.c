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

static bool ran_on_gpu(const struct mark *m) {
  const char *gpu = m->outcome->v.evidence.gpu;
  return gpu && *gpu && strncmp(gpu, "SKIP", 4) != 0;
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
  fprintf(f, "%.0f,vm+%s%s,%s,%s\n", m->outcome->v.milliseconds, ran_on_gpu(m) ? "gpu+" : "",
          grade_sandbox_name(o->plan->sandbox), s->outcomes[m->attempt].sha256, GRADER_VERSION);
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

/* ---- who solves a puzzle in the least time ---- */
struct place {
  const char *student;
  u64 steps, instructions; /* 0: this puzzle counts none */
  double gpu_ms;           /* 0: it did not run there */
};

/* A time on a GPU beats the machine's virtual one, which beats none. */
static int by_time(const struct place *x, const struct place *y) {
  if ((x->gpu_ms > 0) != (y->gpu_ms > 0)) return x->gpu_ms > 0 ? -1 : 1;
  if (x->gpu_ms < y->gpu_ms || x->gpu_ms > y->gpu_ms) return x->gpu_ms < y->gpu_ms ? -1 : 1;
  if (x->gpu_ms > 0) return 0;
  if (x->steps != y->steps) return x->steps < y->steps ? -1 : 1;
  if (x->instructions != y->instructions) return x->instructions < y->instructions ? -1 : 1;
  return 0;
}

static int by_time_then_name(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  int order = by_time(x, y);
  return order ? order : strcmp(x->student, y->student);
}

static u32 gather(const struct output *o, u32 k, struct place *list) {
  u32 n = 0;
  for (u32 i = 0; i < o->sheets->count; i++) {
    const struct sheet *s = &o->sheets->list[i];
    const struct verdict *v = &s->marks[k].outcome->v;
    if (s->marks[k].outcome->missing || v->kind != V_PASS) continue;
    struct place p = {.student = s->student, .gpu_ms = v->evidence.gpu_ms};
    if (v->has_counters) {
      p.steps = out_virtual_time(v);
      p.instructions = v->counters.warp_instructions;
    }
    if (v->has_counters || p.gpu_ms > 0) list[n++] = p;
  }
  qsort(list, n, sizeof *list, by_time_then_name);
  return n;
}

bool out_leaderboard(const struct output *o, struct diag *why) {
  char *temp;
  FILE *f = out_open(o->keep, o, "leaderboard.csv", &temp, why);
  struct place *list = NEWN(o->keep, struct place, o->sheets->count + 1);
  if (!f) return false;
  fputs("assignment,rank,student_id,virtual_time,warp_instructions,gpu_ms\n", f);
  for (u32 k = 0; k < o->plan->course.count; k++) {
    u32 n = gather(o, k, list);
    for (u32 i = 0, rank = 1; i < n; i++) {
      if (i && by_time(&list[i], &list[i - 1])) rank = i + 1;
      cell(f, out_puzzle(o, k));
      fprintf(f, "%u,", rank);
      cell(f, list[i].student);
      if (list[i].instructions)
        fprintf(f, "%llu,%llu,", (unsigned long long)list[i].steps,
                (unsigned long long)list[i].instructions);
      else
        fputs(",,", f);
      if (list[i].gpu_ms > 0) fprintf(f, "%.4f", list[i].gpu_ms);
      fputc('\n', f);
    }
  }
  return out_close(f, o, "leaderboard.csv", temp, why);
}
