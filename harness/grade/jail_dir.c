/* jail_dir.c - a folder of its own for a process that has no file system of its own (--sandbox uid,
 * none): made for one jail, removed with all that is in it. What is in it is hostile: nothing is
 * followed, and nothing outside is touched. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grade/jail.h"

enum { DEPTH_MAX = 64 };

bool jail_dir_make(char path[JAIL_DIR_MAX], u32 uid, struct diag *why) {
  const char *base = getenv("TMPDIR");
  if (!base || !*base || strlen(base) > JAIL_DIR_MAX / 2) base = "/tmp";
  snprintf(path, JAIL_DIR_MAX, "%s/warplings-jail-%d-XXXXXX", base, (int)getpid());
  if (mkdtemp(path) && (!uid || lchown(path, uid, uid) == 0)) return true;
  diag_set(why, "cannot make a folder in %s: %s", base, strerror(errno));
  diag_next(why, "make room there, or set TMPDIR");
  path[0] = 0;
  return false;
}

static void empty(int dir, u32 depth) {
  DIR *d = fdopendir(dir);
  if (!d) {
    close(dir);
    return;
  }
  for (struct dirent *e; (e = readdir(d));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    if (unlinkat(dirfd(d), e->d_name, 0) == 0 || depth == DEPTH_MAX) continue;
    int sub = openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (sub >= 0) empty(sub, depth + 1);
    unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
  }
  closedir(d);
}

void jail_dir_remove(char path[JAIL_DIR_MAX]) {
  if (!path[0]) return;
  int dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (dir >= 0) empty(dir, 0);
  rmdir(path);
  path[0] = 0;
}

/* bubblewrap's first process may end before its second one has asked to end with it; that one then
 * waits for ever. No program runs in it yet. Its parent is gone: an ordinary one's never is. */
static void sweep_orphans(void) {
  DIR *d = opendir("/proc");
  for (struct dirent *e; d && (e = readdir(d));) {
    char path[300], text[8192];
    struct stat s;
    int parent = 0;
    long pid = strtol(e->d_name, NULL, 10);
    if (pid <= 1 || fstatat(dirfd(d), e->d_name, &s, 0) != 0) continue;
    if (geteuid() != 0 && s.st_uid != geteuid()) continue;
    snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(text, 1, sizeof text, f) : 0;
    if (f) fclose(f);
    if (n < 16 || !memmem(text, n, "bwrap", 6) || !memmem(text, n, "/warplings-", 11) ||
        !memmem(text, n, "\0/program", 10))
      continue;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    f = fopen(path, "re");
    n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f) fclose(f);
    text[n] = 0;
    const char *end = strrchr(text, ')');
    if (end && sscanf(end + 1, " %*c %d", &parent) == 1 && parent == 1) kill((pid_t)pid, SIGKILL);
  }
  if (d) closedir(d);
}

void jail_sweep(void) {
  static const char *const kinds[] = {"warplings-jail-", "warplings-grade-"};
  const char *base = getenv("TMPDIR");
  sweep_orphans();
  DIR *d = opendir(base && *base ? base : "/tmp");
  for (struct dirent *e; d && (e = readdir(d));)
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
      size_t n = strlen(kinds[i]);
      struct stat s;
      char *end;
      if (strncmp(e->d_name, kinds[i], n) != 0) continue;
      long pid = strtol(e->d_name + n, &end, 10);
      bool ours = fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) == 0 &&
                  S_ISDIR(s.st_mode) && (s.st_uid == geteuid() || geteuid() == 0);
      if (!ours || *end != '-' || pid <= 1 || kill((pid_t)pid, 0) == 0 || errno != ESRCH) continue;
      int dir = openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (dir >= 0) empty(dir, 0);
      unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
    }
  if (d) closedir(d);
}
