/* demangle_type.c - types, template arguments and literals of mangled names; see demangle.h. */
#include "ptx/demangle.h"
#include <string.h>

static struct dm_piece plain(str s) { return (struct dm_piece){s, STR(""), DM_PLAIN}; }

str dm_type_text(const struct dm_piece *p, struct dm *d) {
  if (p->post.n == 0) return p->pre;
  return dm_join(d, STR_F STR_F, STR_A(p->pre), STR_A(p->post));
}

static const char *builtin(char c) {
  switch (c) {
  case 'v': return "void";
  case 'w': return "wchar_t";
  case 'b': return "bool";
  case 'c': return "char";
  case 'a': return "signed char";
  case 'h': return "unsigned char";
  case 's': return "short";
  case 't': return "unsigned short";
  case 'i': return "int";
  case 'j': return "unsigned int";
  case 'l': return "long";
  case 'm': return "unsigned long";
  case 'x': return "long long";
  case 'y': return "unsigned long long";
  case 'n': return "__int128";
  case 'o': return "unsigned __int128";
  case 'f': return "float";
  case 'd': return "double";
  case 'e': return "long double";
  case 'g': return "__float128";
  case 'z': return "...";
  default: return NULL;
  }
}

/* Pointer, reference: inside the parentheses of a function or array. */
static struct dm_piece declarator(struct dm *d, struct dm_piece t, const char *mark) {
  struct dm_piece r = {t.pre, t.post, DM_PLAIN};
  bool is_ref = t.pre.n && t.pre.p[t.pre.n - 1] == '&';
  if (is_ref && mark[0] == '&') { /* references collapse: only && of && stays && */
    bool both = t.pre.n > 1 && t.pre.p[t.pre.n - 2] == '&';
    if (both && mark[1] == 0) r.pre.n--;
    return r;
  }
  if (t.shape == DM_PLAIN) {
    r.pre = dm_join(d, STR_F "%s", STR_A(t.pre), mark);
  } else {
    str post = t.shape == DM_FUNCTION ? str_trim(t.post) : t.post;
    r.pre = dm_join(d, STR_F " (%s", STR_A(t.pre), mark);
    r.post = dm_join(d, ")" STR_F, STR_A(post));
  }
  return r;
}

static bool qualified(struct dm *d, struct dm_piece *out) {
  bool is_const = false, is_volatile = false, is_restrict = false;
  for (;; d->p++) {
    char c = dm_peek(d, 0);
    if (c == 'K')
      is_const = true;
    else if (c == 'V')
      is_volatile = true;
    else if (c == 'r')
      is_restrict = true;
    else
      break;
  }
  if (!dm_type(d, out)) return false;
  const char *text = is_const      ? is_volatile ? " const volatile" : " const"
                     : is_volatile ? " volatile"
                                   : "";
  if (out->shape == DM_PLAIN)
    out->pre = dm_join(d, STR_F "%s%s", STR_A(out->pre), text, is_restrict ? " __restrict__" : "");
  return true;
}

/* behind the F, with its E */
static bool function_type(struct dm *d, struct dm_piece *out) {
  struct dm_piece ret;
  str params;
  dm_eat(d, 'Y');
  if (!dm_type(d, &ret) || !dm_type_list(d, &params)) return false;
  if (!dm_eat(d, 'R')) dm_eat(d, 'O');
  if (!dm_eat(d, 'E')) return dm_fail(d);
  str post = dm_join(d, " (" STR_F ")" STR_F, STR_A(params), STR_A(ret.post));
  *out = (struct dm_piece){ret.pre, post, DM_FUNCTION};
  return true;
}

static bool array_type(struct dm *d, struct dm_piece *out) {
  const char *start = d->p;
  while (dm_peek(d, 0) >= '0' && dm_peek(d, 0) <= '9') d->p++;
  str size = {start, (size_t)(d->p - start)};
  struct dm_piece t;
  if (!dm_eat(d, '_') || !dm_type(d, &t)) return dm_fail(d);
  str inner = t.shape == DM_ARRAY ? str_trim(t.post) : t.post;
  str post = dm_join(d, " [" STR_F "]" STR_F, STR_A(size), STR_A(inner));
  *out = (struct dm_piece){t.pre, post, DM_ARRAY};
  return true;
}

static bool member_pointer(struct dm *d, struct dm_piece *out) {
  struct dm_piece class, member;
  if (!dm_type(d, &class) || !dm_type(d, &member)) return false;
  str mark = dm_join(d, "%s" STR_F "::*", member.shape == DM_PLAIN ? " " : "", STR_A(class.pre));
  *out = d->bad ? plain(STR("")) : declarator(d, member, mark.p);
  return !d->bad;
}

