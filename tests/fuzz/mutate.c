/* mutate.c - see mutate.h. One text, one change at a time: pick a place, put something else there.
 */
#include <string.h>
#include "fuzz/mutate.h"
#include "fuzz/target.h"
#include "ptx/ptx.h"

enum { TOKENS_MAX = 4096, LINES_MAX = 2048, WORD_MAX = 192 };
enum token_kind { WORD, NUMBER, OTHER };
struct token {
  size_t at, n;
  enum token_kind kind;
};
struct edit { /* the text under change */
  char *p;
  size_t n, max;
  u64 rng;
  struct token token[TOKENS_MAX];
  u32 token_count;
  struct token line[LINES_MAX]; /* kind unused; with its newline */
  u32 line_count;
};

/* ---- taking the text apart ---- */
static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%' || c == '.' || c == ':';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void find_tokens(struct edit *e) {
  e->token_count = 0;
  for (size_t i = 0; i < e->n && e->token_count < TOKENS_MAX;) {
    struct token t = {i, 1, OTHER};
    if (is_word(e->p[i]) && e->p[i] != ':') {
      t.kind = is_digit(e->p[i]) ? NUMBER : WORD;
      while (i + t.n < e->n && is_word(e->p[i + t.n]) && t.n < WORD_MAX) t.n++;
      while (t.n > 1 && e->p[i + t.n - 1] == ':') t.n--;
    }
    if (t.kind != OTHER || !strchr(" \t\r\n", e->p[i])) e->token[e->token_count++] = t;
    i += t.n;
  }
}

static void find_lines(struct edit *e) {
  e->line_count = 0;
  for (size_t i = 0; i < e->n && e->line_count < LINES_MAX;) {
    const char *end = memchr(e->p + i, '\n', e->n - i);
    size_t n = end ? (size_t)(end - (e->p + i)) + 1 : e->n - i;
    e->line[e->line_count++] = (struct token){i, n, OTHER};
    i += n;
  }
}

static u32 below(struct edit *e, u32 n) { return rng_below(&e->rng, n); }

static bool replace(struct edit *e, size_t at, size_t n, const char *with, size_t k) {
  if (e->n - n + k > e->max) return false;
  memmove(e->p + at + k, e->p + at + n, e->n - at - n);
  memcpy(e->p + at, with, k);
  e->n += k - n;
  return true;
}

/* A token of that kind, the first from a random place on. */
static const struct token *some(struct edit *e, enum token_kind kind) {
  if (!e->token_count) return NULL;
  u32 from = below(e, e->token_count);
  for (u32 i = 0; i < e->token_count; i++) {
    const struct token *t = &e->token[(from + i) % e->token_count];
    if (t->kind == kind) return t;
  }
  return NULL;
}

static bool starts(const struct edit *e, const struct token *t, char c) { return e->p[t->at] == c; }

/* An opcode with modifiers stands first in its statement; good enough: a word with a dot that is
 * neither a directive nor a register. */
static const struct token *some_opcode(struct edit *e) {
  if (!e->token_count) return NULL;
  u32 from = below(e, e->token_count);
  for (u32 i = 0; i < e->token_count; i++) {
    const struct token *t = &e->token[(from + i) % e->token_count];
    if (t->kind == WORD && !starts(e, t, '.') && !starts(e, t, '%') &&
        memchr(e->p + t->at, '.', t->n))
      return t;
  }
  return NULL;
}

/* ---- changes ---- */
static bool swap_tokens(struct edit *e) {
  const struct token *a = some(e, (enum token_kind)below(e, 3));
  const struct token *b = a ? some(e, a->kind) : NULL;
  char x[WORD_MAX], y[WORD_MAX];
  if (!b || a == b) return false;
  if (a->at > b->at) {
    const struct token *t = a;
    a = b;
    b = t;
  }
  struct token first = *a, second = *b;
  memcpy(x, e->p + first.at, first.n);
  memcpy(y, e->p + second.at, second.n);
  return replace(e, second.at, second.n, x, first.n) && replace(e, first.at, first.n, y, second.n);
}

