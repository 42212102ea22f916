/* watch_files.c - tells which puzzles/ID/puzzle.cu was written, through inotify. An editor may
 * write in place, or write beside and rename. Folders that come back (git may do that) are found
 * again. Reads no file. */
#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>
#include "cli/watch.h"

#define SAVED (IN_CLOSE_WRITE | IN_MOVED_TO)

static void watch(struct watch_files *w, u32 i) {
  char dir[512];
  int n = snprintf(dir, sizeof dir, "puzzles/%s", pz_puzzle_at(i)->id);
  if (n > 0 && (size_t)n < sizeof dir)
    w->wds[i] = inotify_add_watch(w->fd, dir, SAVED | IN_ONLYDIR);
}

bool watch_files_open(struct watch_files *w, struct arena *keep, struct diag *why) {
  w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  w->wds = NEWN(keep, int, pz_puzzle_count());
  if (w->fd >= 0)
    w->root_wd = inotify_add_watch(w->fd, "puzzles", IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
  if (w->fd < 0 || w->root_wd < 0) {
    diag_set(why, "cannot watch the folder puzzles/: %s", strerror(errno));
    diag_next(why, "fs.inotify.max_user_watches or max_user_instances may be too low; make check "
                   "works all the same");
    return false;
  }
  for (u32 i = 0; i < pz_puzzle_count(); i++) watch(w, i);
  return true;
}

static int saved(struct watch_files *w, const struct inotify_event *e) {
  for (u32 i = 0; i < pz_puzzle_count(); i++) {
    if (e->wd == w->root_wd && e->len && strcmp(e->name, pz_puzzle_at(i)->id) == 0) {
      watch(w, i);
      return (int)i;
    }
    if (e->wd != w->wds[i]) continue;
    if (e->mask & IN_IGNORED) w->wds[i] = -1;
    return e->len && strcmp(e->name, "puzzle.cu") == 0 ? (int)i : -1;
  }
  return -1;
}

int watch_files_read(struct watch_files *w, bool *unsure) {
  _Alignas(struct inotify_event) char bytes[16 << 10];
  int last = -1;
  *unsure = false;
  for (ssize_t n; (n = read(w->fd, bytes, sizeof bytes)) > 0;)
    for (char *p = bytes; p < bytes + n;) {
      const struct inotify_event *e = (const void *)p;
      int which = saved(w, e);
      if (which >= 0) last = which;
      *unsure |= (e->mask & IN_Q_OVERFLOW) != 0;
      p += sizeof *e + e->len;
    }
  return last;
}