/* Behind the D: the two-letter types. *fresh: a substitution candidate. */
static bool d_type(struct dm *d, struct dm_piece *out, bool *fresh) {
  static const struct {
    char c;
    const char *text;
  } names[] = {{'n', "decltype(nullptr)"}, {'i', "char32_t"}, {'s', "char16_t"},
               {'u', "char8_t"},           {'h', "half"},     {'a', "auto"},
               {'c', "decltype(auto)"}};
  char c = dm_peek(d, 0);
  *fresh = false;
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (c == names[i].c) {
      d->p++;
      *out = plain(str_of(names[i].text));
      return true;
    }
  *fresh = true;
  if (dm_eat(d, 'p')) return dm_type(d, out); /* a pack, already put together */
  if (dm_eat(d, 'F')) {
    u32 bits = dm_number(d);
    bool brain = dm_eat(d, 'b');
    *fresh = false;
    *out = plain(brain ? STR("__bf16") : dm_join(d, "_Float%u", bits));
    return brain || dm_eat(d, '_') || dm_fail(d);
  }
  if (dm_eat(d, 'v')) {
    u32 n = dm_number(d);
    if (!dm_eat(d, '_') || !dm_type(d, out)) return dm_fail(d);
    out->pre = dm_join(d, STR_F " __vector(%u)", STR_A(out->pre), n);
    return true;
  }
  if (dm_eat(d, 'o')) return dm_eat(d, 'F') ? function_type(d, out) : dm_fail(d);
  return dm_fail(d); /* decltype */
}

bool dm_template_param(struct dm *d, struct dm_piece *out) {
  u32 n = 0;
  if (!dm_eat(d, 'T')) return dm_fail(d);
  if (dm_peek(d, 0) != '_') n = dm_number(d) + 1;
  if (!dm_eat(d, '_')) return dm_fail(d);
  /* a generic lambda's own parameters have no arguments here */
  *out = n < d->arg_count ? d->arg[n] : plain(dm_join(d, "auto:%u", n + 1));
  return !d->bad;
}

/* A substitution or T_ may be a template that takes arguments here. */
static bool with_args(struct dm *d, struct dm_piece *out, bool *fresh) {
  if (dm_peek(d, 0) != 'I') return true;
  if (*fresh) dm_remember(d, *out);
  str args;
  d->p++;
  if (!dm_template_args(d, false, &args)) return false;
  out->pre = dm_join(d, STR_F STR_F, STR_A(out->pre), STR_A(args));
  *fresh = true;
  return true;
}

static bool named_type(struct dm *d, struct dm_piece *out, bool *fresh) {
  struct dm_name n;
  u32 args = d->arg_count;
  struct dm_piece *saved = NEWN(d->scratch, struct dm_piece, args);
  memcpy(saved, d->arg, args * sizeof *saved); /* T_ belongs to the name outside */
  bool ok = dm_name(d, &n);
  memcpy(d->arg, saved, args * sizeof *saved);
  d->arg_count = args;
  *out = plain(n.full);
  *fresh = !n.substituted;
  return ok;
}

static bool vendor_qualified(struct dm *d, struct dm_piece *out) {
  u32 n = dm_number(d); /* U3AS1: an address space */
  if (d->bad || (size_t)(d->end - d->p) < n) return dm_fail(d);
  str name = {d->p, n};
  d->p += n;
  if (!dm_type(d, out)) return false;
  out->pre = dm_join(d, STR_F " " STR_F, STR_A(out->pre), STR_A(name));
  return true;
}

static bool vendor_builtin(struct dm *d, struct dm_piece *out) {
  u32 n = dm_number(d);
  if (d->bad || (size_t)(d->end - d->p) < n) return dm_fail(d);
  *out = plain((str){d->p, n});
  d->p += n;
  return true;
}

static bool any_type(struct dm *d, struct dm_piece *out, bool *fresh) {
  char c = dm_peek(d, 0), c2 = dm_peek(d, 1);
  const char *name = builtin(c);
  if (name) {
    d->p++;
    *out = plain(str_of(name));
    *fresh = false;
    return true;
  }
  switch (c) {
  case 'r':
  case 'V':
  case 'K': return qualified(d, out);
  case 'P':
  case 'R':
  case 'O':
    d->p++;
    if (!dm_type(d, out)) return false;
    *out = declarator(d, *out, c == 'P' ? "*" : c == 'R' ? "&" : "&&");
    return true;
  case 'F': d->p++; return function_type(d, out);
  case 'A': d->p++; return array_type(d, out);
  case 'M': d->p++; return member_pointer(d, out);
  case 'D': d->p++; return d_type(d, out, fresh);
  case 'u': d->p++; return vendor_builtin(d, out);
  case 'T': return dm_template_param(d, out) && with_args(d, out, fresh);
  case 'U':
    if (c2 == 'l' || c2 == 't') return named_type(d, out, fresh);
    d->p++;
    return vendor_qualified(d, out);
  case 'S':
    if (c2 == 't') return named_type(d, out, fresh);
    *fresh = false;
    return (dm_substitution(d, out) || dm_fail(d)) && with_args(d, out, fresh);
  default: return named_type(d, out, fresh);
  }
}

