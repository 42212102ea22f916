/* course.c - the course file: lines of words, read strictly; and the roster. What counts and how
 * much; how marks follow from that is score.c's.
 *
 *   title      Parallel programming, sheet 3
 *   secret     any words: every hidden size and seed follows from them
 *   deadline   2026-11-02T23:59
 *   late       10% a day, 3 days
 *   attempts   best | latest
 *   hidden     3                     hidden cases of each puzzle
 *   compiler   auto | nvrtc | clang
 *   roster     students.csv          beside this file
 *   puzzle     07 points=10 race=50% rule=25% hidden=30% deadline=2026-11-09T23:59 bonus
 *   all        points=1 race=0%      defaults for the puzzle lines below; without any: every puzzle
 * A # begins a comment. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "grade/grade.h"

enum { HIDDEN_DEFAULT = 3, HIDDEN_MAX = 32 };

bool course_time(const char *text, i64 *out) {
  static const char *const forms[] = {"%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%MZ",
                                      "%Y-%m-%dT%H:%M", "%Y-%m-%d"};
  for (size_t i = 0; i < COUNT_OF(forms); i++) {
    struct tm t = {0};
    const char *end = strptime(text, forms[i], &t);
    if (!end || *end) continue;
    if (i == COUNT_OF(forms) - 1) t.tm_hour = 23, t.tm_min = 59, t.tm_sec = 59;
    time_t v = timegm(&t);
    if (v <= 0) return false;
    *out = (i64)v;
    return true;
  }
  return false;
}

void course_time_text(i64 t, char out[32]) {
  struct tm parts;
  time_t v = (time_t)t;
  out[0] = 0;
  if (t && gmtime_r(&v, &parts)) strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

struct reading {
  struct arena *keep;
  struct course *c;
  const char *path;
  u32 line;
  struct course_puzzle usual; /* of the lines below `all` */
  struct diag *why;
};

static bool wrong(struct reading *r, const char *what, str got) {
  diag_at(r->why, r->path, r->line, 0, "%s, not '" STR_F "'", what, STR_A(got));
  diag_next(r->why, "docs/instructor.md describes the course file");
  return false;
}

static str word(str *rest) {
  *rest = str_trim(*rest);
  size_t n = 0;
  while (n < rest->n && !isspace((unsigned char)rest->p[n])) n++;
  str w = {rest->p, n};
  *rest = (str){rest->p + n, rest->n - n};
  return w;
}

static bool number(struct arena *a, str text, double max, double *out) {
  const char *z = str_copy(a, text).p;
  char *end;
  if (!isdigit((unsigned char)*z)) return false;
  double v = strtod(z, &end);
  if (*end || !(v >= 0) || v > max) return false;
  *out = v;
  return true;
}

/* "50%" -> 0.5; at most 100%. */
static bool percent(struct arena *a, str text, double *out) {
  if (text.n < 2 || text.p[text.n - 1] != '%') return false;
  text.n--;
  if (!number(a, text, 100, out)) return false;
  *out /= 100;
  return true;
}

static bool setting(struct reading *r, str w, struct course_puzzle *p) {
  const char *equals = memchr(w.p, '=', w.n);
  str key = {w.p, equals ? (size_t)(equals - w.p) : w.n};
  str value = equals ? (str){equals + 1, w.n - key.n - 1} : (str){"", 0};
  if (str_eqz(key, "points"))
    return number(r->keep, value, 1e6, &p->points) || wrong(r, "points is a number", value);
  if (str_eqz(key, "race"))
    return percent(r->keep, value, &p->race) || wrong(r, "race is a percentage like 50%", value);
  if (str_eqz(key, "rule"))
    return percent(r->keep, value, &p->rule) || wrong(r, "rule is a percentage like 50%", value);
  if (str_eqz(key, "hidden"))
    return percent(r->keep, value, &p->hidden) ||
           wrong(r, "hidden is a percentage like 30%", value);
  if (str_eqz(key, "deadline"))
    return course_time(str_copy(r->keep, value).p, &p->deadline) ||
           wrong(r, "deadline is a time like 2026-11-02T23:59 (UTC)", value);
  if (str_eqz(w, "bonus")) return p->bonus = true;
  return wrong(r, "a puzzle has points= race= rule= hidden= deadline= bonus", w);
}

static bool settings(struct reading *r, str rest, struct course_puzzle *p) {
  for (str w = word(&rest); w.n; w = word(&rest))
    if (!setting(r, w, p)) return false;
  return true;
}

