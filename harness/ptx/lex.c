/* lex.c - PTX text to tokens, one at a time, without allocating. Knows characters and numbers, not
 * the grammar. Never reads behind the counted end of the text. */
#include "ptx/parse.h"
#include <stdlib.h>
#include <string.h>

enum { WORD_CHAR = 1, DIGIT = 2, HEX = 4, SPACE = 8 };
static const u8 class_of[256] = {
    ['a' ... 'f'] = WORD_CHAR | HEX,
    ['g' ... 'z'] = WORD_CHAR,
    ['A' ... 'F'] = WORD_CHAR | HEX,
    ['G' ... 'Z'] = WORD_CHAR,
    ['0' ... '9'] = WORD_CHAR | DIGIT | HEX,
    ['_'] = WORD_CHAR,
    ['$'] = WORD_CHAR,
    ['%'] = WORD_CHAR,
    [' '] = SPACE,
    ['\t'] = SPACE,
    ['\r'] = SPACE,
    ['\n'] = SPACE,
    ['\f'] = SPACE,
    ['\v'] = SPACE,
};
static bool is(char c, u8 class) { return (class_of[(u8)c] & class) != 0; }

u32 ptx_word_hash(str s) {
  u32 h = 2166136261u;
  for (size_t i = 0; i < s.n; i++) h = (h ^ (u8)s.p[i]) * 16777619u;
  return h;
}

static void bad(struct ptx_lex *l, const char *error) {
  l->tok.kind = TK_BAD;
  if (!l->error) l->error = error;
}

/* False when a comment never ends. */
static bool skip_blank(struct ptx_lex *l) {
  const char *p = l->p, *end = l->end;
  while (p < end) {
    if (*p == '\n') {
      l->line++, p++;
    } else if (is(*p, SPACE)) {
      p++;
    } else if (*p == '/' && end - p > 1 && p[1] == '/') {
      p = memchr(p, '\n', (size_t)(end - p));
      if (!p) p = end;
    } else if (*p == '/' && end - p > 1 && p[1] == '*') {
      const char *open = p;
      u32 open_line = l->line;
      for (p += 2; end - p > 1 && !(p[0] == '*' && p[1] == '/'); p++) l->line += *p == '\n';
      if (end - p < 2) { /* the error is where it begins */
        l->line = open_line;
        l->p = open;
        return false;
      }
      p += 2;
    } else {
      break;
    }
  }
  l->p = p;
  return true;
}

/* name, name.x, op.mod.type, op.shared::cta */
static void word(struct ptx_lex *l) {
  const char *p = l->p, *end = l->end;
  u32 h = 2166136261u;
  for (;;) {
    while (p < end && is(*p, WORD_CHAR)) h = (h ^ (u8)*p++) * 16777619u;
    if (end - p > 1 && *p == '.' && is(p[1], WORD_CHAR)) {
      h = (h ^ (u8)*p++) * 16777619u;
    } else if (end - p > 2 && p[0] == ':' && p[1] == ':' && is(p[2], WORD_CHAR)) {
      h = (h ^ (u8)*p++) * 16777619u;
      h = (h ^ (u8)*p++) * 16777619u;
    } else {
      break;
    }
  }
  l->tok.kind = TK_WORD;
  l->tok.hash = h;
  l->tok.text = (str){l->p, (size_t)(p - l->p)};
  l->p = p;
}

static void directive(struct ptx_lex *l) {
  const char *start = ++l->p, *p = start, *end = l->end;
  for (;;) {
    while (p < end && is(*p, WORD_CHAR)) p++;
    if (end - p > 2 && p[0] == ':' && p[1] == ':' && is(p[2], WORD_CHAR))
      p += 2;
    else
      break;
  }
  l->tok.kind = TK_DIR;
  l->tok.text = (str){start, (size_t)(p - start)};
  l->p = p;
}

static u32 digit_value(char c) {
  if (c >= '0' && c <= '9') return (u32)(c - '0');
  return (u32)((c | 32) - 'a') + 10;
}

/* All of s as digits of the base; false on a foreign character or overflow. */
static bool digits(str s, u32 base, u64 *out) {
  u64 v = 0;
  if (s.n == 0) return false;
  for (size_t i = 0; i < s.n; i++) {
    if (!is(s.p[i], HEX) || digit_value(s.p[i]) >= base) return false;
    if (__builtin_mul_overflow(v, (u64)base, &v) ||
        __builtin_add_overflow(v, digit_value(s.p[i]), &v))
      return false;
  }
  *out = v;
  return true;
}

static void decimal_float(struct ptx_lex *l, str s) {
  char z[64];
  if (s.n >= sizeof z) {
    bad(l, "number too long");
    return;
  }
  memcpy(z, s.p, s.n);
  z[s.n] = 0;
  char *stop;
  double v = strtod(z, &stop);
  if (*stop) {
    bad(l, "malformed number");
    return;
  }
  memcpy(&l->tok.bits, &v, sizeof v);
  l->tok.is_float = true;
}

