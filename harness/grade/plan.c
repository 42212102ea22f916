/* plan.c - the manifest: which submissions there are, under which course, judged by which programs.
 * Written once by `grade`, read by every `grade-one`; its text says everything that a task needs.
 *
 * The manifest holds the course's secret and is readable by its owner only. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "grade/grade.h"

enum { SUBMISSIONS_MAX = 100000, MANIFEST_MAX = 64 << 20 };
static const char first_line[] = "warplings manifest 1";

/* ---- what lies in the folder ---- */
static const char *const endings[] = {".zip", ".tar.gz", ".tgz", ".tar", ".tar.xz", ".tar.bz2"};

/* The length of the name without an archive's ending; the whole where it has none. */
static size_t stem(const char *name) {
  size_t n = strlen(name);
  for (size_t i = 0; i < COUNT_OF(endings); i++) {
    size_t e = strlen(endings[i]);
    if (n > e && strcasecmp(name + n - e, endings[i]) == 0) return n - e;
  }
  return n;
}

/* Letters that every file system and web server takes, and a hash for all the others. */
static const char *key_of(struct arena *a, const char *name) {
  char hex[65], plain[41];
  size_t n = 0;
  grade_sha256(str_of(name), hex);
  for (const char *p = name; *p && n < sizeof plain - 1; p++)
    plain[n++] = isalnum((unsigned char)*p) || *p == '_' || *p == '-' ? *p : '_';
  while (n && plain[n - 1] == '_') n--;
  plain[n] = 0;
  if (plain[0] == '-') plain[0] = '_';
  return arena_printf(a, "%s-%.8s", n ? plain : "x", hex);
}

static void name_parts(struct arena *a, const char *name, struct submission *s) {
  size_t n = stem(name);
  const char *at = memrchr(name, '@', n);
  s->student = str_copy(a, (str){name, n}).p;
  if (!at || at == name) return;
  const char *time = str_copy(a, (str){at + 1, n - (size_t)(at + 1 - name)}).p;
  if (!course_time(time, &s->time)) return; /* an address, perhaps */
  s->time_is_named = true;
  s->student = str_copy(a, (str){name, (size_t)(at - name)}).p;
}

static int by_name(const void *a, const void *b) {
  const struct submission *x = a, *y = b;
  return strcmp(x->path, y->path);
}

bool plan_scan(struct arena *keep, const char *dir, struct plan *p, struct diag *why) {
  char real[PATH_MAX];
  DIR *d = realpath(dir, real) ? opendir(real) : NULL;
  size_t cap = 0;
  struct submission *list = NULL;
  if (!d) {
    diag_at(why, dir, 0, 0, "cannot open this folder of submissions: %s", strerror(errno));
    diag_next(why, "it holds one folder or archive for each submission");
    return false;
  }
  p->dir = str_copy(keep, str_of(real)).p;
  for (struct dirent *e; (e = readdir(d)) && p->count < SUBMISSIONS_MAX;) {
    struct stat s;
    if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
    list = base_grow(list, &cap, p->count + 1u, sizeof *list);
    struct submission *one = &list[p->count++];
    bool archive = S_ISREG(s.st_mode) && e->d_name[stem(e->d_name)];
    *one = (struct submission){.time = (i64)s.st_mtim.tv_sec};
    one->path = arena_printf(keep, "%s/%s", real, e->d_name);
    one->kind = S_ISDIR(s.st_mode) ? SOURCE_FOLDER : archive ? SOURCE_ARCHIVE : SOURCE_OTHER;
    one->key = key_of(keep, e->d_name);
    name_parts(keep, str_copy(keep, str_of(e->d_name)).p, one);
    /* A grades.csv or a README beside the submissions is none. */
    if (one->kind == SOURCE_OTHER && S_ISREG(s.st_mode)) p->count--;
  }
  closedir(d);
  if (p->count) {
    p->list = NEWN(keep, struct submission, p->count);
    memcpy(p->list, list, p->count * sizeof *list);
    qsort(p->list, p->count, sizeof *p->list, by_name);
  }
  free(list);
  if (p->count) return true;
  diag_at(why, dir, 0, 0, "there is no submission in this folder");
  diag_next(why, "it holds one folder or archive (.zip, .tar.gz) for each submission");
  return false;
}

void plan_absent(struct arena *keep, const struct roster *r, struct plan *p) {
  struct submission *list = NEWN(keep, struct submission, p->count + r->count + 1);
  memcpy(list, p->list, p->count * sizeof *list);
  for (u32 i = 0; i < r->count; i++) {
    bool is_here = false;
    for (u32 k = 0; k < p->count && !is_here; k++)
      is_here = strcmp(p->list[k].student, r->rows[i].id) == 0;
    if (is_here) continue;
    struct submission *s = &list[p->count + p->absent++];
    *s = (struct submission){.path = "", .student = r->rows[i].id, .kind = SOURCE_OTHER};
    /* Not the key that a submission of that name would have: it may come yet. */
    s->key = key_of(keep, arena_printf(keep, "%s/absent", r->rows[i].id));
  }
  p->list = list;
}

