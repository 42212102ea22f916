/* shapes.c - how long the rows of an array are. PTX declares arrays flat, `.b8 cell[4096]`, and the
 * debug information says nothing of shared ones: so the declaration is looked up in the source
 * text. No C++ parser: what is not understood, or does not fit the size in the PTX, stays flat. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "compile/compile.h"

enum { SOURCE_MAX = 1 << 20, DEPTH_MAX = 8 };

struct text { /* without comments and strings; NUL-terminated */
  const char *p;
  size_t n;
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* ---- the source ---- */
static size_t past_quiet(const char *p, size_t i) {
  if (p[i] == '/' && p[i + 1] == '/') return i + strcspn(p + i, "\n");
  if (p[i] == '/' && p[i + 1] == '*') {
    const char *end = strstr(p + i + 2, "*/");
    return end ? (size_t)(end - p) + 2 : i + strlen(p + i);
  }
  if (p[i] != '"' && p[i] != '\'') return i;
  char quote = p[i++];
  while (p[i] && p[i] != quote && p[i] != '\n') i += p[i] == '\\' && p[i + 1] ? 2 : 1;
  return p[i] == quote ? i + 1 : i;
}

static struct text plain(struct arena *a, str source) {
  char *p = (char *)(uintptr_t)str_copy(a, source).p;
  size_t n = strlen(p);
  for (size_t i = 0; i < n;) {
    size_t end = past_quiet(p, i);
    for (size_t k = i; k < end; k++)
      if (p[k] != '\n') p[k] = ' ';
    i = end > i ? end : i + 1;
  }
  return (struct text){p, n};
}

/* The next place of the word behind `from`, or NULL. */
static const char *find_word(struct text t, const char *from, str word) {
  for (const char *p = from; (p = strstr(p, word.p)) != NULL; p++)
    if ((p == t.p || !is_word(p[-1])) && !is_word(p[word.n])) return p;
  return NULL;
}

/* ---- constants: numbers, names of constants and macros, + - * / and parentheses ---- */
struct number {
  struct text t;
  struct arena *a;
  const char *p;
  u32 depth;
  bool ok;
};
static u64 sum(struct number *n);

static void blanks(struct number *n) {
  while (*n->p == ' ' || *n->p == '\t') n->p++;
}

/* `#define NAME value`, `NAME = value`: all there are must agree. */
static u64 named(struct number *n, str name) {
  u64 value = 0;
  bool found = false;
  for (const char *p = n->t.p; n->depth < DEPTH_MAX && (p = find_word(n->t, p, name)); p++) {
    const char *q = p + name.n, *line = p;
    while (line > n->t.p && line[-1] != '\n') line--;
    bool macro = strncmp(line, "#define ", 8) == 0 && p == line + 8 && *q == ' ';
    q += strspn(q, " \t");
    if (!macro && (*q != '=' || q[1] == '=')) continue;
    struct number inner = {n->t, n->a, q + !macro, n->depth + 1, true};
    u64 v = sum(&inner);
    blanks(&inner);
    if (!inner.ok || !strchr(macro ? "\n" : ";,}", *inner.p) || (found && v != value)) {
      found = false;
      break;
    }
    value = v;
    found = true;
  }
  n->ok &= found;
  return value;
}

static u64 atom(struct number *n) {
  blanks(n);
  u64 v = 0;
  if (*n->p == '(') {
    n->p++;
    v = sum(n);
    blanks(n);
    n->ok &= *n->p == ')';
    n->p += *n->p == ')';
  } else if (isdigit((unsigned char)*n->p)) {
    char *end;
    v = strtoull(n->p, &end, 0);
    while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L') end++;
    n->ok &= !is_word(*end);
    n->p = end;
  } else {
    const char *from = n->p;
    while (is_word(*n->p)) n->p++;
    if (n->p == from) return n->ok = false;
    v = named(n, str_copy(n->a, (str){from, (size_t)(n->p - from)}));
  }
  return v;
}

static u64 product(struct number *n) {
  u64 v = atom(n);
  for (blanks(n); n->ok && (*n->p == '*' || *n->p == '/'); blanks(n)) {
    bool times = *n->p++ == '*';
    u64 w = atom(n);
    if (w == 0 || v > UINT32_MAX || w > UINT32_MAX) return n->ok = false;
    v = times ? v * w : v / w;
  }
  return v;
}

static u64 sum(struct number *n) {
  if (n->depth++ >= DEPTH_MAX) return n->ok = false;
  u64 v = product(n);
  for (blanks(n); n->ok && (*n->p == '+' || *n->p == '-'); blanks(n)) {
    bool plus = *n->p++ == '+';
    u64 w = product(n);
    if (v > UINT32_MAX || w > UINT32_MAX || (!plus && w > v)) return n->ok = false;
    v = plus ? v + w : v - w;
  }
  n->depth--;
  return v;
}

/* ---- declarations ---- */
/* "[8][W + 1]" from p on. */
static bool lengths(struct arena *a, struct text t, const char *p, struct ptx_shape *out) {
  *out = (struct ptx_shape){0};
  for (p += strspn(p, " \t"); *p == '['; p += strspn(p, " \t")) {
    struct number n = {t, a, p + 1, 0, true};
    u64 v = sum(&n);
    blanks(&n);
    if (!n.ok || *n.p != ']' || v == 0 || v > UINT32_MAX || out->count == PTX_DIMENSIONS)
      return false;
    out->dim[out->count++] = (u32)v;
    p = n.p + 1;
  }
  return out->count > 1;
}

/* Does the statement that p stands in begin a variable of the device? */
static bool is_declaration(struct text t, const char *p) {
  static const char *const words[] = {"__shared__", "__device__", "__constant__", "__managed__"};
  const char *from = p;
  while (from > t.p && !strchr(";{}", from[-1])) from--;
  for (size_t i = 0; i < COUNT_OF(words); i++)
    if (str_has((str){from, (size_t)(p - from)}, words[i])) return true;
  return false;
}

static bool fits(const struct ptx_var *v, struct ptx_shape *s) {
  u64 count = 1;
  for (u32 i = 0; i < s->count; i++) {
    if (count > v->size_bytes) return false;
    count *= s->dim[i];
  }
  if (v->size_bytes % count) return false;
  u64 bytes = v->size_bytes / count;
  s->elem_bytes = (u32)bytes;
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static void look_up(struct arena *a, struct text t, struct ptx_var *v) {
  str name = ptx_demangle(a, v->name, true);
  struct ptx_shape found = {0}, s;
  if (name.n == 0 || memchr(name.p, ' ', name.n)) return;
  name = str_copy(a, name);
  for (const char *p = t.p; (p = find_word(t, p, name)) != NULL; p++) {
    if (!is_declaration(t, p)) continue;
    const char *after = p + name.n;
    if (*(after + strspn(after, " \t")) != '[') continue;
    /* Two of that name, and not alike: it may be either. */
    if (!lengths(a, t, after, &s) || !fits(v, &s)) return;
    if (found.count && memcmp(&found, &s, sizeof s) != 0) return;
    found = s;
  }
  v->shape = found;
}

void compile_shapes(const char *path, struct ptx_module *m) {
  struct arena a = {0};
  struct diag none = {0};
  str source;
  if (file_read(&a, path, SOURCE_MAX, &source, &none)) {
    struct text t = plain(&a, source);
    for (u32 i = 0; i < m->var_count; i++)
      if (m->vars[i].is_array && !m->vars[i].unsized) look_up(&a, t, &m->vars[i]);
  }
  arena_free(&a);
}
