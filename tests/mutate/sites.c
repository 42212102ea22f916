/* sites.c - the list of what a program can lose, in order. Blanks what is no code first, so that
 * the rules for C++ (sites_cuda.c) and for PTX (sites_ptx.c) need no lexer: every position in the
 * blanked copies is the same position in the text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "mutate/sites_parts.h"

void site_add(struct site_scan *s, enum site_kind kind, size_t from, size_t to, const char *instead,
              const char *what) {
  if (s->out->count == SITES_MAX) BUG("more than %d sites: raise SITES_MAX", SITES_MAX);
  s->out->list[s->out->count++] =
      (struct site){.kind = kind, .from = from, .to = to, .instead = instead, .what = what};
}

/* The text on one line, runs of white space as one blank. */
const char *site_text(struct site_scan *s, size_t from, size_t to) {
  char *t = NEWN(s->a, char, to - from + 1);
  size_t n = 0;
  for (size_t i = from; i < to; i++) {
    bool space = isspace((unsigned char)s->text.p[i]);
    if (!space)
      t[n++] = s->text.p[i];
    else if (n && t[n - 1] != ' ')
      t[n++] = ' ';
  }
  while (n && t[n - 1] == ' ') n--;
  t[n] = 0;
  return t;
}

/* ---- blanking ---- */
static size_t past_comment(str t, size_t i) {
  if (t.p[i + 1] == '/') {
    while (i < t.n && t.p[i] != '\n') i++;
    return i;
  }
  for (i += 2; i < t.n && !(t.p[i] == '*' && t.p[i + 1] == '/'); i++) continue;
  return i + 2 < t.n ? i + 2 : t.n;
}

static size_t past_quotes(str t, size_t i) {
  char q = t.p[i++];
  while (i < t.n && t.p[i] != q && t.p[i] != '\n') i += t.p[i] == '\\' ? 2 : 1;
  return i + 1 < t.n ? i + 1 : t.n;
}

/* A string of an asm statement: its ends end statements there, escapes are white space. */
static void keep_asm(struct site_scan *s, size_t from, size_t to) {
  memcpy(s->ptx + from, s->text.p + from, to - from);
  s->ptx[from] = s->ptx[to - 1] = ';';
  for (size_t i = from; i + 1 < to; i++)
    if (s->ptx[i] == '\\') s->ptx[i] = s->ptx[i + 1] = ' ';
}

static void blank(struct site_scan *s, bool is_ptx) {
  str t = s->text;
  int depth = -1; /* of parentheses in an asm statement; -1: in none */
  memset(s->code, ' ', t.n);
  memset(s->ptx, ' ', t.n);
  for (size_t i = 0; i < t.n;) {
    size_t next = i + 1;
    if (t.p[i] == '/' && (t.p[i + 1] == '/' || t.p[i + 1] == '*')) {
      next = past_comment(t, i);
    } else if (t.p[i] == '"' || (t.p[i] == '\'' && !is_ptx)) {
      next = past_quotes(t, i);
      if (t.p[i] == '"' && depth > 0) keep_asm(s, i, next);
    } else {
      s->code[i] = t.p[i];
      if (is_ptx) s->ptx[i] = t.p[i];
      if (site_word_at(s->code, i, "asm") || site_word_at(s->code, i, "__asm__")) depth = 0;
      if (depth >= 0) depth += (t.p[i] == '(') - (t.p[i] == ')');
      if (t.p[i] == ';' || (depth == 0 && t.p[i] == ')')) depth = -1;
    }
    i = next;
  }
}

bool site_word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The word ends at position i. */
bool site_word_at(const char *code, size_t i, const char *word) {
  size_t n = strlen(word);
  return i + 1 >= n && memcmp(code + i + 1 - n, word, n) == 0 &&
         (i + 1 == n || !site_word_char(code[i - n]));
}

/* ---- all of them ---- */
static int by_place(const void *x, const void *y) {
  const struct site *a = x, *b = y;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return strcmp(a->what, b->what);
}

static void number(struct site_scan *s) {
  struct sites *all = s->out;
  qsort(all->list, all->count, sizeof all->list[0], by_place);
  for (u32 i = 0; i < all->count; i++) {
    struct site *x = &all->list[i];
    x->line = x->nth = 1;
    for (size_t k = 0; k < x->from; k++) x->line += s->text.p[k] == '\n';
    for (u32 k = 0; k < i; k++) x->nth += strcmp(all->list[k].what, x->what) == 0;
  }
}

void sites_find(struct arena *a, str text, bool is_ptx, struct sites *out) {
  struct site_scan s = {.a = a, .text = str_copy(a, text), .out = out};
  out->count = 0;
  s.code = NEWN(a, char, text.n + 1);
  s.ptx = NEWN(a, char, text.n + 1);
  blank(&s, is_ptx);
  site_scan_ptx(&s);
  if (!is_ptx) site_scan_cuda(&s);
  if (!is_ptx) site_name_kernels(&s);
  number(&s);
}

str sites_without(struct arena *a, str text, const struct site *site) {
  struct strbuf b = {0};
  strbuf_add(&b, text.p, site->from);
  strbuf_printf(&b, "%s", site->instead);
  for (size_t i = site->from; i < site->to; i++)
    if (text.p[i] == '\n') strbuf_add(&b, "\n", 1);
  strbuf_add(&b, text.p + site->to, text.n - site->to);
  str changed = str_copy(a, (str){b.p, b.n});
  strbuf_free(&b);
  return changed;
}
