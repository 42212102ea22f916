/* demangle.c - mangled C++ names to readable ones: names, scopes, encodings. Types and template
 * arguments are in demangle_type.c. Hostile names cost a bounded amount of work. */
#include "ptx/demangle.h"
#include "ptx/ptx.h"
#include <string.h>

/* ---- small steps ---- */

str dm_join(struct dm *d, const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  str s = {"", 0};
  d->work += (size_t)(n > 0 ? n : 0);
  if (n < 0 || n > DM_MAX_TEXT || d->work > DM_MAX_WORK) {
    d->bad = true;
  } else if (!d->bad) {
    s.p = arena_vprintf(d->scratch, fmt, ap);
    s.n = (size_t)n;
  }
  va_end(ap);
  return s;
}

char dm_peek(const struct dm *d, u32 ahead) {
  return (size_t)(d->end - d->p) > ahead ? d->p[ahead] : 0;
}

bool dm_eat(struct dm *d, char c) {
  if (d->bad || dm_peek(d, 0) != c) return false;
  d->p++;
  return true;
}

bool dm_fail(struct dm *d) {
  d->bad = true;
  return false;
}

bool dm_enter(struct dm *d) {
  /* also counts as work: an empty name may not loop for ever */
  d->work += 4;
  if (++d->depth > DM_MAX_DEPTH || d->work > DM_MAX_WORK) d->bad = true;
  return !d->bad;
}

static bool digit(char c) { return c >= '0' && c <= '9'; }

u32 dm_number(struct dm *d) {
  u32 n = 0;
  if (!digit(dm_peek(d, 0))) return dm_fail(d), 0;
  while (digit(dm_peek(d, 0))) {
    n = n * 10 + (u32)(*d->p++ - '0');
    if (n > DM_MAX_NAME) return dm_fail(d), 0;
  }
  return n;
}

void dm_remember(struct dm *d, struct dm_piece p) {
  if (d->sub_count == DM_MAX_SUBS)
    d->bad = true;
  else
    d->sub[d->sub_count++] = p;
}

static struct dm_piece plain(str s) { return (struct dm_piece){s, STR(""), DM_PLAIN}; }

bool dm_substitution(struct dm *d, struct dm_piece *out) {
  static const struct {
    char c;
    const char *text;
  } std_names[] = {{'a', "std::allocator"}, {'b', "std::basic_string"}, {'s', "std::string"},
                   {'i', "std::istream"},   {'o', "std::ostream"},      {'d', "std::iostream"}};
  if (dm_peek(d, 0) != 'S') return false;
  char c = dm_peek(d, 1);
  for (size_t i = 0; i < COUNT_OF(std_names); i++)
    if (c == std_names[i].c) {
      d->p += 2;
      *out = plain(str_of(std_names[i].text));
      return true;
    }
  if (c != '_' && !digit(c) && !(c >= 'A' && c <= 'Z')) return false;
  u32 n = 0;
  d->p++;
  if (!dm_eat(d, '_')) {
    for (; digit(dm_peek(d, 0)) || (dm_peek(d, 0) >= 'A' && dm_peek(d, 0) <= 'Z'); d->p++) {
      n = n * 36 + (u32)(digit(*d->p) ? *d->p - '0' : *d->p - 'A' + 10);
      if (n > DM_MAX_SUBS) return dm_fail(d);
    }
    n++;
    if (!dm_eat(d, '_')) return dm_fail(d);
  }
  if (n >= d->sub_count) return dm_fail(d);
  *out = d->sub[n];
  return true;
}

/* ---- components ---- */

static bool source_name(struct dm *d, str *out) {
  u32 n = dm_number(d);
  if (d->bad || n == 0 || (size_t)(d->end - d->p) < n) return dm_fail(d);
  *out = (str){d->p, n};
  d->p += n;
  /* The compiler's own name for the file scope, and for an unnamed namespace. */
  if (str_starts(*out, "_INTERNAL_")) *out = STR("");
  if (str_starts(*out, "_GLOBAL__N_")) *out = STR("(anonymous namespace)");
  return true;
}

