/* var.c - declarations: the type, name and dimensions that variables and parameters share, and
 * .global, .const, .shared and .local variables. Initial values are in init.c. */
#include "ptx/parse.h"
#include <string.h>

static bool alignment(struct ptx_parser *p, u32 *align) {
  u64 n;
  if (!ptx_const_int(p, 1u << 16, "an alignment", &n)) return false;
  if (n == 0 || (n & (n - 1)) != 0) return ptx_fail(p, "an alignment must be a power of two");
  *align = (u32)n;
  return true;
}

/* .attribute(.managed), .attribute(.unified(1, 2)) */
static bool skip_parentheses(struct ptx_parser *p) {
  u32 depth = 0;
  if (!ptx_is(p, '(')) return ptx_fail(p, "expected '('");
  do {
    if (ptx_is(p, '(')) depth++;
    if (ptx_is(p, ')')) depth--;
    if (p->lex.tok.kind <= TK_BAD) return ptx_fail(p, "expected ')'");
    ptx_next(p);
  } while (depth);
  return true;
}

/* One directive of a declaration; *known = false when it is none. */
static bool decl_directive(struct ptx_parser *p, struct ptx_decl *d, bool *known) {
  str t = p->lex.tok.text;
  const struct ptx_word *type = ptx_word_find(p->words, WORD_TYPE, t);
  bool handle = str_eqz(t, "texref") || str_eqz(t, "samplerref") || str_eqz(t, "surfref");
  *known = true;
  if (type || handle) {
    if (d->type != T_NONE) return ptx_fail(p, "a second type");
    d->type = type ? (enum ptx_type)type->index : T_B64;
  } else if (str_eqz(t, "align")) {
    ptx_next(p);
    return alignment(p, &d->align);
  } else if (str_eqz(t, "ptr")) { /* .ptr .global .align 4: about what it points to */
    ptx_next(p);
    while (ptx_is_dir(p, "global") || ptx_is_dir(p, "shared") || ptx_is_dir(p, "local") ||
           ptx_is_dir(p, "const"))
      ptx_next(p);
    if (!ptx_is_dir(p, "align")) return true;
    ptx_next(p);
    u32 ignored;
    return alignment(p, &ignored);
  } else if (str_eqz(t, "attribute")) {
    ptx_next(p);
    return skip_parentheses(p);
  } else if (str_eqz(t, "v2") || str_eqz(t, "v4") || str_eqz(t, "v8")) {
    d->vec = (u32)(t.p[1] - '0');
  } else {
    *known = false;
    return true;
  }
  ptx_next(p);
  return true;
}

bool ptx_decl_type(struct ptx_parser *p, struct ptx_decl *d) {
  *d = (struct ptx_decl){.vec = 1};
  while (p->lex.tok.kind == TK_DIR) {
    bool known;
    if (!decl_directive(p, d, &known)) return false;
    if (!known)
      return ptx_fail(p, "'." STR_F "' does not belong in a declaration",
                      (int)(p->lex.tok.text.n < 100 ? p->lex.tok.text.n : 100), p->lex.tok.text.p);
  }
  return d->type == T_NONE ? ptx_fail(p, "expected a type") : true;
}

bool ptx_decl_name(struct ptx_parser *p, struct ptx_decl *d) {
  d->dim_count = 0;
  d->unsized = false;
  if (!ptx_expect_word(p, "a name", &d->name)) return false;
  while (ptx_accept(p, '[')) {
    if (d->dim_count == COUNT_OF(d->dim)) return ptx_fail(p, "too many dimensions");
    u64 n = 0;
    if (ptx_is(p, ']')) {
      if (d->dim_count > 0) return ptx_fail(p, "only the first dimension may be empty");
      d->unsized = true;
    } else if (!ptx_const_int(p, (u64)1 << 40, "an array size", &n)) {
      return false;
    }
    d->dim[d->dim_count++] = n;
    if (!ptx_expect(p, ']')) return false;
  }
  return true;
}

bool ptx_decl_size(struct ptx_parser *p, const struct ptx_decl *d, u64 max_bytes, u64 *size_bytes) {
  u64 n = (u64)ptx_type_bytes(d->type) * d->vec;
  for (u32 i = 0; i < d->dim_count; i++)
    if (__builtin_mul_overflow(n, d->dim[i], &n)) n = UINT64_MAX;
  if (n > max_bytes)
    return ptx_fail_line(p, d->name.line,
                         "'" STR_F "' is too large; at most %llu bytes are possible here",
                         (int)(d->name.text.n < 200 ? d->name.text.n : 200), d->name.text.p,
                         (unsigned long long)max_bytes);
  *size_bytes = n;
  return true;
}

static u64 space_limit(enum ptx_space space) {
  switch (space) {
  case SP_SHARED: return 256 << 10;
  case SP_LOCAL: return 512 << 10;
  case SP_CONST: return 640 << 10;
  default: return (u64)16 << 30;
  }
}

static u32 elements(u64 size_bytes, enum ptx_type t) {
  u64 n = size_bytes / ptx_type_bytes(t);
  return n > UINT32_MAX ? UINT32_MAX : (u32)n;
}

static bool variable(struct ptx_parser *p, enum ptx_space space, bool is_extern,
                     struct ptx_decl *d) {
  if (!ptx_decl_name(p, d)) return false;
  struct ptx_var v = {.name = d->name.text, .space = space, .type = d->type, .func = p->func_index};
  u32 natural = ptx_type_bytes(d->type) * d->vec;
  if (natural == 0) return ptx_fail(p, "a variable cannot have this type");
  v.align = d->align ? d->align : natural;
  v.is_array = d->dim_count > 0;
  v.is_extern = is_extern;
  v.unsized = d->unsized;
  if (!ptx_decl_size(p, d, space_limit(space), &v.size_bytes)) return false;
  v.elem_count = v.unsized ? 0 : elements(v.size_bytes, d->type);
  if (ptx_accept(p, '=')) {
    if (space == SP_SHARED || space == SP_LOCAL)
      return ptx_fail(p, "a .shared or .local variable cannot have an initial value");
    if (!ptx_initialiser(p, d, &v)) return false;
    v.elem_count = elements(v.size_bytes, d->type);
  }
  /* extern here, defined elsewhere in this module: the definition wins */
  const struct ptx_sym *old = ptx_lookup(p, d->name.text, d->name.hash);
  if (old && old->kind == SYM_VAR && old->depth == p->depth) {
    struct ptx_var *first = AT(p->vars, struct ptx_var, old->index);
    if (first->space == space && (first->is_extern || is_extern)) {
      if (first->is_extern) *first = v;
      return true;
    }
  }
  *ADD(p->vars, struct ptx_var) = v;
  return ptx_declare(p, &d->name, SYM_VAR, (i32)p->vars.n - 1, 1);
}

bool ptx_variable(struct ptx_parser *p, enum ptx_space space, bool is_extern) {
  struct ptx_decl d;
  if (!ptx_decl_type(p, &d)) return false;
  do
    if (!variable(p, space, is_extern, &d)) return false;
  while (ptx_accept(p, ','));
  return ptx_expect(p, ';');
}
