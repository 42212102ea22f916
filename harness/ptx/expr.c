/* expr.c - constant expressions of initialisers, array sizes and immediates. 64-bit arithmetic that
 * wraps; floating-point literals stand alone, at most with a sign. */
#include "ptx/parse.h"
#include <string.h>

static bool expression(struct ptx_parser *p, u32 min_rank, struct ptx_const *out);

static void negate(struct ptx_const *c) {
  if (!c->is_float)
    c->bits = -c->bits;
  else
    c->bits ^= c->is_f32 ? (u64)1 << 31 : (u64)1 << 63;
}

static bool primary(struct ptx_parser *p, struct ptx_const *out) {
  const struct ptx_tok *t = &p->lex.tok;
  if (t->kind == TK_NUM) {
    *out = (struct ptx_const){t->bits, t->is_float, t->is_f32};
    ptx_next(p);
    return true;
  }
  if (t->kind == TK_WORD && str_eqz(t->text, "WARP_SZ")) {
    *out = (struct ptx_const){.bits = 32};
    ptx_next(p);
    return true;
  }
  if (ptx_accept(p, '(')) { /* (.u64) casts change nothing: 64 bits throughout */
    if (p->lex.tok.kind == TK_DIR) {
      ptx_next(p);
      return ptx_expect(p, ')') && ptx_const_unary(p, out);
    }
    return expression(p, 0, out) && ptx_expect(p, ')');
  }
  return ptx_fail(p, "expected a constant");
}

bool ptx_const_unary(struct ptx_parser *p, struct ptx_const *out) {
  if (++p->nesting > PTX_MAX_DEPTH) return ptx_fail(p, "expression nested too deep");
  bool ok;
  if (ptx_accept(p, '-')) {
    ok = ptx_const_unary(p, out);
    if (ok) negate(out);
  } else if (ptx_accept(p, '+')) {
    ok = ptx_const_unary(p, out);
  } else if (ptx_accept(p, '~')) {
    ok = ptx_const_unary(p, out);
    if (ok) out->bits = ~out->bits;
  } else if (ptx_accept(p, '!')) {
    ok = ptx_const_unary(p, out);
    if (ok) *out = (struct ptx_const){.bits = out->bits == 0};
  } else {
    ok = primary(p, out);
  }
  p->nesting--;
  return ok;
}

/* The binary operator here, and how tightly it binds; 0 = none. "<<" is returned as 'l', ">>" as
 * 'r',
 * "<=" 'L', ">=" 'G', "==" '=', "!=" '!', "&&" 'a', "||" 'o'. */
static u32 binary_rank(const struct ptx_parser *p, char *op, u32 *tokens) {
  u32 k = p->lex.tok.kind;
  char second = p->lex.p < p->lex.end ? *p->lex.p : 0; /* the character behind the token */
  *tokens = 2;
  if (k == '<' && second == '<') return *op = 'l', 8;
  if (k == '>' && second == '>') return *op = 'r', 8;
  if (k == '<' && second == '=') return *op = 'L', 7;
  if (k == '>' && second == '=') return *op = 'G', 7;
  if (k == '=' && second == '=') return *op = '=', 6;
  if (k == '!' && second == '=') return *op = '!', 6;
  if (k == '&' && second == '&') return *op = 'a', 2;
  if (k == '|' && second == '|') return *op = 'o', 1;
  *tokens = 1;
  *op = (char)k;
  switch (k) {
  case '*':
  case '/':
  case '%': return 10;
  case '+':
  case '-': return 9;
  case '<':
  case '>': return 7;
  case '&': return 5;
  case '^': return 4;
  case '|': return 3;
  default: return 0;
  }
}

static bool divide(struct ptx_parser *p, char op, u64 a, u64 b, u64 *out) {
  if (b == 0) return ptx_fail(p, "division by zero in a constant");
  if ((i64)b == -1)
    *out = op == '/' ? -a : 0; /* the one signed division that overflows is among these */
  else
    *out = op == '/' ? (u64)((i64)a / (i64)b) : (u64)((i64)a % (i64)b);
  return true;
}

static bool apply(struct ptx_parser *p, char op, u64 a, u64 b, u64 *out) {
  switch (op) {
  case '*': *out = a * b; return true;
  case '/':
  case '%': return divide(p, op, a, b, out);
  case '+': *out = a + b; return true;
  case '-': *out = a - b; return true;
  case 'l': *out = b < 64 ? a << b : 0; return true;
  case 'r': *out = b < 64 ? (u64)((i64)a >> b) : 0; return true;
  case '<': *out = (i64)a < (i64)b; return true;
  case '>': *out = (i64)a > (i64)b; return true;
  case 'L': *out = (i64)a <= (i64)b; return true;
  case 'G': *out = (i64)a >= (i64)b; return true;
  case '=': *out = a == b; return true;
  case '!': *out = a != b; return true;
  case '&': *out = a & b; return true;
  case '^': *out = a ^ b; return true;
  case '|': *out = a | b; return true;
  case 'a': *out = a && b; return true;
  case 'o': *out = a || b; return true;
  default: BUG("operator %c", op);
  }
}

static bool expression(struct ptx_parser *p, u32 min_rank, struct ptx_const *out) {
  if (!ptx_const_unary(p, out)) return false;
  char op;
  u32 rank, tokens;
  while ((rank = binary_rank(p, &op, &tokens)) > min_rank) {
    struct ptx_const right;
    while (tokens--) ptx_next(p);
    if (++p->nesting > PTX_MAX_DEPTH) return ptx_fail(p, "expression nested too deep");
    if (!expression(p, rank, &right)) return false;
    p->nesting--;
    if (out->is_float || right.is_float)
      return ptx_fail(p, "arithmetic on floating-point constants is not supported");
    if (!apply(p, op, out->bits, right.bits, &out->bits)) return false;
  }
  return true;
}

bool ptx_const_expr(struct ptx_parser *p, struct ptx_const *out) { return expression(p, 0, out); }

bool ptx_const_int(struct ptx_parser *p, u64 max, const char *what, u64 *out) {
  struct ptx_const c;
  if (!ptx_const_expr(p, &c)) return false;
  if (c.is_float) return ptx_fail(p, "%s must be an integer", what);
  if (c.bits > max)
    return ptx_fail(p, "%s is %llu; at most %llu are possible here", what,
                    (unsigned long long)c.bits, (unsigned long long)max);
  *out = c.bits;
  return true;
}