static bool puzzle_line(struct reading *r, str rest) {
  struct course_puzzle p = r->usual;
  str name = word(&rest);
  struct diag why = {0};
  int found = pz_puzzle_find(str_copy(r->keep, name).p, &why);
  if (found < 0) {
    diag_at(r->why, r->path, r->line, 0, "%s", why.text);
    diag_next(r->why, "%s", why.next);
    return false;
  }
  p.puzzle = (u32)found;
  for (u32 i = 0; i < r->c->count; i++)
    if (r->c->puzzles[i].puzzle == p.puzzle) return wrong(r, "each puzzle stands once", name);
  if (!settings(r, rest, &p)) return false;
  r->c->puzzles[r->c->count++] = p;
  return true;
}

/* "10% a day, 3 days" */
static bool late_line(struct reading *r, str rest) {
  str all = rest, share = word(&rest), a = word(&rest), day = word(&rest), days = word(&rest),
      unit = word(&rest);
  bool ok = percent(r->keep, share, &r->c->late_per_day) && str_eqz(a, "a") &&
            (str_eqz(day, "day,") || str_eqz(day, "day")) &&
            number(r->keep, days, 3650, &r->c->late_days_max) &&
            (str_eqz(unit, "days") || str_eqz(unit, "day")) && str_trim(rest).n == 0;
  return ok || wrong(r, "late is written '10% a day, 3 days'", str_trim(all));
}

static bool plain_line(struct reading *r, str key, str value) {
  struct course *c = r->c;
  const char *text = str_copy(r->keep, value).p;
  double n = 0;
  if (str_eqz(key, "title")) return c->title = text, true;
  if (str_eqz(key, "secret")) {
    if (value.n < 8) return wrong(r, "a secret has eight characters or more", value);
    return c->secret = text, true;
  }
  if (str_eqz(key, "roster")) return c->roster = text, true;
  if (str_eqz(key, "deadline"))
    return course_time(text, &c->deadline) ||
           wrong(r, "deadline is a time like 2026-11-02T23:59 (UTC)", value);
  if (str_eqz(key, "attempts")) {
    c->best = str_eqz(value, "best");
    return c->best || str_eqz(value, "latest") || wrong(r, "attempts is best or latest", value);
  }
  if (str_eqz(key, "hidden")) {
    if (!number(r->keep, value, HIDDEN_MAX, &n) || n != (double)(u32)n)
      return wrong(r, "hidden is a number of cases, 0 to 32", value);
    return c->hidden_cases = (u32)n, true;
  }
  if (str_eqz(key, "compiler"))
    return compiler_find(text, &c->compiler) || wrong(r, "compiler is auto, nvrtc or clang", value);
  return wrong(r,
               "a line begins with title, secret, deadline, late, attempts, hidden, compiler, "
               "roster, all or puzzle",
               key);
}

static bool one_line(struct reading *r, str line) {
  const char *hash = memchr(line.p, '#', line.n);
  if (hash && (hash == line.p || isspace((unsigned char)hash[-1])))
    line.n = (size_t)(hash - line.p);
  str rest = str_trim(line), key = word(&rest);
  rest = str_trim(rest);
  if (key.n == 0) return true;
  if (str_eqz(key, "puzzle")) return puzzle_line(r, rest);
  if (str_eqz(key, "all")) return settings(r, rest, &r->usual);
  if (rest.n == 0) return wrong(r, "this line needs a value", key);
  return str_eqz(key, "late") ? late_line(r, rest) : plain_line(r, key, rest);
}

bool course_read(struct arena *keep, const char *path, str text, struct course *out,
                 struct diag *why) {
  struct reading r = {.keep = keep, .c = out, .path = path, .why = why};
  str line;
  *out = (struct course){.title = "warplings", .secret = "", .hidden_cases = HIDDEN_DEFAULT};
  r.usual = (struct course_puzzle){.points = 1, .hidden = 1};
  out->puzzles = NEWN(keep, struct course_puzzle, pz_puzzle_count() + 1);
  while (str_line(&text, &line)) {
    r.line++;
    if (!one_line(&r, line)) return false;
  }
  for (u32 i = 0; out->count < pz_puzzle_count() && out->count == i; i++) {
    out->puzzles[i] = r.usual;
    out->puzzles[i].puzzle = i;
    out->count++;
  }
  if (out->count) return true;
  diag_at(why, path, 0, 0, "no puzzle counts");
  return false;
}
