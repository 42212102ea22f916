/* book.c - the grade book: an SQLite file that only ever grows. One row for each student, puzzle,
 * submission and version of the suite; what the suite could not judge is no result and stays out.
 * docs/instructor.md has the schema. */
#include <string.h>
#include "config.h"
#include "grade/grade.h"

#ifdef WL_HAVE_SQLITE
#include <sqlite3.h>

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS result ("
    " student TEXT NOT NULL, puzzle TEXT NOT NULL, submission_sha256 TEXT NOT NULL,"
    " suite TEXT NOT NULL, source_sha256 TEXT NOT NULL, handed_in INTEGER NOT NULL,"
    " verdict TEXT NOT NULL, reason TEXT NOT NULL, share REAL NOT NULL, points REAL NOT NULL,"
    " max_points REAL NOT NULL, sandbox TEXT NOT NULL, graded_at TEXT NOT NULL DEFAULT"
    " (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),"
    " PRIMARY KEY (student, puzzle, submission_sha256, suite)) WITHOUT ROWID;"
    "PRAGMA user_version = 1;";

static bool failed(sqlite3 *db, const char *path, struct diag *why) {
  int code = sqlite3_errcode(db);
  diag_at(why, path, 0, 0, "the grade book: %s", sqlite3_errmsg(db));
  diag_next(why, code == SQLITE_FULL     ? "make room on this disk and run the same command again: "
                                           "nothing that was graded is lost"
                 : code == SQLITE_NOTADB ? "this is not a grade book: move it away"
                                         : "");
  return false;
}

static bool run(sqlite3 *db, const char *sql) {
  return sqlite3_exec(db, sql, 0, 0, 0) == SQLITE_OK;
}

static void bind(sqlite3_stmt *st, int at, const char *text) {
  sqlite3_bind_text(st, at, text, -1, SQLITE_STATIC);
}

/* Everything of one attempt that was judged. */
static bool keep_attempt(sqlite3 *db, sqlite3_stmt *st, struct arena *a, const struct plan *p,
                         const struct sheet *s, u32 attempt) {
  i64 time = p->list[s->attempts[attempt]].time;
  for (u32 i = 0; i < p->course.count; i++) {
    const struct course_puzzle *z = &p->course.puzzles[i];
    const struct outcome *o = &s->outcomes[attempt].list[i];
    struct mark m;
    score_mark(a, p, s->row, z, o, time, &m);
    if (o->missing || m.open) continue;
    bind(st, 1, s->student);
    bind(st, 2, pz_puzzle_at(z->puzzle)->id);
    bind(st, 3, s->outcomes[attempt].sha256);
    bind(st, 4, p->suite);
    bind(st, 5, o->source_sha256);
    sqlite3_bind_int64(st, 6, time);
    bind(st, 7, verdict_text(o->v.kind));
    bind(st, 8, score_reason(a, o));
    sqlite3_bind_double(st, 9, m.share);
    sqlite3_bind_double(st, 10, m.points);
    sqlite3_bind_double(st, 11, m.most);
    bind(st, 12, grade_sandbox_name(p->sandbox));
    if (sqlite3_step(st) != SQLITE_DONE || sqlite3_reset(st) != SQLITE_OK) return false;
  }
  (void)db;
  return true;
}

static bool keep_all(sqlite3 *db, struct arena *a, const struct plan *p, const struct sheets *all) {
  sqlite3_stmt *st = NULL;
  bool ok = sqlite3_prepare_v2(db,
                               "INSERT OR IGNORE INTO result (student, puzzle, submission_sha256, "
                               "suite, source_sha256, handed_in, verdict, reason, share, points, "
                               "max_points, sandbox) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                               -1, &st, NULL) == SQLITE_OK;
  for (u32 i = 0; ok && i < all->count; i++)
    for (u32 k = 0; ok && k < all->list[i].attempt_count; k++)
      ok = keep_attempt(db, st, a, p, &all->list[i], k);
  sqlite3_finalize(st);
  return ok;
}

/* Earlier results of this student that may count instead of today's. */
static bool look_back(sqlite3_stmt *st, struct arena *a, const struct plan *p, struct sheet *s) {
  for (u32 i = 0; i < p->course.count; i++) {
    struct mark *now = &s->marks[i];
    const struct course_puzzle *z = &p->course.puzzles[i];
    bool any = now->open;
    if (!p->course.best && !any) continue;
    bind(st, 1, s->student);
    bind(st, 2, pz_puzzle_at(z->puzzle)->id);
    while (sqlite3_step(st) == SQLITE_ROW) {
      struct mark m = *now;
      const char *hash = (const char *)sqlite3_column_text(st, 3);
      const char *verdict = (const char *)sqlite3_column_text(st, 2);
      bool own = false;
      for (u32 k = 0; k < s->attempt_count; k++)
        own |= hash && strcmp(hash, s->outcomes[k].sha256) == 0;
      if (own && !any) continue;
      score_share(a, p, s->row, z, sqlite3_column_double(st, 0), sqlite3_column_int64(st, 1),
                  arena_printf(a, "%s, from an earlier submission (%.12s)", verdict ? verdict : "?",
                               hash ? hash : "?"),
                  &m);
      if (!any && m.points <= now->points) continue;
      *now = m;
      any = false;
    }
    if (sqlite3_reset(st) != SQLITE_OK) return false;
  }
  score_sum(s, p);
  return true;
}

bool book_keep(struct arena *keep, const struct plan *p, const char *out_dir, struct sheets *s,
               struct diag *why) {
  struct arena scratch = {0};
  sqlite3 *db = NULL;
  sqlite3_stmt *st = NULL;
  const char *path = arena_printf(keep, "%s/gradebook.sqlite", out_dir);
  bool ok = sqlite3_open(path, &db) == SQLITE_OK;
  if (ok) sqlite3_busy_timeout(db, 10000);
  /* One transaction: after a full disk or a kill the book is as it was before. */
  ok = ok && run(db, schema) && run(db, "BEGIN IMMEDIATE") && keep_all(db, &scratch, p, s) &&
       run(db, "COMMIT");
  ok = ok && sqlite3_prepare_v2(db,
                                "SELECT share, handed_in, verdict, submission_sha256 FROM result "
                                "WHERE student = ? AND puzzle = ? "
                                "ORDER BY handed_in DESC, submission_sha256, suite",
                                -1, &st, NULL) == SQLITE_OK;
  for (u32 i = 0; ok && i < s->count; i++) ok = look_back(st, keep, p, &s->list[i]);
  sqlite3_finalize(st);
  if (!ok) failed(db, path, why);
  sqlite3_close(db);
  arena_free(&scratch);
  return ok;
}
#else
bool book_keep(struct arena *keep, const struct plan *p, const char *out_dir, struct sheets *s,
               struct diag *why) {
  (void)keep, (void)p, (void)out_dir, (void)s, (void)why;
  fputs("warplings: no grade book: built without SQLite (make setup, then make again)\n", stderr);
  return true;
}
#endif