/* ---- as text ---- */
/* Any byte but plain ones as %XX: names may hold newlines. */
static void put_escaped(struct strbuf *b, const char *text) {
  for (const u8 *p = (const u8 *)text; *p; p++)
    if (isalnum(*p) || strchr("/._-@+,=", *p))
      strbuf_add(b, (const char *)p, 1);
    else
      strbuf_printf(b, "%%%02X", *p);
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static const char *unescaped(struct arena *a, str s) {
  char *out = arena_alloc(a, s.n + 1);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] != '%') {
      out[n++] = s.p[i];
      continue;
    }
    int hi = i + 2 < s.n ? hex_digit(s.p[i + 1]) : -1;
    int lo = i + 2 < s.n ? hex_digit(s.p[i + 2]) : -1;
    if (hi < 0 || lo < 0 || (hi == 0 && lo == 0)) return NULL;
    out[n++] = (char)(hi << 4 | lo);
    i += 2;
  }
  return out;
}

bool plan_write(const struct plan *p, const char *path, struct diag *why) {
  struct strbuf b = {0};
  strbuf_printf(&b, "%s\nsuite %s\nsandbox %s\ncompiler %s\nsecret ", first_line, p->suite,
                grade_sandbox_name(p->sandbox), compiler_name(p->course.compiler));
  put_escaped(&b, p->course.secret);
  strbuf_printf(&b, "\ndir ");
  put_escaped(&b, p->dir);
  strbuf_printf(&b, "\ncourse ");
  put_escaped(&b, p->course_path);
  strbuf_printf(&b, "\ncourse_bytes %zu\n", p->course_text.n);
  strbuf_add(&b, p->course_text.p, p->course_text.n);
  strbuf_printf(&b, "\n");
  for (u32 i = 0; i < p->count; i++) {
    const struct submission *s = &p->list[i];
    strbuf_printf(&b, "submission %u %lld %u %s ", (unsigned)s->kind, (long long)s->time,
                  s->time_is_named, s->key);
    put_escaped(&b, s->student);
    strbuf_printf(&b, " ");
    put_escaped(&b, s->path);
    strbuf_printf(&b, "\n");
  }
  strbuf_printf(&b, "end %u\n", p->count);
  mode_t old = umask(0077);
  bool ok = file_write(path, (str){b.p, b.n}, why);
  umask(old);
  strbuf_free(&b);
  return ok;
}

static bool field(str *text, const char *name, str *value) {
  size_t n = strlen(name);
  if (!str_line(text, value) || !str_starts(*value, name) || value->n <= n || value->p[n] != ' ')
    return false;
  *value = (str){value->p + n + 1, value->n - n - 1};
  return true;
}

static bool read_submission(struct arena *a, str line, struct submission *s) {
  unsigned kind, named;
  long long time;
  int at = 0;
  char key[64];
  const char *z = str_copy(a, line).p;
  if (sscanf(z, "submission %u %lld %u %63s %n", &kind, &time, &named, key, &at) != 4 || !at)
    return false;
  const char *student = z + at, *space = strchr(student, ' ');
  if (kind > SOURCE_OTHER || named > 1 || !space) return false;
  *s = (struct submission){.kind = (enum source_kind)kind, .time = time, .time_is_named = named};
  s->key = str_copy(a, str_of(key)).p;
  s->student = unescaped(a, (str){student, (size_t)(space - student)});
  s->path = unescaped(a, str_of(space + 1));
  return s->student && s->path && s->path[0] == '/' && !strchr(key, '/');
}

static bool read_head(struct arena *keep, str *text, struct plan *p, str *secret, str *compiler) {
  str line, value;
  u64 bytes;
  if (!str_line(text, &line) || !str_eqz(line, first_line)) return false;
  if (!field(text, "suite", &value) || value.n != 64) return false;
  memcpy(p->suite, value.p, 64);
  if (!field(text, "sandbox", &value) || !grade_sandbox_find(str_copy(keep, value).p, &p->sandbox))
    return false;
  if (!field(text, "compiler", compiler) || !field(text, "secret", secret)) return false;
  if (!field(text, "dir", &value) || !(p->dir = unescaped(keep, value))) return false;
  if (!field(text, "course", &value) || !(p->course_path = unescaped(keep, value))) return false;
  if (!field(text, "course_bytes", &value)) return false;
  bytes = strtoull(str_copy(keep, value).p, NULL, 10);
  if (bytes + 1 > text->n) return false;
  p->course_text = str_copy(keep, (str){text->p, (size_t)bytes});
  *text = (str){text->p + bytes + 1, text->n - (size_t)bytes - 1};
  return true;
}

bool plan_read(struct arena *keep, const char *path, struct plan *p, struct diag *why) {
  str text, line, secret, compiler;
  *p = (struct plan){0};
  if (!file_read(keep, path, MANIFEST_MAX, &text, why)) return false;
  u32 cap = 1;
  for (size_t i = 0; i < text.n; i++) cap += text.p[i] == '\n';
  p->list = NEWN(keep, struct submission, cap);
  bool ok = read_head(keep, &text, p, &secret, &compiler), ended = false;
  if (ok && !course_read(keep, p->course_path, p->course_text, &p->course, why)) return false;
  ok = ok && compiler_find(str_copy(keep, compiler).p, &p->course.compiler) &&
       (p->course.secret = unescaped(keep, secret)) != NULL;
  while (ok && !ended && str_line(&text, &line)) {
    ended = str_starts(line, "end ") && (u32)atoi(str_copy(keep, line).p + 4) == p->count;
    if (!ended) ok = read_submission(keep, line, &p->list[p->count++]);
  }
  if (ok && ended) return true;
  diag_at(why, path, 0, 0, "this is not a whole manifest");
  diag_next(why, "warplings grade writes it as manifest in the folder of results");
  return false;
}
