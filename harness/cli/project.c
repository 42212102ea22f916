/* project.c - where the project is: --root, or the current folder or one around it, or the folders
 * around the program. A root is a folder that has puzzles/ in it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/cli.h"

static bool is_dir(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static bool is_root(const char *dir) {
  char path[PATH_MAX];
  int n = snprintf(path, sizeof path, "%s/puzzles", dir);
  return n > 0 && (size_t)n < sizeof path && is_dir(path);
}

/* dir itself or the nearest folder around it; dir is cut down in place. */
static bool climb(char *dir) {
  for (;;) {
    if (is_root(dir[0] ? dir : "/")) return true;
    char *slash = strrchr(dir, '/');
    if (!slash) return false;
    *slash = 0;
  }
}

bool project_find(const struct options *o, struct project *p, struct diag *why) {
  char dir[PATH_MAX] = "";
  p->keep = o->keep;
  if (o->root) {
    if (!realpath(o->root, dir) || !is_root(dir)) {
      diag_set(why, "--root %s: no folder puzzles/ there", o->root);
      return false;
    }
  } else if (!(getcwd(dir, sizeof dir) && climb(dir))) {
    ssize_t n = readlink("/proc/self/exe", dir, sizeof dir - 1);
    dir[n > 0 ? n : 0] = 0;
    if (!climb(dir)) {
      diag_set(why, "there is no folder puzzles/ here or around the program");
      diag_next(why, "run it in the project's folder, or give --root DIR");
      return false;
    }
  }
  p->root = str_copy(o->keep, str_of(dir[0] ? dir : "/")).p;
  return true;
}

/* A path that holds after the change of folder, and short where it lies below the root. */
static const char *rebase(const struct project *p, const char *path) {
  char real[PATH_MAX];
  size_t n = strlen(p->root);
  if (!realpath(path, real)) return path;
  if (strncmp(real, p->root, n) == 0 && real[n] == '/')
    return str_copy(p->keep, str_of(real + n + 1)).p;
  return str_copy(p->keep, str_of(real)).p;
}

bool project_open(struct options *o, struct project *p, struct diag *why) {
  if (!project_find(o, p, why)) return false;
  if (o->source) {
    char in_root[PATH_MAX];
    int n = snprintf(in_root, sizeof in_root, "%s/%s", p->root, o->source);
    /* `make check SRC=solutions` means the project's, wherever one stands. */
    if (!is_dir(o->source) && o->source[0] != '/' && n > 0 && (size_t)n < sizeof in_root &&
        is_dir(in_root))
      o->source = str_copy(o->keep, str_of(in_root)).p;
    if (!is_dir(o->source)) {
      diag_set(why, "--source %s: there is no such folder", o->source);
      return false;
    }
    o->source = rebase(p, o->source);
  }
  if (chdir(p->root) != 0) {
    diag_set(why, "cannot enter %s", p->root);
    return false;
  }
  return true;
}

const char *project_file(const struct project *p, const char *id, const char *name) {
  return arena_printf(p->keep, "puzzles/%s/%s", id, name);
}
