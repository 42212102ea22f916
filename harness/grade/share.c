/* share.c - files that are the same byte for byte are judged once for the whole class.
 *
 * A verdict is a function of the source's bytes and of what record_judgement names (puzzle, secret,
 * suite, compiler, sandbox, hidden cases); who handed it in and under which name is nothing that
 * any sandboxed process is told. Which files are handed in more than once is found out before
 * anything is judged; only those are kept here, each judged in processes that have seen no other
 * file (task.c), so no submission can reach another one's result. Marks, lateness and pages are
 * each student's own: everybody has a record of his own. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include "grade/grade.h"

/* ---- which ---- */
static int by_key(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void share_find(struct arena *keep, const char *out_dir, struct plan *p) {
  struct arena scratch = {0};
  size_t cap = 0;
  u32 count = 0;
  const char **keys = NULL;
  for (u32 i = 0; i < p->count; i++) {
    struct index in;
    if (!index_read(&scratch, p, out_dir, p->list[i].key, &in)) continue;
    for (u32 k = 0; k < p->course.count; k++) {
      if (!*in.files[k].name || !in.files[k].taken) continue;
      keys = base_grow(keys, &cap, count + 1u, sizeof *keys);
      keys[count++] = in.files[k].judgement;
    }
  }
  if (count) qsort(keys, count, sizeof *keys, by_key);
  p->shared = NEWN(keep, const char *, count / 2 + 1);
  p->shared_count = 0;
  for (u32 i = 1; i < count; i++)
    if (strcmp(keys[i], keys[i - 1]) == 0 && (i == 1 || strcmp(keys[i], keys[i - 2]) != 0))
      p->shared[p->shared_count++] = str_copy(keep, str_of(keys[i])).p;
  free(keys);
  arena_free(&scratch);
}

bool plan_shares(const struct plan *p, const char *key) {
  return p->shared_count &&
         bsearch(&key, p->shared, p->shared_count, sizeof *p->shared, by_key) != NULL;
}

/* ---- the records ---- */
const char *share_path(struct arena *a, const char *out_dir, const char *puzzle, const char *key) {
  return arena_printf(a, "%s/shared/%s.%s", out_dir, puzzle, key);
}

bool share_read(struct arena *keep, const char *path, struct record *r) {
  struct record old;
  if (!record_read(keep, path, &old) || old.v.kind == V_INTERNAL ||
      strcmp(old.puzzle, r->puzzle) != 0 || strcmp(old.source_sha256, r->source_sha256) != 0)
    return false;
  r->tries = old.tries;
  r->v = old.v;
  return true;
}

/* Under no name: it belongs to nobody. */
bool share_write(const char *path, const struct record *r, struct diag *why) {
  struct record nameless = *r;
  nameless.name = "";
  return record_write(path, &nameless, why);
}

/* ---- one at a time ---- */
int share_open(const char *out_dir) {
  struct arena a = {0};
  struct diag why = {0};
  const char *dir = arena_printf(&a, "%s/shared", out_dir);
  int fd = dir_make(dir, &why)
               ? open(arena_printf(&a, "%s/.lock", dir), O_RDWR | O_CREAT | O_CLOEXEC, 0600)
               : -1;
  arena_free(&a);
  return fd;
}

/* Each key is a byte of the lock's file. Who holds one waits for no other. */
static bool lock(int fd, const char *key, short type, bool waits) {
  struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};
  l.l_start = (off_t)(strtoull(key, NULL, 16) >> 2);
  int done;
  do done = fcntl(fd, waits ? F_SETLKW : F_SETLK, &l);
  while (done != 0 && errno == EINTR);
  /* Where locks are not to be had the same file is judged twice, which costs time and nothing else.
   */
  return done == 0 || (errno != EACCES && errno != EAGAIN);
}

bool share_lock(int fd, const char *key, bool waits) { return lock(fd, key, F_WRLCK, waits); }
void share_unlock(int fd, const char *key) { lock(fd, key, F_UNLCK, false); }
