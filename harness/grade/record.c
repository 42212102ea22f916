/* record.c - one judgement as a file: written beside and renamed, read to its last byte or not at
 * all. A record that is damaged, or from another program or source, is as good as none. */
#include <string.h>
#include "grade/grade.h"

enum { RECORD_MAX = 16 << 20 };
static const char head[] = "warplings record 1\n";

const char *record_judgement(struct arena *a, const struct plan *p, const char *puzzle,
                             str source) {
  struct strbuf b = {0};
  char hex[65], source_hex[65];
  grade_sha256(source, source_hex);
  strbuf_printf(&b, "%s\n%s\n%s\n%016llx\n%u\n%s %s\n%s\n", puzzle, source_hex, p->suite,
                (unsigned long long)grade_derive(p->course.secret, "judgement", puzzle),
                p->course.hidden_cases, compiler_name(p->course.compiler), p->compiler_version,
                grade_sandbox_name(p->sandbox));
  grade_sha256((str){b.p, b.n}, hex);
  strbuf_free(&b);
  return arena_printf(a, "%.16s", hex);
}

const char *record_path(struct arena *a, const char *out_dir, const char *key, const char *puzzle,
                        const char *judgement) {
  return arena_printf(a, "%s/records/%s/%s.%s", out_dir, key, puzzle, judgement);
}

bool record_write(const char *path, const struct record *r, struct diag *why) {
  struct strbuf b = {0}, bytes = {0};
  char hex[65];
  verdict_write(&bytes, &r->v);
  strbuf_printf(&b, "%spuzzle %s\nsource %s\ntries %u\nname %zu\n%s\nverdict %zu\n", head,
                r->puzzle, r->source_sha256, r->tries, strlen(r->name), r->name, bytes.n);
  strbuf_add(&b, bytes.p, bytes.n);
  grade_sha256((str){b.p, b.n}, hex);
  strbuf_printf(&b, "\n%s\n", hex);
  bool ok = file_write(path, (str){b.p, b.n}, why);
  strbuf_free(&b);
  strbuf_free(&bytes);
  return ok;
}

static bool word(str *text, const char *name, str *value) {
  size_t n = strlen(name);
  if (!str_line(text, value) || value->n <= n || memcmp(value->p, name, n) != 0 ||
      value->p[n] != ' ')
    return false;
  *value = (str){value->p + n + 1, value->n - n - 1};
  return true;
}

static bool count(str *text, const char *name, size_t max, size_t *out) {
  str v;
  if (!word(text, name, &v) || v.n > 9) return false;
  *out = 0;
  for (size_t i = 0; i < v.n; i++) {
    if (v.p[i] < '0' || v.p[i] > '9') return false;
    *out = *out * 10 + (size_t)(v.p[i] - '0');
  }
  return *out <= max;
}

static bool parse(struct arena *keep, str text, struct record *out) {
  struct diag why = {0};
  str puzzle, source;
  size_t tries, name, bytes;
  if (!str_starts(text, head)) return false;
  text = (str){text.p + sizeof head - 1, text.n - sizeof head + 1};
  if (!word(&text, "puzzle", &puzzle) || !word(&text, "source", &source) || source.n != 64)
    return false;
  if (!count(&text, "tries", 1000, &tries) || !count(&text, "name", 8192, &name)) return false;
  if (name + 1 > text.n || text.p[name] != '\n' || memchr(text.p, 0, name)) return false;
  out->name = str_copy(keep, (str){text.p, name}).p;
  text = (str){text.p + name + 1, text.n - name - 1};
  if (!count(&text, "verdict", RECORD_MAX, &bytes) || bytes != text.n) return false;
  out->puzzle = str_copy(keep, puzzle).p;
  out->source_sha256 = str_copy(keep, source).p;
  out->tries = (u32)tries;
  return verdict_read(keep, text, &out->v, &why);
}

bool record_read(struct arena *keep, const char *path, struct record *out) {
  struct diag why = {0};
  struct arena scratch = {0};
  char hex[65];
  str text;
  memset(out, 0, sizeof *out);
  /* The last 66 bytes: a newline, the hash of all before it, a newline. */
  bool ok = file_exists(path) && file_read(&scratch, path, RECORD_MAX, &text, &why) && text.n > 66;
  if (ok) {
    str body = {text.p, text.n - 66};
    grade_sha256(body, hex);
    ok = text.p[body.n] == '\n' && text.p[text.n - 1] == '\n' &&
         memcmp(text.p + body.n + 1, hex, 64) == 0 && parse(keep, body, out);
  }
  arena_free(&scratch);
  return ok;
}
