/* names.c - makes the line tables of compiled PTX name the source as the user did. NVRTC writes an
 * absolute path there and clang one that starts with "./"; the current folder must not reach a
 * message, nor a cache entry. Touches .file directives alone. */
#include <string.h>
#include <sys/stat.h>
#include "compile/parts.h"

static bool same_file(str name, const char *path) {
  char z[1024];
  struct stat a, b;
  if (name.n >= sizeof z) return false;
  memcpy(z, name.p, name.n);
  z[name.n] = 0;
  return stat(z, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The text between the quotes of a line like  .file 1 "name" ; false for other lines. */
static bool file_name(str line, str *name) {
  str s = str_trim(line);
  if (!str_starts(s, ".file")) return false;
  const char *open = memchr(s.p, '"', s.n);
  if (!open) return false;
  size_t rest = s.n - (size_t)(open + 1 - s.p);
  const char *close = memchr(open + 1, '"', rest);
  if (!close) return false;
  *name = (str){open + 1, (size_t)(close - open - 1)};
  return true;
}

str compile_name_source(struct arena *keep, str ptx, const char *path) {
  struct strbuf b = {0};
  str rest = ptx, line, name;
  const char *copied = ptx.p;
  while (str_line(&rest, &line)) {
    if (!file_name(line, &name) || str_eqz(name, path) || !same_file(name, path)) continue;
    strbuf_add(&b, copied, (size_t)(name.p - copied));
    strbuf_add(&b, path, strlen(path));
    copied = name.p + name.n;
  }
  if (copied == ptx.p) return ptx;
  strbuf_add(&b, copied, ptx.n - (size_t)(copied - ptx.p));
  str renamed = str_copy(keep, (str){b.p, b.n});
  strbuf_free(&b);
  return renamed;
}
