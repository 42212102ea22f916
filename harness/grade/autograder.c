/* autograder.c - a zip for Gradescope: setup.sh, run_autograder, and what it takes to build this
 * program there. The references' answers (solutions/) stay at home; the course's secret goes along,
 * for it is the instructor's container. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "config.h"
#include "grade/grade.h"

#ifdef WL_HAVE_ARCHIVE
#include <archive.h>
#include <archive_entry.h>

enum { DEPTH_MAX = 6 };
#define FILE_MAX ((size_t)4 << 20)

static const char setup_text[] =
    "#!/bin/sh\n"
    "# Gradescope runs this once, when the container is made.\n"
    "set -e\n"
    "base=${AUTOGRADER_ROOT:-/autograder}\n"
    "cd \"$base/source/warplings\"\n"
    "apt-get update -qq\n"
    "DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \\\n"
    "  gcc make clang libc6-dev pkg-config bubblewrap libssl-dev libsqlite3-dev libseccomp-dev "
    "libarchive-dev\n"
    "make all\n";

/* Gradescope gives each submission a container of its own: where that has no namespaces, another
 * user and limits keep the student's code from the grader. The report says which it was. */
static const char run_text[] =
    "#!/bin/sh\n"
    "# Gradescope runs this for each submission.\n"
    "base=${AUTOGRADER_ROOT:-/autograder}\n"
    "work=$(mktemp -d)\n"
    "mkdir \"$work/class\"\n"
    "cp -a \"$base/submission\" \"$work/class/student\"\n"
    "for sandbox in bwrap uid; do\n"
    "  \"$base/source/warplings/build/warplings\" grade \"$work/class\" --out \"$work/results\" "
    "\\\n"
    "    --course \"$base/source/course.txt\" --secret \"$base/source/secret.txt\" \\\n"
    "    --sandbox $sandbox --jobs 1\n"
    "  ls \"$work\"/results/gradescope/*.json >/dev/null 2>&1 && break\n"
    "done\n"
    "mkdir -p \"$base/results\"\n"
    "cp \"$work\"/results/gradescope/*.json \"$base/results/results.json\"\n"
    "status=$?\n"
    "rm -rf \"$work\"\n"
    "exit $status\n";

struct packing {
  struct archive *to;
  struct diag *why;
};

static bool put(struct packing *z, const char *name, str bytes, u32 mode) {
  struct archive_entry *e = archive_entry_new();
  if (!e) BUG("out of memory");
  archive_entry_set_pathname(e, name);
  archive_entry_set_filetype(e, AE_IFREG);
  archive_entry_set_perm(e, (mode_t)mode);
  archive_entry_set_size(e, (la_int64_t)bytes.n);
  archive_entry_set_mtime(e, 315532800, 0); /* the same sources give the same zip */
  bool ok = archive_write_header(z->to, e) == ARCHIVE_OK &&
            archive_write_data(z->to, bytes.p, bytes.n) == (la_ssize_t)bytes.n;
  archive_entry_free(e);
  if (!ok) diag_set(z->why, "cannot write the zip: %s", archive_error_string(z->to));
  return ok;
}

static bool put_file(struct packing *z, const char *path, const char *name) {
  struct arena a = {0};
  struct stat s;
  str bytes;
  bool ok = file_read(&a, path, FILE_MAX, &bytes, z->why) &&
            put(z, name, bytes, stat(path, &s) == 0 && s.st_mode & 0100 ? 0755 : 0644);
  arena_free(&a);
  return ok;
}

/* What the program is built from, and no more: no learner's files, no notes of an editor. */
static bool is_wanted(const char *dir, const char *name) {
  static const char *const ends[] = {".c", ".h", ".def"};
  size_t n = strlen(name);
  if (strstr(dir, "compile/include")) return name[0] != '.';
  for (size_t i = 0; i < COUNT_OF(ends); i++)
    if (n > strlen(ends[i]) && strcmp(name + n - strlen(ends[i]), ends[i]) == 0) return true;
  return false;
}

static bool put_folder(struct packing *z, const char *dir, u32 depth) {
  struct arena a = {0};
  struct dirent **list;
  int n = scandir(dir, &list, NULL, alphasort);
  bool ok = n >= 0;
  if (!ok) diag_at(z->why, dir, 0, 0, "cannot be read: %s", strerror(errno));
  for (int i = 0; i < n; i++) {
    const char *name = list[i]->d_name, *path = arena_printf(&a, "%s/%s", dir, name);
    struct stat s;
    if (ok && name[0] != '.' && lstat(path, &s) == 0) {
      if (S_ISDIR(s.st_mode) && depth < DEPTH_MAX)
        ok = put_folder(z, path, depth + 1);
      else if (S_ISREG(s.st_mode) && is_wanted(dir, name))
        ok = put_file(z, path, arena_printf(&a, "warplings/%s", path));
    }
    free(list[i]);
  }
  if (n >= 0) free(list);
  arena_free(&a);
  return ok;
}

static bool put_all(struct packing *z, const char *course, const char *secret) {
  return put(z, "setup.sh", STR(setup_text), 0755) &&
         put(z, "run_autograder", STR(run_text), 0755) &&
         (*course ? put_file(z, course, "course.txt") : put(z, "course.txt", STR(""), 0644)) &&
         put(z, "secret.txt", str_of(secret), 0600) &&
         put_file(z, "Makefile", "warplings/Makefile") && put_folder(z, "harness", 0) &&
         put_folder(z, "puzzles", 0);
}

bool autograder_write(const char *path, const char *course, const char *secret, struct diag *why) {
  struct packing z = {.to = archive_write_new(), .why = why};
  struct arena a = {0};
  const char *temp = arena_printf(&a, "%s.part", path);
  if (!z.to) BUG("out of memory");
  archive_write_set_format_zip(z.to);
  mode_t old = umask(0077); /* the secret is in it */
  bool ok = archive_write_open_filename(z.to, temp) == ARCHIVE_OK;
  umask(old);
  if (!ok) diag_at(why, temp, 0, 0, "cannot write: %s", archive_error_string(z.to));
  ok = ok && put_all(&z, course, secret);
  if (ok && archive_write_close(z.to) != ARCHIVE_OK) {
    diag_at(why, temp, 0, 0, "cannot write: %s", archive_error_string(z.to));
    ok = false;
  }
  archive_write_free(z.to);
  if (ok && rename(temp, path) != 0) {
    diag_at(why, path, 0, 0, "cannot write: %s", strerror(errno));
    ok = false;
  }
  if (!ok) unlink(temp);
  arena_free(&a);
  return ok;
}
#else
bool autograder_write(const char *path, const char *course, const char *secret, struct diag *why) {
  (void)path, (void)course, (void)secret;
  diag_set(why, "this program was built without libarchive, which writes the zip");
  diag_next(why, "make setup installs it; then make again");
  return false;
}
#endif