static bool operator_name(struct dm *d, struct dm_name *out) {
  static const char table[][12] = {
      "nw new", "na new[]", "dl delete", "da delete[]", "ng-",   "ad&",  "de*",  "co~",
      "pl+",    "mi-",      "ml*",       "dv/",         "rm%",   "an&",  "or|",  "eo^",
      "aS=",    "pL+=",     "mI-=",      "mL*=",        "dV/=",  "rM%=", "aN&=", "oR|=",
      "eO^=",   "ls<<",     "rs>>",      "lS<<=",       "rS>>=", "eq==", "ne!=", "lt<",
      "gt>",    "le<=",     "ge>=",      "nt!",         "aa&&",  "oo||", "pp++", "mm--",
      "cm,",    "pm->*",    "pt->",      "cl()",        "ix[]",  "ss<=>"};
  char a = dm_peek(d, 0), b = dm_peek(d, 1);
  if (a == 'c' && b == 'v') {
    struct dm_piece t;
    d->p += 2;
    if (!dm_type(d, &t)) return false;
    str s = dm_type_text(&t, d);
    out->last = dm_join(d, "operator " STR_F, STR_A(s));
    out->no_return_type = true;
    return !d->bad;
  }
  for (size_t i = 0; i < COUNT_OF(table); i++)
    if (table[i][0] == a && table[i][1] == b) {
      d->p += 2;
      size_t n = strnlen(table[i] + 2, sizeof table[i] - 2);
      out->last = dm_join(d, "operator%.*s", (int)n, table[i] + 2);
      return !d->bad;
    }
  return dm_fail(d);
}

/* Ul..E_ and Ut_: lambdas and unnamed types are numbered from 1, the first without a digit. */
static bool unnamed(struct dm *d, str *out) {
  str params = {"", 0};
  bool lambda = dm_peek(d, 1) == 'l';
  d->p += 2;
  if (lambda && (!dm_type_list(d, &params) || !dm_eat(d, 'E'))) return dm_fail(d);
  u32 n = 1;
  if (digit(dm_peek(d, 0))) n = dm_number(d) + 2;
  if (!dm_eat(d, '_')) return dm_fail(d);
  *out = lambda ? dm_join(d, "{lambda(" STR_F ")#%u}", STR_A(params), n)
                : dm_join(d, "{unnamed type#%u}", n);
  return !d->bad;
}

/* One component: an identifier, operator, constructor, lambda. `scope`: text before it. */
static bool component(struct dm *d, str scope_last, struct dm_name *out) {
  char c = dm_peek(d, 0), c2 = dm_peek(d, 1);
  out->no_return_type = false;
  if (c == 'L' && digit(c2)) d->p++, c = c2; /* internal linkage */
  bool ok;
  if (digit(c)) {
    ok = source_name(d, &out->last);
  } else if ((c == 'C' || c == 'D') && digit(c2)) {
    d->p += 2;
    out->last = c == 'C' ? scope_last : dm_join(d, "~" STR_F, STR_A(scope_last));
    ok = out->no_return_type = true;
  } else if (c == 'U' && (c2 == 'l' || c2 == 't')) {
    ok = unnamed(d, &out->last);
  } else {
    ok = operator_name(d, out);
  }
  while (ok && dm_eat(d, 'B')) { /* ABI tag: not shown */
    str tag;
    ok = source_name(d, &tag);
  }
  return ok && !d->bad;
}

static str scoped(struct dm *d, str scope, str name) {
  if (scope.n == 0) return name;
  if (name.n == 0) return scope;
  return dm_join(d, STR_F "::" STR_F, STR_A(scope), STR_A(name));
}

/* One step of a nested name; *fresh: what stands now may be a substitution candidate. */
static bool nested_step(struct dm *d, struct dm_name *n, bool *fresh) {
  struct dm_piece s;
  char c = dm_peek(d, 0);
  *fresh = true;
  if (c == 'S' && dm_peek(d, 1) == 't') {
    d->p += 2;
    n->full = n->last = STR("std");
    *fresh = false;
    return true;
  }
  if (c == 'S') {
    if (!dm_substitution(d, &s)) return dm_fail(d);
    n->full = n->last = dm_type_text(&s, d);
    *fresh = false;
    return true;
  }
  if (c == 'T') {
    if (!dm_template_param(d, &s)) return false;
    n->full = n->last = dm_type_text(&s, d);
    return true;
  }
  if (c == 'I') {
    str args;
    d->p++;
    if (!dm_template_args(d, true, &args)) return false;
    n->full = dm_join(d, STR_F STR_F, STR_A(n->full), STR_A(args));
    n->templated = true;
    return !d->bad;
  }
  str scope = n->full;
  if (!component(d, n->last, n)) return false;
  n->full = scoped(d, scope, n->last);
  n->templated = false;
  return !d->bad;
}

/* behind the N, with its E */
static bool nested_name(struct dm *d, struct dm_name *n) {
  bool is_const = false, is_volatile = false;
  for (;; d->p++) {
    char c = dm_peek(d, 0);
    if (c == 'K')
      is_const = true;
    else if (c == 'V')
      is_volatile = true;
    else if (c != 'r')
      break;
  }
  if (!dm_eat(d, 'R')) dm_eat(d, 'O');
  n->qualifiers = is_const      ? is_volatile ? " const volatile" : " const"
                  : is_volatile ? " volatile"
                                : "";
  while (!dm_eat(d, 'E')) {
    bool fresh;
    if (d->bad || d->p >= d->end || !nested_step(d, n, &fresh)) return dm_fail(d);
    /* every prefix is a candidate, the whole name is not (unless as a type; see dm_type) */
    if (fresh && dm_peek(d, 0) != 'E') dm_remember(d, plain(n->full));
  }
  return !d->bad;
}

