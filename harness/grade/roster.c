/* roster.c - the list of students: CSV with a line of column names. Columns are found by their
 * names (student_id, last_name, first_name, email, deadline), others are passed over. */
#include <string.h>
#include "grade/grade.h"

enum { COLUMNS_MAX = 64, ROWS_MAX = 100000 };
enum column { ID, LAST, FIRST, EMAIL, DEADLINE, COLUMNS };
static const char *const column_names[COLUMNS] = {"student_id", "last_name", "first_name", "email",
                                                  "deadline"};

/* One record (RFC 4180) off *text. -1: a quote that does not close; -2: too many fields. */
static int fields(struct arena *a, str *text, const char *out[COLUMNS_MAX], u32 *lines) {
  int n = 0;
  size_t i = 0;
  bool more = true;
  while (more) {
    struct strbuf f = {0};
    bool quoted = i < text->n && text->p[i] == '"';
    if (quoted) i++;
    for (; i < text->n; i++) {
      char c = text->p[i];
      if (quoted && c == '"') {
        if (i + 1 >= text->n || text->p[i + 1] != '"') break;
        i++;
      } else if (!quoted && (c == ',' || c == '\n')) {
        break;
      }
      *lines += c == '\n';
      if (quoted || c != '\r') strbuf_add(&f, &c, 1);
    }
    if (quoted && i++ >= text->n) return strbuf_free(&f), -1;
    if (n == COLUMNS_MAX) return strbuf_free(&f), -2;
    out[n++] = f.n ? str_copy(a, (str){f.p, f.n}).p : "";
    strbuf_free(&f);
    while (quoted && i < text->n && text->p[i] == '\r') i++;
    more = i < text->n && text->p[i] == ',';
    if (i < text->n) i++;
  }
  ++*lines;
  *text = (str){text->p + i, text->n - i};
  return n;
}

static bool head(int n, const char **names, int where[COLUMNS], const char *path,
                 struct diag *why) {
  for (int c = 0; c < COLUMNS; c++) {
    where[c] = -1;
    for (int i = 0; i < n; i++)
      if (strcmp(names[i], column_names[c]) == 0) where[c] = i;
  }
  if (where[ID] >= 0) return true;
  diag_at(why, path, 1, 0, "the roster's first line has no column student_id");
  diag_next(why, "columns: student_id,last_name,first_name,email,deadline");
  return false;
}

static const char *cell(const char **row, int n, int at) {
  return at >= 0 && at < n ? row[at] : "";
}

bool roster_read(struct arena *keep, const char *path, str text, struct roster *out,
                 struct diag *why) {
  const char *row[COLUMNS_MAX];
  int where[COLUMNS];
  u32 line = 0, cap = 1;
  *out = (struct roster){0};
  if (str_starts(text, "\xef\xbb\xbf")) text = (str){text.p + 3, text.n - 3};
  for (size_t i = 0; i < text.n; i++) cap += text.p[i] == '\n';
  out->rows = NEWN(keep, struct student, cap);
  int n = fields(keep, &text, row, &line);
  if (n > 0 && !head(n, row, where, path, why)) return false;
  while (n > 0 && text.n) {
    u32 at = line + 1;
    n = fields(keep, &text, row, &line);
    if (n < 0 || out->count == ROWS_MAX) {
      diag_at(why, path, at, 0, "this line is not CSV");
      return false;
    }
    if (n == 1 && !row[0][0]) continue;
    struct student s = {.id = cell(row, n, where[ID]),
                        .last_name = cell(row, n, where[LAST]),
                        .first_name = cell(row, n, where[FIRST]),
                        .email = cell(row, n, where[EMAIL])};
    const char *d = cell(row, n, where[DEADLINE]);
    if (!s.id[0] || roster_find(out, s.id) || (*d && !course_time(d, &s.deadline))) {
      diag_at(why, path, at, 0, "%s '%s'",
              !s.id[0]                 ? "no student_id in"
              : roster_find(out, s.id) ? "a student who stands here twice:"
                                       : "deadline is a time like 2026-11-02T23:59, not",
              !s.id[0]                 ? "this line"
              : roster_find(out, s.id) ? s.id
                                       : d);
      return false;
    }
    out->rows[out->count++] = s;
  }
  return true;
}

const struct student *roster_find(const struct roster *r, const char *id) {
  for (u32 i = 0; i < r->count; i++)
    if (strcmp(r->rows[i].id, id) == 0) return &r->rows[i];
  return NULL;
}