static bool copy_token(struct edit *e) {
  const struct token *a = some(e, (enum token_kind)below(e, 3));
  const struct token *b = a ? some(e, a->kind) : NULL;
  char x[WORD_MAX];
  if (!b || a == b) return false;
  memcpy(x, e->p + b->at, b->n);
  return replace(e, a->at, a->n, x, b->n);
}

static bool change_register(struct edit *e) {
  const struct token *a = some(e, WORD), *b = some(e, WORD);
  for (u32 i = 0; a && i < 16 && !starts(e, a, '%'); i++) a = some(e, WORD);
  for (u32 i = 0; b && i < 16 && !starts(e, b, '%'); i++) b = some(e, WORD);
  char x[WORD_MAX];
  if (!a || !b || a == b || !starts(e, a, '%') || !starts(e, b, '%')) return false;
  memcpy(x, e->p + b->at, b->n);
  return replace(e, a->at, a->n, x, b->n);
}

static bool move_line(struct edit *e) {
  char copy[512];
  if (e->line_count < 2) return false;
  struct token from = e->line[below(e, e->line_count)], to = e->line[below(e, e->line_count)];
  bool duplicates = below(e, 2);
  if (from.n > sizeof copy) return false;
  memcpy(copy, e->p + from.at, from.n);
  if (!replace(e, to.at, 0, copy, from.n)) return false;
  if (duplicates) return true;
  return replace(e, from.at + (from.at >= to.at ? from.n : 0), from.n, "", 0);
}

static bool delete_line(struct edit *e) {
  if (e->line_count < 2) return false;
  struct token t = e->line[below(e, e->line_count)];
  return replace(e, t.at, t.n, "", 0);
}

static bool change_number(struct edit *e) {
  static const char *const extremes[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "4",
                                         "7",
                                         "8",
                                         "15",
                                         "16",
                                         "31",
                                         "32",
                                         "33",
                                         "63",
                                         "64",
                                         "127",
                                         "255",
                                         "256",
                                         "1024",
                                         "4095",
                                         "4096",
                                         "65535",
                                         "65536",
                                         "1048576",
                                         "16777216",
                                         "2147483647",
                                         "2147483648",
                                         "4294967295",
                                         "4294967296",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "18446744073709551615",
                                         "0f7F800000",
                                         "0fFFC00000",
                                         "0f80000000",
                                         "0d7FF0000000000000",
                                         "0d8000000000000000",
                                         "1e308"};
  const struct token *t = some(e, NUMBER);
  if (!t) return false;
  const char *x = extremes[below(e, COUNT_OF(extremes))];
  struct token at = *t;
  if (!replace(e, at.at, at.n, x, strlen(x))) return false;
  return below(e, 4) || replace(e, at.at, 0, "-", 1);
}

static const char *const op_texts[] = {
#define O(name, text, flags) text,
#include "ptx/ops.def"
#undef O
};

/* A random modifier, type, or nothing; without its dot. */
static const char *dotted(struct edit *e) {
  if (below(e, 2)) return ptx_type_text((enum ptx_type)(1 + below(e, T_COUNT - 1)));
  return ptx_mod_text[below(e, MOD_COUNT)];
}

static bool change_opcode(struct edit *e) {
  const struct token *t = some_opcode(e);
  if (!t) return false;
  char part[WORD_MAX];
  size_t dots[16] = {0}, n = 0, end = t->at + t->n;
  for (size_t i = t->at; i < end && n < COUNT_OF(dots); i++)
    if (e->p[i] == '.') dots[n++] = i;
  if (!below(e, 6)) { /* another instruction altogether */
    const char *op = op_texts[below(e, COUNT_OF(op_texts))];
    return replace(e, t->at, dots[0] - t->at, op, strlen(op));
  }
  u32 k = below(e, (u32)n);
  size_t from = dots[k], to = k + 1 < n ? dots[k + 1] : end;
  const char *text = dotted(e);
  part[0] = '.';
  size_t len = strlen(text) < WORD_MAX - 1 ? strlen(text) : WORD_MAX - 1;
  memcpy(part + 1, text, len++);
  switch (below(e, 4)) {
  case 0: return replace(e, from, to - from, "", 0);
  case 1: return replace(e, to, 0, part, len);
  default: return replace(e, from, to - from, part, len);
  }
}