/* behind the Z: an entity inside a function */
static bool local_name(struct dm *d, struct dm_name *n) {
  struct dm_name outer;
  if (!dm_encoding(d, &outer) || !dm_eat(d, 'E')) return dm_fail(d);
  if (dm_eat(d, 's')) {
    n->full = scoped(d, outer.full, STR("string literal"));
    n->last = STR("string literal");
  } else {
    if (dm_eat(d, 'd')) { /* in a default argument */
      while (digit(dm_peek(d, 0))) d->p++;
      if (!dm_eat(d, '_')) return dm_fail(d);
    }
    struct dm_name inner;
    if (!dm_name(d, &inner)) return false;
    *n = inner;
    n->full = scoped(d, outer.full, inner.full);
  }
  if (dm_eat(d, '_')) { /* discriminator: _3, __12_ */
    bool longer = dm_eat(d, '_');
    while (digit(dm_peek(d, 0))) d->p++;
    if (longer) dm_eat(d, '_');
  }
  return !d->bad;
}

static bool unscoped_name(struct dm *d, struct dm_name *n) {
  struct dm_piece s;
  bool is_std = dm_peek(d, 0) == 'S' && dm_peek(d, 1) == 't';
  if (!is_std && dm_substitution(d, &s)) {
    n->full = n->last = dm_type_text(&s, d);
    n->substituted = true;
  } else {
    if (is_std) d->p += 2;
    if (d->bad || !component(d, STR(""), n)) return false;
    n->full = is_std ? dm_join(d, "std::" STR_F, STR_A(n->last)) : n->last;
  }
  if (dm_peek(d, 0) != 'I') return !d->bad;
  if (!n->substituted) dm_remember(d, plain(n->full));
  str args;
  d->p++;
  if (!dm_template_args(d, true, &args)) return false;
  n->full = dm_join(d, STR_F STR_F, STR_A(n->full), STR_A(args));
  n->templated = true;
  n->substituted = false;
  return !d->bad;
}

bool dm_name(struct dm *d, struct dm_name *out) {
  *out = (struct dm_name){STR(""), STR(""), false, false, "", false};
  bool ok = dm_enter(d);
  if (ok) {
    if (dm_eat(d, 'N'))
      ok = nested_name(d, out);
    else if (dm_eat(d, 'Z'))
      ok = local_name(d, out);
    else
      ok = unscoped_name(d, out);
  }
  d->depth--;
  return ok && !d->bad;
}

bool dm_encoding(struct dm *d, struct dm_name *out) {
  if (!dm_name(d, out)) return false;
  char c = dm_peek(d, 0);
  if (c == 0 || c == 'E' || c == '.' || c == '$') return true; /* an object */
  struct dm_piece ret = plain(STR(""));
  bool has_return = out->templated && !out->no_return_type;
  if (has_return && !dm_type(d, &ret)) return false;
  str params;
  if (!dm_type_list(d, &params)) return false;
  out->full = dm_join(d, STR_F "%s" STR_F "(" STR_F ")%s" STR_F, STR_A(ret.pre),
                      has_return && ret.shape == DM_PLAIN && ret.post.n == 0 ? " " : "",
                      STR_A(out->full), STR_A(params), out->qualifiers, STR_A(ret.post));
  return !d->bad;
}

/* `all`: with parameters; else the name alone, the rest of the text does not matter. */
static bool demangle(struct arena *scratch, str mangled, bool all, struct dm_name *out) {
  struct dm *d = NEW(scratch, struct dm);
  *d = (struct dm){.p = mangled.p + 2, .end = mangled.p + mangled.n, .scratch = scratch};
  bool ok = all ? dm_encoding(d, out) : dm_name(d, out);
  char rest = dm_peek(d, 0);
  ok = ok && (!all || rest == 0 || rest == '.' || rest == '$');
  return ok && out->last.n && out->full.n;
}

str ptx_demangle(struct arena *a, str mangled, bool short_form) {
  if (mangled.n > DM_MAX_NAME || !str_starts(mangled, "_Z")) return mangled;
  struct arena scratch = {0};
  struct dm_name name;
  /* Parameters may hold expressions that are not understood: the name alone is better than nothing.
   */
  bool ok = demangle(&scratch, mangled, true, &name) || demangle(&scratch, mangled, false, &name);
  str out = ok ? str_copy(a, short_form ? name.last : name.full) : mangled;
  arena_free(&scratch);
  return out;
}
