/* kernel.c - questions to a finished module: a kernel by its name, the source position of an
 * instruction. */
#include "ptx/ptx.h"
#include <string.h>

/* Where the parameter list of "void ns::k<f(int)>(int)" begins; the length when it has none. */
static size_t parameters_at(str s) {
  if (s.n == 0 || s.p[s.n - 1] != ')') return s.n;
  u32 depth = 0;
  for (size_t i = s.n; i-- > 0;) {
    if (s.p[i] == ')') depth++;
    if (s.p[i] == '(' && --depth == 0) return i;
  }
  return s.n;
}

/* "void ns::k<4, int>(int*)" -> "ns::k<4, int>": no parameters, no return type. */
static str qualified(str demangled) {
  str s = {demangled.p, parameters_at(demangled)};
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (c == '<' || c == '(') depth++;
    if (c == '>' || c == ')') depth--;
    if (c == ' ' && depth == 0) start = i + 1;
  }
  return (str){s.p + start, s.n - start};
}

static str without_template(str s) {
  int depth = 0;
  if (s.n == 0 || s.p[s.n - 1] != '>') return s;
  for (size_t i = s.n; i-- > 0;) {
    if (s.p[i] == '>') depth++;
    if (s.p[i] == '<' && --depth == 0) return (str){s.p, i};
  }
  return s;
}

static str last_component(str s) {
  int depth = 0;
  for (size_t i = s.n; i-- > 1;) {
    if (s.p[i] == '>' || s.p[i] == ')') depth++;
    if (s.p[i] == '<' || s.p[i] == '(') depth--;
    if (depth == 0 && s.p[i] == ':' && s.p[i - 1] == ':') return (str){s.p + i + 1, s.n - i - 1};
  }
  return s;
}

static bool is_word(str s, size_t i) {
  char c = i < s.n ? s.p[i] : 0;
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
/* Equal but for spaces that part no two words: "k<float,3>" is "k<float, 3>". */
static bool is_same(str a, str b) {
  size_t i = 0, k = 0;
  for (;;) {
    bool gap_a = i > 0 && is_word(a, i - 1), gap_b = k > 0 && is_word(b, k - 1);
    size_t from_a = i, from_b = k;
    while (i < a.n && a.p[i] == ' ') i++;
    while (k < b.n && b.p[k] == ' ') k++;
    if (i == a.n || k == b.n) return i == a.n && k == b.n;
    gap_a = gap_a && i > from_a && is_word(a, i);
    gap_b = gap_b && k > from_b && is_word(b, k);
    if (gap_a != gap_b || a.p[i++] != b.p[k++]) return false;
  }
}

str ptx_plain_name(const struct ptx_func *f) {
  str d = f->demangled.n ? f->demangled : f->name;
  return last_component(without_template(qualified(d)));
}

str ptx_param_types(const struct ptx_func *f) {
  size_t at = parameters_at(f->demangled);
  if (at >= f->demangled.n) return STR("");
  return (str){f->demangled.p + at + 1, f->demangled.n - at - 2};
}

/* How closely a name fits: 1 mangled, 2 qualified, 3 without template arguments, 4 last component;
 * 0 = not at all. */
static u32 fit(const struct ptx_func *f, str name) {
  str q = qualified(f->demangled), plain = without_template(q);
  if (str_eq(f->name, name)) return 1;
  if (is_same(f->demangled, name) || is_same(q, name)) return 2;
  if (is_same(plain, name)) return 3;
  return is_same(last_component(plain), name) || is_same(last_component(q), name) ? 4 : 0;
}

static void list_kernels(const struct ptx_module *m, str name, u32 rank, struct strbuf *out) {
  u32 shown = 0;
  for (u32 i = 0; i < m->func_count; i++) {
    const struct ptx_func *f = &m->funcs[i];
    if (!f->is_entry || f->is_extern || (rank && fit(f, name) != rank)) continue;
    if (shown++ == 8) {
      strbuf_printf(out, ", ...");
      return;
    }
    str d = f->demangled;
    strbuf_printf(out, "%s%.*s", shown > 1 ? ", " : "", (int)(d.n < 100 ? d.n : 100), d.p);
  }
}

const struct ptx_func *ptx_kernel(const struct ptx_module *m, str name, struct diag *why) {
  const struct ptx_func *hit = NULL;
  u32 best = UINT32_MAX, count = 0;
  for (u32 i = 0; i < m->func_count; i++) {
    const struct ptx_func *f = &m->funcs[i];
    if (!f->is_entry || f->is_extern) continue;
    u32 rank = fit(f, name);
    if (rank == 0 || rank > best) continue;
    count = rank == best ? count + 1 : 1;
    best = rank;
    hit = f;
  }
  if (count == 1) return hit;
  struct strbuf names = {0};
  int n = (int)(name.n < 200 ? name.n : 200);
  list_kernels(m, name, count ? best : 0, &names);
  if (count)
    diag_set(why, "kernel name '%.*s' is ambiguous: %s", n, name.p, names.p);
  else if (names.n)
    diag_set(why, "no kernel is named '%.*s'; the file has %s", n, name.p, names.p);
  else
    diag_set(why, "no kernel is named '%.*s'; the file has no kernel at all", n, name.p);
  strbuf_free(&names);
  return NULL;
}

void ptx_where(const struct ptx_module *m, i32 loc, str *file, u32 *line) {
  bool known = loc >= 0 && (u32)loc < m->loc_count && m->locs[loc].file < m->file_count;
  *file = known ? m->files[m->locs[loc].file] : STR("");
  *line = known ? m->locs[loc].line : 0;
}
