/* names.c - makes the line tables of compiled PTX name the source as the user did. NVRTC writes an
 * absolute path there and clang one that starts with "./"; the current folder must not reach a
 * message, nor a cache entry. What lies in our own headers gets the line that called it, or none,
 * which the machine takes for the same. Touches .file and .loc directives alone. */
#include <stdlib.h>
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

/* ---- our own headers ---- */

enum { FILES_MAX = 512 };
struct place {
  u32 file, line, column;
};
struct said { /* a .loc directive, and what it says behind the column */
  struct place at;
  str rest;
};
struct tables {
  bool ours[FILES_MAX]; /* by the number of the file */
  bool any;
  struct said *said; /* those of inlined code */
  size_t count, room;
};

/* NVRTC takes our headers from memory, and names them as if they lay in the current folder. */
static bool is_our_header(str name) {
  char z[1024];
  if (name.n >= sizeof z) return false;
  memcpy(z, name.p, name.n);
  z[name.n] = 0;
  for (size_t i = 0; i < compile_header_count; i++) {
    size_t n = strlen(compile_headers[i].name);
    bool ends = name.n >= n && strcmp(z + name.n - n, compile_headers[i].name) == 0;
    if (ends && (name.n == n || z[name.n - n - 1] == '/')) return !file_exists(z);
  }
  return false;
}

static void find_our_headers(struct tables *t, str ptx) {
  str line, name;
  while (str_line(&ptx, &line)) {
    if (!file_name(line, &name)) continue;
    unsigned number;
    if (sscanf(str_trim(line).p, ".file %u", &number) != 1 || number >= FILES_MAX) continue;
    t->ours[number] = is_our_header(name);
    t->any = t->any || t->ours[number];
  }
}

static bool read_place(str line, const char *word, struct place *p, str *rest) {
  size_t n = strlen(word);
  char number[64];
  int used = 0;
  for (size_t i = 0; i + n < line.n; i++) {
    if (memcmp(line.p + i, word, n) != 0) continue;
    str after = {line.p + i + n, line.n - i - n};
    snprintf(number, sizeof number, STR_F, (int)(after.n < 63 ? after.n : 63), after.p);
    if (sscanf(number, " %u %u %u%n", &p->file, &p->line, &p->column, &used) != 3) return false;
    *rest = (str){after.p + used, after.n - (size_t)used};
    return true;
  }
  return false;
}

static bool is_ours(const struct tables *t, struct place p) {
  return p.file < FILES_MAX && t->ours[p.file];
}

static void remember(struct tables *t, struct place at, str rest) {
  if (t->count == t->room) {
    t->room = t->room ? 2 * t->room : 64;
    t->said = realloc(t->said, t->room * sizeof *t->said);
    if (!t->said) BUG("out of memory");
  }
  t->said[t->count++] = (struct said){at, rest};
}

/* The last one wins: a place is described before code is said to be inlined at it. */
static const struct said *find_said(const struct tables *t, struct place p) {
  for (size_t i = t->count; i-- > 0;)
    if (memcmp(&t->said[i].at, &p, sizeof p) == 0) return &t->said[i];
  return NULL;
}

/* A .loc in one of our headers: who called it, outside of them? false: nobody that is named. */
static bool caller(const struct tables *t, str rest, struct place *at, str *behind) {
  for (u32 depth = 0; depth < 64; depth++) {
    str unused;
    if (!read_place(rest, "inlined_at", at, &unused)) return false;
    const struct said *s = find_said(t, *at);
    *behind = s ? s->rest : (str){"", 0};
    if (!is_ours(t, *at)) return true;
    rest = *behind;
  }
  return false;
}

/* What stands behind the column. Code is inlined at places outside of our headers only: the .loc
 * directives of the others are gone, and the driver's assembler takes no place that has none. */
static void put_rest(struct strbuf *b, const struct tables *t, str rest) {
  static const char word[] = "inlined_at";
  struct place at;
  str unused;
  if (!read_place(rest, word, &at, &unused)) {
    strbuf_add(b, rest.p, rest.n);
    return;
  }
  for (u32 depth = 0; is_ours(t, at); depth++) {
    const struct said *s = find_said(t, at);
    if (!s || depth == 64 || !read_place(s->rest, word, &at, &unused)) return;
  }
  size_t n = 0;
  while (!str_starts((str){rest.p + n, rest.n - n}, word)) n++; /* read_place has found it */
  strbuf_add(b, rest.p, n);
  strbuf_printf(b, "%s %u %u %u", word, at.file, at.line, at.column);
}

static str without_our_headers(struct arena *keep, str ptx) {
  struct tables *t = NEW(keep, struct tables);
  *t = (struct tables){.any = false};
  find_our_headers(t, ptx);
  if (!t->any) return ptx;
  struct strbuf b = {0};
  str all = ptx, line, rest, behind;
  const char *copied = ptx.p;
  while (str_line(&all, &line)) {
    struct place p = {0, 0, 0};
    if (!str_starts(str_trim(line), ".loc") || !read_place(line, ".loc", &p, &rest)) continue;
    if (str_has(rest, "inlined_at")) remember(t, p, rest);
    bool ours = is_ours(t, p);
    if (!ours && !str_has(rest, "inlined_at")) continue;
    strbuf_add(&b, copied, (size_t)(line.p - copied));
    copied = line.p + line.n;
    if (!ours) behind = rest;
    if (ours && !caller(t, rest, &p, &behind)) continue;
    strbuf_printf(&b, "\t.loc\t%u %u %u", p.file, p.line, p.column);
    put_rest(&b, t, behind);
  }
  strbuf_add(&b, copied, ptx.n - (size_t)(copied - ptx.p));
  free(t->said);
  str made = str_copy(keep, (str){b.p, b.n});
  strbuf_free(&b);
  return made;
}

str compile_name_source(struct arena *keep, str ptx, const char *path) {
  ptx = without_our_headers(keep, ptx);
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