bool dm_type(struct dm *d, struct dm_piece *out) {
  bool fresh = true;
  *out = plain(STR(""));
  bool ok = dm_enter(d) && any_type(d, out, &fresh) && !d->bad;
  d->depth--;
  if (ok && fresh) dm_remember(d, *out);
  return ok && !d->bad;
}

static str comma(struct dm *d, str list, str item) {
  if (item.n == 0) return list;
  if (list.n == 0) return item;
  return dm_join(d, STR_F ", " STR_F, STR_A(list), STR_A(item));
}

bool dm_type_list(struct dm *d, str *out) {
  *out = STR("");
  char c = dm_peek(d, 1);
  if (dm_peek(d, 0) == 'v' && (c == 0 || c == 'E' || c == '.' || c == '$')) {
    d->p++;
    return true;
  }
  for (;;) {
    c = dm_peek(d, 0);
    if (c == 0 || c == 'E' || c == '.' || c == '$') return !d->bad;
    if ((c == 'R' || c == 'O') && dm_peek(d, 1) == 'E')
      return true; /* ref-qualifier of a function */
    struct dm_piece t;
    if (!dm_type(d, &t)) return false;
    *out = comma(d, *out, dm_type_text(&t, d));
  }
}

/* behind the L, with its E */
static bool literal(struct dm *d, str *out) {
  struct dm_name name;
  if (dm_eat(d, '_')) {
    if (!dm_eat(d, 'Z') || !dm_encoding(d, &name) || !dm_eat(d, 'E')) return dm_fail(d);
    *out = name.full;
    return true;
  }
  char kind = dm_peek(d, 0);
  struct dm_piece t;
  if (!dm_type(d, &t)) return false;
  const char *minus = dm_eat(d, 'n') ? "-" : "", *start = d->p;
  while (dm_peek(d, 0) && dm_peek(d, 0) != 'E') d->p++;
  str value = {start, (size_t)(d->p - start)};
  if (!dm_eat(d, 'E')) return dm_fail(d);
  static const char kinds[] = "ijlmxy", *const suffix[] = {"", "u", "l", "ul", "ll", "ull"};
  const char *at = kind ? strchr(kinds, kind) : NULL;
  if (kind == 'b' && value.n == 1)
    *out = value.p[0] == '0' ? STR("false") : STR("true");
  else if (at)
    *out = dm_join(d, "%s" STR_F "%s", minus, STR_A(value), suffix[at - kinds]);
  else
    *out = dm_join(d, "(" STR_F ")%s" STR_F, STR_A(dm_type_text(&t, d)), minus, STR_A(value));
  return !d->bad;
}

static bool template_arg(struct dm *d, struct dm_piece *out) {
  *out = plain(STR(""));
  bool ok = dm_enter(d);
  if (dm_eat(d, 'L')) { /* nothing is eaten once bad */
    ok = literal(d, &out->pre);
  } else if (dm_eat(d, 'J')) {
    while (ok && !dm_eat(d, 'E')) {
      struct dm_piece item;
      ok = !d->bad && template_arg(d, &item);
      if (ok) out->pre = comma(d, out->pre, dm_type_text(&item, d));
    }
  } else if (dm_eat(d, 'X')) { /* of the expressions only T_ and &function */
    if (dm_peek(d, 0) == 'T') {
      ok = dm_template_param(d, out) && dm_eat(d, 'E');
    } else {
      ok = dm_eat(d, 'a') && dm_eat(d, 'd') && dm_eat(d, 'L') && literal(d, &out->pre) &&
           dm_eat(d, 'E');
      if (ok) out->pre = dm_join(d, "&(" STR_F ")", STR_A(out->pre));
    }
  } else {
    ok = dm_type(d, out);
  }
  d->depth--;
  return (ok && !d->bad) || dm_fail(d);
}

bool dm_template_args(struct dm *d, bool keep, str *out) {
  struct dm_piece *arg = NEWN(d->scratch, struct dm_piece, DM_MAX_ARGS);
  u32 n = 0;
  str list = {"", 0};
  d->work += 64; /* the array above */
  while (!dm_eat(d, 'E')) {
    if (n == DM_MAX_ARGS || !template_arg(d, &arg[n])) return dm_fail(d);
    list = comma(d, list, dm_type_text(&arg[n++], d));
  }
  *out = dm_join(d, "<" STR_F ">", STR_A(list));
  if (keep) {
    memcpy(d->arg, arg, n * sizeof *arg);
    d->arg_count = n;
  }
  return !d->bad;
}
