/* index.c - what was taken in of one submission, as a file: written at intake, read by whoever
 * collects results. Names which record each file has; judges nothing. */
#include <string.h>
#include "grade/grade.h"

enum { INDEX_MAX = 4 << 20 };
static const char index_head[] = "warplings submission 3";

static const char *id_of(const struct plan *p, u32 i) {
  return pz_puzzle_at(p->course.puzzles[i].puzzle)->id;
}

/* What all keys of an index depend on besides the sources. */
static const char *plan_print(struct arena *a, const struct plan *p) {
  return record_judgement(a, p, "", (str){"", 0});
}

/* ---- writing ---- */
static void put_name(struct strbuf *b, const char *text) {
  strbuf_printf(b, "%zu ", strlen(text));
  strbuf_add(b, text, strlen(text));
  strbuf_add(b, "\n", 1);
}

static void total_hash(const struct intake *t, u32 count, char hex[65]) {
  struct strbuf b = {0};
  for (u32 i = 0; i < count; i++) {
    char one[65];
    grade_sha256(t->files[i].source, one);
    strbuf_printf(&b, "%u %s %s %s\n", i, one, *t->files[i].name ? "file" : "none",
                  t->files[i].problem);
  }
  grade_sha256((str){b.p, b.n}, hex);
  strbuf_free(&b);
}

bool index_write(struct arena *keep, const struct plan *p, const struct intake *t, const char *path,
                 struct diag *why) {
  struct strbuf b = {0};
  char hex[65];
  total_hash(t, p->course.count, hex);
  strbuf_printf(&b, "%s\nsuite %s\nplan %s\narchive %s\nsha256 %s\nignored %u\nproblem ",
                index_head, p->suite, plan_print(keep, p), *t->archive ? t->archive : "-", hex,
                t->ignored);
  put_name(&b, t->problem);
  for (u32 i = 0; i < p->course.count; i++) {
    const struct intake_file *f = &t->files[i];
    strbuf_printf(&b, "file %s %s ", id_of(p, i),
                  *f->name ? record_judgement(keep, p, id_of(p, i), f->source) : "-");
    put_name(&b, f->name);
    /* Why a file cannot be taken is not in its bytes: such files are nobody else's. */
    strbuf_printf(&b, "%s\n", *f->problem ? "refused" : "taken");
  }
  strbuf_printf(&b, "end\n");
  bool ok = file_write(path, (str){b.p, b.n}, why);
  strbuf_free(&b);
  return ok;
}

/* ---- reading ---- */
static bool cut_line(str *text, const char *name, str *value) {
  size_t n = strlen(name);
  if (!str_line(text, value) || value->n <= n || memcmp(value->p, name, n) != 0 ||
      value->p[n] != ' ')
    return false;
  *value = (str){value->p + n + 1, value->n - n - 1};
  return true;
}

/* "5 bytes\n" off *text; names may hold newlines. */
static bool cut_name(struct arena *keep, str *text, const char **out) {
  size_t n = 0, i = 0;
  for (; i < text->n && i < 6 && text->p[i] >= '0' && text->p[i] <= '9'; i++)
    n = n * 10 + (size_t)(text->p[i] - '0');
  if (i == 0 || i >= text->n || text->p[i] != ' ' || text->n - i - 1 < n + 1) return false;
  *out = n ? str_copy(keep, (str){text->p + i + 1, n}).p : "";
  *text = (str){text->p + i + 1 + n + 1, text->n - i - 1 - n - 1};
  return (*out)[0] == 0 || strlen(*out) == n;
}

static bool cut_prefix(str *text, const char *prefix) {
  if (!str_starts(*text, prefix)) return false;
  *text = (str){text->p + strlen(prefix), text->n - strlen(prefix)};
  return true;
}

static bool read_file(struct arena *keep, const char *id, str *text, struct index_file *f) {
  str line;
  if (!cut_prefix(text, "file ") || !cut_prefix(text, id) || !cut_prefix(text, " ")) return false;
  const char *space = memchr(text->p, ' ', text->n);
  if (!space) return false;
  f->judgement = str_copy(keep, (str){text->p, (size_t)(space - text->p)}).p;
  *text = (str){space + 1, text->n - (size_t)(space + 1 - text->p)};
  if (strchr(f->judgement, '/') || !cut_name(keep, text, &f->name)) return false;
  if (!str_line(text, &line)) return false;
  f->taken = str_eqz(line, "taken");
  return f->taken || str_eqz(line, "refused");
}

static bool parse(struct arena *keep, const struct plan *p, str text, struct index *out) {
  str v;
  if (!str_line(&text, &v) || !str_eqz(v, index_head)) return false;
  if (!cut_line(&text, "suite", &v) || !str_eqz(v, p->suite)) return false;
  if (!cut_line(&text, "plan", &v) || !str_eqz(v, plan_print(keep, p))) return false;
  if (!cut_line(&text, "archive", &v) || v.n > 64) return false;
  memcpy(out->archive, v.p, v.n);
  if (!cut_line(&text, "sha256", &v) || v.n != 64) return false;
  memcpy(out->sha256, v.p, 64);
  if (!cut_line(&text, "ignored", &v)) return false;
  for (size_t i = 0; i < v.n && i < 8; i++) out->ignored = out->ignored * 10 + (u32)(v.p[i] - '0');
  if (!cut_prefix(&text, "problem ") || !cut_name(keep, &text, &out->problem)) return false;
  out->files = NEWN(keep, struct index_file, p->course.count);
  for (u32 i = 0; i < p->course.count; i++)
    if (!read_file(keep, id_of(p, i), &text, &out->files[i])) return false;
  return str_eqz(text, "end\n");
}

const char *index_path(struct arena *a, const char *out_dir, const char *key) {
  return arena_printf(a, "%s/records/%s/index", out_dir, key);
}

bool index_read(struct arena *keep, const struct plan *p, const char *out_dir, const char *key,
                struct index *out) {
  struct arena scratch = {0};
  struct diag why = {0};
  str text;
  memset(out, 0, sizeof *out);
  const char *path = index_path(&scratch, out_dir, key);
  bool ok = file_exists(path) && file_read(&scratch, path, INDEX_MAX, &text, &why) &&
            parse(keep, p, text, out);
  arena_free(&scratch);
  return ok;
}