static bool change_type_of_declaration(struct edit *e) {
  const struct token *t = some(e, WORD);
  for (u32 i = 0; t && i < 32 && !starts(e, t, '.'); i++) t = some(e, WORD);
  if (!t || !starts(e, t, '.')) return false;
  const char *text = dotted(e);
  return replace(e, t->at + 1, t->n - 1, text, strlen(text));
}

static bool special_register(struct edit *e) {
  const struct token *t = some(e, WORD);
  for (u32 i = 0; t && i < 16 && !starts(e, t, '%'); i++) t = some(e, WORD);
  if (!t || !starts(e, t, '%')) return false;
  char text[WORD_MAX];
  int n = snprintf(text, sizeof text, "%%%s%s", ptx_sreg_text[below(e, SREG_COUNT)],
                   below(e, 2) ? "" : ".x");
  return n > 0 && replace(e, t->at, t->n, text, (size_t)n);
}

/* Another launch: the first line says how. */
static bool change_head(struct edit *e) {
  char line[FUZZ_HEAD_BYTES + 1];
  snprintf(line, sizeof line, FUZZ_HEAD "%016llx\n", (unsigned long long)rng_next(&e->rng));
  bool has = str_starts((str){e->p, e->n}, FUZZ_HEAD) && e->n >= FUZZ_HEAD_BYTES;
  return replace(e, 0, has ? FUZZ_HEAD_BYTES : 0, line, FUZZ_HEAD_BYTES);
}

static bool insert_lines(struct edit *e, str from) {
  struct edit b = {.p = (char *)(uintptr_t)from.p, .n = from.n, .rng = e->rng};
  find_lines(&b);
  if (!b.line_count || !e->line_count) return false;
  u32 first = below(e, b.line_count), count = 1 + below(e, 6);
  size_t at = e->line[below(e, e->line_count)].at;
  for (u32 i = first; i < b.line_count && i < first + count; i++) {
    struct token l = b.line[i];
    if (!replace(e, at, 0, b.p + l.at, l.n)) return false;
    size_t end = at + l.n;
    for (size_t k = at; k < end; k++) { /* registers that the target has */
      if (e->p[k] != '%') continue;
      size_t n = 1;
      while (k + n < end && is_word(e->p[k + n]) && e->p[k + n] != '.') n++;
      const struct token *reg = NULL;
      for (u32 tries = 0; tries < 16; tries++) {
        const struct token *t = some(e, WORD);
        if (t && t->at + t->n <= at && starts(e, t, '%')) reg = t;
      }
      char name[WORD_MAX];
      if (!reg || !below(e, 4)) continue;
      size_t len = reg->n;
      memcpy(name, e->p + reg->at, len);
      if (!replace(e, k, n, name, len)) return false;
      end = end + len - n;
      k += len - 1;
    }
    at = end;
  }
  return true;
}

static bool change(struct edit *e) {
  static bool (*const changes[])(struct edit *) = {
      swap_tokens,   copy_token,      change_register, change_register,
      move_line,     move_line,       delete_line,     change_number,
      change_number, change_opcode,   change_opcode,   change_type_of_declaration,
      change_head,   special_register};
  find_tokens(e);
  find_lines(e);
  return changes[below(e, COUNT_OF(changes))](e);
}

size_t fuzz_mutate(char *text, size_t n, size_t max, u64 seed) {
  static struct edit e; /* large, and nothing lives on in it */
  e.p = text;
  e.n = n;
  e.max = max;
  e.rng = seed;
  u32 done = 0, want = 1 + below(&e, 4);
  for (u32 tries = 0; tries < 32 && done < want; tries++) done += change(&e);
  return e.n;
}

size_t fuzz_cross(str a, str b, char *out, size_t max, u64 seed) {
  static struct edit e;
  e.p = out;
  e.n = a.n < max ? a.n : max;
  e.max = max;
  e.rng = seed;
  memcpy(out, a.p, e.n);
  find_tokens(&e);
  find_lines(&e);
  insert_lines(&e, b);
  return e.n;
}
