/* plan.c - the manifest: which submissions there are, under which course, judged by which programs.
 * Written once by `grade`, read by every `grade-one`; its text says everything that a task needs.
 *
 * The manifest holds the course's secret and is readable by its owner only. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "grade/grade.h"

enum { MANIFEST_MAX = 64 << 20 };
static const char first_line[] = "warplings manifest 2";

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
  strbuf_printf(&b, "\ncompiler_version ");
  put_escaped(&b, p->compiler_version);
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
  for (u32 i = 0; i < p->shared_count; i++) strbuf_printf(&b, "shared %s\n", p->shared[i]);
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
  s->number = "";
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
  if (!field(text, "compiler_version", &value)) return false;
  const char *version = unescaped(keep, value);
  if (!version || strlen(version) >= sizeof p->compiler_version) return false;
  strcpy(p->compiler_version, version);
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
  p->shared = NEWN(keep, const char *, cap);
  bool ok = read_head(keep, &text, p, &secret, &compiler), ended = false;
  if (ok && !course_read(keep, p->course_path, p->course_text, &p->course, why)) return false;
  ok = ok && compiler_find(str_copy(keep, compiler).p, &p->course.compiler) &&
       (p->course.secret = unescaped(keep, secret)) != NULL;
  while (ok && !ended && str_line(&text, &line)) {
    ended = str_starts(line, "end ") && (u32)atoi(str_copy(keep, line).p + 4) == p->count;
    if (ended) break;
    if (str_starts(line, "shared "))
      p->shared[p->shared_count++] = str_copy(keep, (str){line.p + 7, line.n - 7}).p;
    else
      ok = read_submission(keep, line, &p->list[p->count++]);
  }
  if (ok && ended) return true;
  diag_at(why, path, 0, 0, "this is not a whole manifest");
  diag_next(why, "warplings grade writes it as manifest in the folder of results");
  return false;
}
