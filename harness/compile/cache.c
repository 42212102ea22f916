/* cache.c - compiled PTX kept in files, one for each key. The key is all text that went into the
 * compiler; the file repeats it whole, so a collision of file names is a miss, never a wrong
 * answer. Whatever goes wrong here (corrupt file, unwritable folder) means "not cached" and nothing
 * more. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "compile/parts.h"

#define CACHE_MAX_BYTES ((u64)64 << 20)
#define ENTRY_MAX_BYTES ((size_t)48 << 20)
#define SUFFIX          ".cached"

struct entry_head {
  char magic[8];
  u32 ok, zero;
  u64 key_bytes, ptx_bytes, log_bytes, version_bytes;
  u64 check; /* over everything behind this head */
};
static const char magic[8] = "wl-cch2";

static void entry_path(char *path, size_t size, const char *dir, str key) {
  snprintf(path, size, "%s/%016llx" SUFFIX, dir, (unsigned long long)str_hash(key));
}

/* Cuts the next n bytes off *rest; false when there are fewer. */
static bool cut(str *rest, u64 n, str *part) {
  if (n > rest->n) return false;
  *part = (str){rest->p, (size_t)n};
  *rest = (str){rest->p + n, rest->n - (size_t)n};
  return true;
}

static bool decode(str bytes, str key, struct cache_entry *e) {
  struct entry_head h;
  str head, stored_key, rest = bytes;
  if (!cut(&rest, sizeof h, &head)) return false;
  memcpy(&h, head.p, sizeof h);
  if (memcmp(h.magic, magic, sizeof magic) != 0 || h.ok > 1 || h.check != str_hash(rest))
    return false;
  if (!cut(&rest, h.key_bytes, &stored_key) || !cut(&rest, h.ptx_bytes, &e->ptx)) return false;
  if (!cut(&rest, h.log_bytes, &e->log) || !cut(&rest, h.version_bytes, &e->version)) return false;
  e->ok = h.ok == 1;
  return rest.n == 0 && str_eq(stored_key, key);
}

bool compile_cache_get(struct arena *keep, const char *dir, str key, struct cache_entry *out) {
  char path[512];
  struct arena scratch = {0};
  struct diag ignored = {0};
  str bytes;
  entry_path(path, sizeof path, dir, key);
  bool hit = file_exists(path) && file_read(&scratch, path, ENTRY_MAX_BYTES, &bytes, &ignored) &&
             decode(bytes, key, out);
  if (hit) {
    out->ptx = str_copy(keep, out->ptx);
    out->log = str_copy(keep, out->log);
    out->version = str_copy(keep, out->version);
  }
  arena_free(&scratch);
  return hit;
}

/* ---- keeping the folder small ---- */

struct old_file {
  char name[40];
  u64 bytes;
  struct timespec when;
};

static int by_age(const void *a, const void *b) {
  const struct old_file *x = a, *y = b;
  if (x->when.tv_sec != y->when.tv_sec) return x->when.tv_sec < y->when.tv_sec ? -1 : 1;
  if (x->when.tv_nsec != y->when.tv_nsec) return x->when.tv_nsec < y->when.tv_nsec ? -1 : 1;
  return strcmp(x->name, y->name);
}

static bool is_entry(const char *name) {
  size_t n = strlen(name), suffix = sizeof SUFFIX - 1;
  return n == 16 + suffix && strcmp(name + 16, SUFFIX) == 0;
}

static void trim(const char *dir) {
  DIR *d = opendir(dir);
  if (!d) return;
  struct old_file *list = NULL;
  size_t n = 0, cap = 0;
  u64 total = 0;
  for (struct dirent *e; (e = readdir(d));) {
    struct stat s;
    if (!is_entry(e->d_name) || fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    list = base_grow(list, &cap, n + 1, sizeof *list);
    struct old_file *f = &list[n++];
    snprintf(f->name, sizeof f->name, "%.39s", e->d_name);
    f->bytes = (u64)s.st_size;
    f->when = s.st_mtim;
    total += f->bytes;
  }
  if (total > CACHE_MAX_BYTES) {
    qsort(list, n, sizeof *list, by_age);
    /* A quarter more than needed, so that the next entry does not start this again. */
    for (size_t i = 0; i < n && total > CACHE_MAX_BYTES / 4 * 3; i++) {
      unlinkat(dirfd(d), list[i].name, 0);
      total -= list[i].bytes;
    }
  }
  free(list);
  closedir(d);
}

void compile_cache_put(const char *dir, str key, const struct cache_entry *e) {
  static u32 puts;
  char path[512];
  struct diag ignored = {0};
  struct strbuf b = {0};
  struct entry_head h = {.ok = e->ok,
                         .key_bytes = key.n,
                         .ptx_bytes = e->ptx.n,
                         .log_bytes = e->log.n,
                         .version_bytes = e->version.n};
  if (!dir_make(dir, &ignored)) return;
  memcpy(h.magic, magic, sizeof h.magic);
  strbuf_add(&b, (const char *)&h, sizeof h);
  strbuf_add(&b, key.p, key.n);
  strbuf_add(&b, e->ptx.p, e->ptx.n);
  strbuf_add(&b, e->log.p, e->log.n);
  strbuf_add(&b, e->version.p, e->version.n);
  h.check = str_hash((str){b.p + sizeof h, b.n - sizeof h});
  memcpy(b.p, &h, sizeof h);
  entry_path(path, sizeof path, dir, key);
  if (b.n <= ENTRY_MAX_BYTES) file_write(path, (str){b.p, b.n}, &ignored);
  strbuf_free(&b);
  if (puts++ % 32 == 0) trim(dir);
}
