/* scratch.c - the folder for temporary files of the verb watch, .warplings/tmp-PID. Removes only
 * what lies in there. */
#define _GNU_SOURCE
#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>
#include "cli/watch.h"

static char dir[64];

bool scratch_make(struct diag *why) {
  snprintf(dir, sizeof dir, ".warplings/tmp-%d", (int)getpid());
  return dir_make(dir, why) && setenv("TMPDIR", dir, 1) == 0;
}

static int drop(const char *path, const struct stat *s, int kind, struct FTW *at) {
  (void)s, (void)kind;
  if (at->level > 0) remove(path);
  return 0;
}

void scratch_clear(void) {
  if (dir[0]) nftw(dir, drop, 8, FTW_DEPTH | FTW_PHYS);
}

void scratch_remove(void) {
  scratch_clear();
  if (dir[0]) rmdir(dir);
}