static void integer(struct ptx_lex *l, str s) {
  if (s.n > 1 && (s.p[s.n - 1] == 'U' || s.p[s.n - 1] == 'u')) s.n--;
  u32 base = 10;
  if (s.n > 1 && s.p[0] == '0') {
    char c = s.p[1];
    base = c == 'x' || c == 'X' ? 16 : c == 'b' || c == 'B' ? 2 : 8;
    s.p += base == 8 ? 1 : 2;
    s.n -= base == 8 ? 1 : 2;
  }
  if (!digits(s, base, &l->tok.bits))
    bad(l, "malformed number, or one that needs more than 64 bits");
}

/* Most numbers by far: a few decimal digits, or a single 0. */
static bool short_decimal(struct ptx_lex *l) {
  const char *p = l->p, *end = l->end;
  u64 v = 0;
  while (p < end && p - l->p < 9 && is(*p, DIGIT)) v = v * 10 + (u64)(*p++ - '0');
  if (p < end && (is(*p, WORD_CHAR) || *p == '.')) return false;
  if (*l->p == '0' && p - l->p > 1) return false; /* octal */
  l->tok.kind = TK_NUM;
  l->tok.text = (str){l->p, (size_t)(p - l->p)};
  l->tok.bits = v;
  l->p = p;
  return true;
}

static void number(struct ptx_lex *l) {
  if (short_decimal(l)) return;
  const char *p = l->p, *end = l->end;
  bool hex = end - p > 1 && p[0] == '0' && !is(p[1], DIGIT) && is(p[1], WORD_CHAR), real = false;
  while (p < end) {
    if (!hex && (*p == 'e' || *p == 'E') && end - p > 1 && (p[1] == '+' || p[1] == '-'))
      p += 2, real = true;
    else if (!hex && (*p == '.' || *p == 'e' || *p == 'E'))
      p++, real = true;
    else if (is(*p, WORD_CHAR))
      p++;
    else
      break;
  }
  str s = {l->p, (size_t)(p - l->p)};
  l->tok.kind = TK_NUM;
  l->tok.text = s;
  l->p = p;
  char c = s.n > 1 ? (char)(s.p[1] | 32) : 0;
  if (hex && (c == 'f' || c == 'd')) {
    size_t want = c == 'f' ? 8 : 16;
    str rest = {s.p + 2, s.n - 2};
    if (rest.n != want || !digits(rest, 16, &l->tok.bits))
      bad(l, "malformed floating-point literal");
    l->tok.is_float = true;
    l->tok.is_f32 = c == 'f';
  } else if (real) {
    decimal_float(l, s);
  } else {
    integer(l, s);
  }
}

static void string(struct ptx_lex *l) {
  const char *start = ++l->p, *p = start;
  while (p < l->end && *p != '"' && *p != '\n')
    p += *p == '\\' && l->end - p > 1 && p[1] != '\n' ? 2 : 1;
  l->tok.text = (str){start, (size_t)(p - start)};
  l->tok.kind = TK_STRING;
  if (p >= l->end || *p != '"') {
    bad(l, "string without an end");
    l->p = p;
    return;
  }
  l->p = p + 1;
}

void ptx_lex_next(struct ptx_lex *l) {
  bool closed = skip_blank(l);
  l->tok = (struct ptx_tok){.line = l->line, .text = {l->p, 0}};
  if (!closed) {
    bad(l, "comment without an end");
    l->p = l->end;
    return;
  }
  if (l->p >= l->end) return;
  char c = *l->p;
  if (is(c, DIGIT)) {
    number(l);
  } else if (is(c, WORD_CHAR)) {
    word(l);
  } else if (c == '.' && l->end - l->p > 1 && is(l->p[1], WORD_CHAR)) {
    directive(l);
  } else if (c == '"') {
    string(l);
  } else if (c > ' ' && c < 127) {
    l->tok.kind = (u8)c;
    l->tok.text.n = 1;
    l->p++;
  } else {
    bad(l, "unexpected character");
  }
}

void ptx_lex_start(struct ptx_lex *l, str text) {
  *l = (struct ptx_lex){.begin = text.p, .p = text.p, .end = text.p + text.n, .line = 1};
  ptx_lex_next(l);
}

void ptx_lex_skip_line(struct ptx_lex *l) {
  const char *p = l->p < l->end ? memchr(l->p, '\n', (size_t)(l->end - l->p)) : NULL;
  l->p = p ? p : l->end;
  ptx_lex_next(l);
}

bool ptx_lex_skip_section(struct ptx_lex *l) {
  /* Sections hold labels and numbers only: no strings, no braces. */
  size_t left = (size_t)(l->end - l->p);
  const char *close = left ? memchr(l->p, '}', left) : NULL;
  if (!close) return false;
  for (const char *p = l->p; (p = memchr(p, '\n', (size_t)(close - p))) != NULL; p++) l->line++;
  l->p = close + 1;
  ptx_lex_next(l);
  return true;
}
