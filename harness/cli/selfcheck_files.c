/* selfcheck_files.c - what a puzzle must have on file: skeleton, solution, wrong answers, hints,
 * README. Checks the papers and collects the trials; judges nothing. */
#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "cli/selfcheck.h"

enum { TEXT_MAX = 1 << 20, WRONG_ANSWERS = 3, OTHER_ANSWERS = 1 };

static void problem(struct selfcheck *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void problem(struct selfcheck *s, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  printf("FAIL  ");
  vprintf(fmt, ap);
  printf("\n");
  va_end(ap);
  s->problems++;
}

static bool read_text(struct selfcheck *s, const char *path, str *out) {
  struct diag why = {0};
  if (!file_exists(path))
    problem(s, "%s is missing", path);
  else if (!file_read(s->keep, path, TEXT_MAX, out, &why))
    problem(s, "%s: %s", path, why.text);
  else
    return true;
  return false;
}

static void add(struct selfcheck *s, u32 puzzle, enum trial_file what, const char *path,
                struct expectation e) {
  s->trials = base_grow(s->trials, &s->cap, s->trial_count + 1u, sizeof *s->trials);
  s->trials[s->trial_count++] =
      (struct trial){.puzzle = puzzle, .what = what, .path = path, .expect = e};
}

/* The file's own expectation; false when it has none. */
static bool expectation_of(struct selfcheck *s, const char *path, struct expectation *e) {
  str text, line = STR("");
  struct diag why = {0};
  if (!read_text(s, path, &text)) return false;
  str_line(&text, &line);
  if (expect_parse(line, e, &why)) return true;
  problem(s, "%s: %s", path, why.text);
  return false;
}

/* "starts as: RACE" or "**Starts as: `RACE`**": the first verdict named behind the words. */
static bool starts_as(str readme, enum verdict_kind *out) {
  str line;
  while (str_line(&readme, &line)) {
    for (size_t i = 0; i + 10 <= line.n; i++) {
      if (tolower((unsigned char)line.p[i]) != 's' || memcmp(line.p + i + 1, "tarts as:", 9) != 0)
        continue;
      size_t from = i + 10;
      while (from < line.n && !isupper((unsigned char)line.p[from])) from++;
      size_t end = from;
      while (end < line.n && isupper((unsigned char)line.p[end])) end++;
      return verdict_find((str){line.p + from, end - from}, out);
    }
  }
  return false;
}

static void read_skeleton(struct selfcheck *s, u32 puzzle, const char *id) {
  const char *path = project_file(s->project, id, "skeleton.cu");
  const char *readme = project_file(s->project, id, "README.md");
  struct expectation e = {0};
  enum verdict_kind announced;
  str text;
  bool has_readme = read_text(s, readme, &text);
  if (has_readme && !str_has(text, "docs/")) problem(s, "%s has no link into docs/", readme);
  if (!expectation_of(s, path, &e)) return;
  if (e.kinds & 1u << V_PASS) problem(s, "%s expects PASS: there is nothing to do", path);
  if (e.kinds & (1u << V_INTERNAL | 1u << V_SKIP))
    problem(s, "%s expects what is no verdict", path);
  if (has_readme && !starts_as(text, &announced))
    problem(s, "%s has no line 'starts as: VERDICT'", readme);
  else if (has_readme && !(e.kinds & 1u << announced))
    problem(s, "%s says that the puzzle starts as %s, the skeleton does not", readme,
            verdict_text(announced));
  add(s, puzzle, SKELETON, path, e);
}

static void read_hints(struct selfcheck *s, const char *id) {
  const char *path = project_file(s->project, id, "hints.md");
  struct hints h;
  struct diag why = {0};
  str text;
  if (!read_text(s, path, &text)) return;
  if (!hints_read(text, &h, &why)) {
    problem(s, "%s: %s", path, why.text);
    return;
  }
  for (u32 i = 0; i < h.count; i++)
    if (h.items[i].body.n == 0)
      problem(s, "%s: the section '" STR_F "' is empty", path, STR_A(h.items[i].title));
  if (h.numbered != HINTS) problem(s, "%s has %u hints, not %d", path, h.numbered, HINTS);
}

static int is_kernel(const struct dirent *d) {
  size_t n = strlen(d->d_name);
  return d->d_name[0] != '.' && n > 3 && strcmp(d->d_name + n - 3, ".cu") == 0;
}

static void read_mutants(struct selfcheck *s, u32 puzzle, const char *id) {
  const char *dir = arena_printf(s->keep, "tests/mutants/%s", id);
  struct dirent **names = NULL;
  u32 wrong = 0, other = 0;
  int n = scandir(dir, &names, is_kernel, alphasort);
  for (int i = 0; i < n; i++) {
    const char *path = arena_printf(s->keep, "%s/%s", dir, names[i]->d_name);
    struct expectation e = {0};
    free(names[i]);
    if (!expectation_of(s, path, &e)) continue;
    if (e.kinds & 1u << V_PASS)
      other++;
    else
      wrong++;
    if (e.kinds & 1u << V_PASS && e.kinds != 1u << V_PASS)
      problem(s, "%s expects PASS or something else: that tests nothing", path);
    add(s, puzzle, MUTANT, path, e);
  }
  free(names);
  if (wrong < WRONG_ANSWERS)
    problem(s, "%s has %u wrong answers, at least %d are needed", dir, wrong, WRONG_ANSWERS);
  if (other < OTHER_ANSWERS) problem(s, "%s has no other right answer ('// expect: PASS')", dir);
}

void selfcheck_read(struct selfcheck *s, u32 puzzle) {
  const char *id = pz_puzzle_at(puzzle)->id;
  const char *solution = arena_printf(s->keep, "solutions/%s.cu", id);
  read_skeleton(s, puzzle, id);
  if (file_exists(solution))
    add(s, puzzle, SOLUTION, solution, (struct expectation){.kinds = 1u << V_PASS});
  else
    problem(s, "%s is missing", solution);
  read_mutants(s, puzzle, id);
  read_hints(s, id);
}
