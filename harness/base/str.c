/* str.c - counted strings, growing text, and the one random number generator. No I/O. */
#include "base/base.h"
#include <stdlib.h>
#include <string.h>

str str_of(const char *z) { return (str){z, z ? strlen(z) : 0}; }

bool str_eq(str a, str b) { return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0); }

bool str_eqz(str a, const char *z) { return str_eq(a, str_of(z)); }

bool str_starts(str s, const char *prefix) {
  size_t n = strlen(prefix);
  return s.n >= n && (n == 0 || memcmp(s.p, prefix, n) == 0);
}

bool str_has(str s, const char *needle) {
  size_t n = strlen(needle);
  if (n == 0) return true;
  for (size_t i = 0; i + n <= s.n; i++)
    if (s.p[i] == needle[0] && memcmp(s.p + i, needle, n) == 0) return true;
  return false;
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

str str_trim(str s) {
  while (s.n && is_space(s.p[0])) s.p++, s.n--;
  while (s.n && is_space(s.p[s.n - 1])) s.n--;
  return s;
}

str str_copy(struct arena *a, str s) {
  char *p = arena_alloc(a, s.n + 1);
  if (s.n) memcpy(p, s.p, s.n);
  p[s.n] = 0;
  return (str){p, s.n};
}

u64 str_hash(str s) {
  u64 h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < s.n; i++) h = (h ^ (u8)s.p[i]) * 0x100000001b3u;
  return h;
}

bool str_line(str *rest, str *line) {
  if (rest->n == 0) return false;
  const char *end = memchr(rest->p, '\n', rest->n);
  size_t n = end ? (size_t)(end - rest->p) : rest->n;
  *line = (str){rest->p, n};
  size_t eaten = end ? n + 1 : n;
  rest->p += eaten;
  rest->n -= eaten;
  return true;
}

/* ---- growing text: always NUL-terminated behind n, once anything was added ---- */

void strbuf_add(struct strbuf *b, const char *bytes, size_t n) {
  b->p = base_grow(b->p, &b->cap, b->n + n + 1, 1);
  if (n) memcpy(b->p + b->n, bytes, n);
  b->n += n;
  b->p[b->n] = 0;
}

void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  if (n < 0) BUG("bad format: %s", fmt);
  b->p = base_grow(b->p, &b->cap, b->n + (size_t)n + 1, 1);
  vsnprintf(b->p + b->n, (size_t)n + 1, fmt, ap);
  b->n += (size_t)n;
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  strbuf_vprintf(b, fmt, ap);
  va_end(ap);
}

void strbuf_free(struct strbuf *b) {
  free(b->p);
  *b = (struct strbuf){0};
}

/* ---- splitmix64 (Steele, Lea, Flood 2014) ---- */

u64 rng_next(u64 *state) {
  u64 z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

u32 rng_below(u64 *state, u32 n) {
  if (n == 0) BUG("rng_below(0)");
  return (u32)(((rng_next(state) >> 32) * n) >> 32);
}
