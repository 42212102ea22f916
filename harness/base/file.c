/* file.c - reading and replacing whole regular files, making folders. The only code of the ground
 * floor that touches the file system. Errors name the path and what stands there. */
#include "base/base.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "not a regular file";
}

static bool read_open(struct arena *a, int fd, const char *path, size_t max_bytes, str *out,
                      struct diag *why) {
  struct stat st;
  if (fstat(fd, &st) != 0) {
    diag_at(why, path, 0, 0, "cannot read: %s", strerror(errno));
    return false;
  }
  if (!S_ISREG(st.st_mode)) {
    diag_at(why, path, 0, 0, "cannot read: it is %s, not a regular file", kind_of(st.st_mode));
    return false;
  }
  if ((u64)st.st_size > max_bytes) {
    diag_at(why, path, 0, 0, "too large: %llu bytes, at most %zu are read",
            (unsigned long long)st.st_size, max_bytes);
    return false;
  }
  size_t size = (size_t)st.st_size, n = 0;
  char *p = arena_alloc(a, size + 1);
  while (n < size) {
    ssize_t got = read(fd, p + n, size - n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      diag_at(why, path, 0, 0, "cannot read: %s", strerror(errno));
      return false;
    }
    if (got == 0) break; /* it shrank meanwhile: what is there is the file */
    n += (size_t)got;
  }
  p[n] = 0;
  *out = (str){p, n};
  return true;
}

bool file_read(struct arena *a, const char *path, size_t max_bytes, str *out, struct diag *why) {
  /* O_NONBLOCK: opening a FIFO without a writer must not hang */
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) {
    int failed = errno; /* a socket or a dead device cannot even be opened: say what it is */
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
      diag_at(why, path, 0, 0, "cannot read: it is %s, not a regular file", kind_of(st.st_mode));
    else
      diag_at(why, path, 0, 0, "cannot read: %s", strerror(failed));
    return false;
  }
  bool ok = read_open(a, fd, path, max_bytes, out, why);
  close(fd);
  return ok;
}

static bool write_all(int fd, str bytes) {
  while (bytes.n) {
    ssize_t put = write(fd, bytes.p, bytes.n);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.p += put;
    bytes.n -= (size_t)put;
  }
  return true;
}

bool file_write(const char *path, str bytes, struct diag *why) {
  struct stat st;
  if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)) {
    diag_at(why, path, 0, 0, "cannot write: it is %s, not a regular file", kind_of(st.st_mode));
    return false;
  }
  struct strbuf temp = {0};
  strbuf_printf(&temp, "%s.XXXXXX", path);
  int fd = mkstemp(temp.p);
  if (fd < 0) {
    diag_at(why, path, 0, 0, "cannot write: %s", strerror(errno));
    strbuf_free(&temp);
    return false;
  }
  mode_t mask = umask(0); /* mkstemp makes it private; give it the mode a plain open would */
  umask(mask);
  bool ok = write_all(fd, bytes) && fchmod(fd, 0666 & ~mask) == 0;
  int failed = errno;
  if (close(fd) != 0 && ok) ok = false, failed = errno;
  if (ok && rename(temp.p, path) != 0) ok = false, failed = errno;
  if (!ok) {
    unlink(temp.p);
    diag_at(why, path, 0, 0, "cannot write: %s", strerror(failed));
  }
  strbuf_free(&temp);
  return ok;
}

static bool make_one(const char *path) {
  if (mkdir(path, 0777) == 0) return true;
  int failed = errno;
  struct stat st;
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) return true;
  errno = failed == EEXIST ? ENOTDIR : failed;
  return false;
}

bool dir_make(const char *path, struct diag *why) {
  struct strbuf p = {0};
  strbuf_printf(&p, "%s", path);
  bool ok = p.n > 0;
  if (!ok) errno = ENOENT;
  for (size_t i = 1; ok && i <= p.n; i++) {
    if (i < p.n && p.p[i] != '/') continue;
    p.p[i] = 0;
    ok = make_one(p.p);
    if (ok && i < p.n) p.p[i] = '/';
  }
  if (!ok) diag_at(why, path, 0, 0, "cannot make the folder: %s", strerror(errno));
  strbuf_free(&p);
  return ok;
}

bool file_exists(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}
