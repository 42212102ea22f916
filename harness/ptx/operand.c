/* operand.c - the operands of one instruction: registers, immediates, addresses, vectors, calls,
 * branch targets. Whether an opcode takes them is not decided here (see vm/). */
#include "ptx/parse.h"
#include <string.h>

/* Lists are parsed into p->opd and p->item, then copied at their exact size. */
static struct ptx_operand *next_slot(struct ptx_parser *p) {
  if (p->opd_count == PTX_MAX_OPERANDS) {
    ptx_fail(p, "more than %d operands", PTX_MAX_OPERANDS);
    return NULL;
  }
  struct ptx_operand *o = &p->opd[p->opd_count++];
  *o = (struct ptx_operand){0};
  return o;
}

/* A label use: the operand still moves, so remember the fixup in it; see settle(). */
static bool label_use(struct ptx_parser *p, const struct ptx_tok *name, struct ptx_operand *o) {
  ptx_fixup_add(p, name, SYM_LABEL);
  o->kind = OPD_LABEL;
  o->index = (i32)p->fixups.n - 1;
  return true;
}

static void settle(struct ptx_parser *p, struct ptx_operand *o, u32 n) {
  for (u32 i = 0; i < n; i++)
    if (o[i].kind == OPD_LABEL) AT(p->fixups, struct ptx_fixup, o[i].index)->slot = &o[i].index;
}

static u8 component_of(str text, str *base) {
  static const char names[] = "xyzwrgba";
  *base = text;
  if (text.n < 3 || text.p[text.n - 2] != '.') return 0xff;
  const char *at = memchr(names, text.p[text.n - 1], sizeof names - 1);
  if (!at) return 0xff;
  base->n = text.n - 2;
  return (u8)((at - names) & 3);
}

static bool special_register(struct ptx_parser *p, str text, struct ptx_operand *o) {
  str base;
  u8 dim = component_of(text, &base);
  const struct ptx_word *s = ptx_word_find(p->words, WORD_SREG, (str){base.p + 1, base.n - 1});
  if (!s) return false;
  o->kind = OPD_SREG;
  o->sreg = s->index;
  o->dim = dim == 0xff ? 0 : dim;
  return true;
}

/* %r1.b0, %r1.h10: a register with the parts of it that a video instruction takes. */
static bool selected_register(struct ptx_parser *p, str text, struct ptx_operand *o) {
  size_t dot = text.n;
  while (dot > 0 && text.p[dot - 1] != '.') dot--;
  size_t count = text.n - dot; /* with the letter */
  if (dot < 2 || count < 2 || count > 5) return false;
  const char *part = text.p + dot;
  if (part[0] != 'b' && part[0] != 'h') return false;
  u32 digits = 0;
  for (size_t i = 1; i < count; i++) {
    if (part[i] < '0' || part[i] > '7') return false;
    digits = digits << 3 | (u32)(part[i] - '0');
  }
  str base = {text.p, dot - 1};
  i32 reg = ptx_lookup_reg(p, base, ptx_word_hash(base));
  if (reg < 0) return false;
  o->kind = OPD_REG;
  o->index = reg;
  o->select = PTX_SELECT(part[0] == 'h', (u32)count - 1, digits);
  return true;
}

/* "_", a register, a special register, or the name of something. */
static bool name_operand(struct ptx_parser *p, const struct ptx_tok *t, struct ptx_operand *o) {
  if (t->text.n == 1 && t->text.p[0] == '_') {
    o->kind = OPD_SINK;
    return true;
  }
  i32 reg = ptx_lookup_reg(p, t->text, t->hash);
  if (reg >= 0) {
    o->kind = OPD_REG;
    o->index = reg;
    return true;
  }
  if (t->text.p[0] == '%' && special_register(p, t->text, o)) return true;
  if (selected_register(p, t->text, o)) return true;
  const struct ptx_sym *s = ptx_lookup(p, t->text, t->hash);
  if (!s) {
    if (t->text.p[0] == '%')
      return ptx_fail_line(p, t->line, "register '" STR_F "' is not declared",
                           (int)(t->text.n < 200 ? t->text.n : 200), t->text.p);
    return label_use(p, t, o);
  }
  o->kind = s->kind == SYM_VAR ? OPD_VAR : s->kind == SYM_FUNC ? OPD_FUNC : OPD_PARAM;
  o->index = s->index;
  return true;
}

/* +4, -8, +-8 behind a name */
static bool offset(struct ptx_parser *p, struct ptx_operand *o) {
  while (ptx_is(p, '+') || ptx_is(p, '-')) {
    bool minus = ptx_is(p, '-');
    ptx_next(p);
    struct ptx_const c;
    if (!ptx_const_unary(p, &c)) return false;
    if (c.is_float) return ptx_fail(p, "an address offset must be an integer");
    o->imm = (i64)((u64)o->imm + (minus ? -c.bits : c.bits));
  }
  return true;
}

static bool immediate(struct ptx_parser *p, struct ptx_operand *o) {
  struct ptx_const c;
  if (!ptx_const_expr(p, &c)) return false;
  o->kind = OPD_IMM;
  o->imm = (i64)c.bits;
  o->is_float = c.is_float;
  o->is_f32 = c.is_f32;
  return true;
}

static bool starts_constant(const struct ptx_parser *p) {
  const struct ptx_tok *t = &p->lex.tok;
  return t->kind == TK_NUM || t->kind == '-' || t->kind == '~' || t->kind == '(' ||
         t->kind == '+' || (t->kind == TK_WORD && str_eqz(t->text, "WARP_SZ"));
}

static bool address(struct ptx_parser *p, struct ptx_operand *o) {
  struct ptx_tok t = p->lex.tok;
  o->is_addr = 1;
  if (starts_constant(p)) {
    if (!immediate(p, o)) return false;
    if (o->is_float) return ptx_fail(p, "an address must be an integer");
  } else if (t.kind == TK_WORD) {
    ptx_next(p);
    if (!name_operand(p, &t, o) || !offset(p, o)) return false;
  } else {
    return ptx_fail(p, "expected an address");
  }
  if (o->kind == OPD_SINK || o->kind == OPD_SREG || o->kind == OPD_LABEL)
    return ptx_fail_line(p, t.line, "'" STR_F "' is not an address here",
                         (int)(t.text.n < 200 ? t.text.n : 200), t.text.p);
  return ptx_expect(p, ']');
}

static bool plain(struct ptx_parser *p, struct ptx_operand *o) {
  struct ptx_tok t = p->lex.tok;
  if (starts_constant(p)) return immediate(p, o);
  if (t.kind != TK_WORD) return ptx_fail(p, "expected an operand");
  ptx_next(p);
  if (!name_operand(p, &t, o)) return false;
  return o->kind == OPD_VAR || o->kind == OPD_PARAM || o->kind == OPD_FUNC ? offset(p, o) : true;
}

static bool vector(struct ptx_parser *p, struct ptx_operand *o) {
  u32 first = p->item_count;
  o->kind = OPD_VEC;
  while (!ptx_is(p, '}')) {
    if (p->item_count == PTX_MAX_ITEMS)
      return ptx_fail(p, "more than %d vector items", PTX_MAX_ITEMS);
    struct ptx_operand *item = &p->item[p->item_count++];
    *item = (struct ptx_operand){0};
    if (!plain(p, item)) return false;
    if (item->kind == OPD_SINK) item->kind = OPD_NONE;
    if (!ptx_accept(p, ',') && !ptx_is(p, '}')) return ptx_fail(p, "expected ',' or '}'");
  }
  ptx_next(p);
  o->item_count = p->item_count - first;
  o->items = NEWN(p->keep, struct ptx_operand, o->item_count);
  memcpy(o->items, p->item + first, o->item_count * sizeof *o->items);
  settle(p, o->items, o->item_count);
  return true;
}

static bool operand(struct ptx_parser *p, bool after_pipe) {
  struct ptx_operand *o = next_slot(p);
  if (!o) return false;
  o->after_pipe = after_pipe;
  if (ptx_accept(p, '[')) return address(p, o);
  if (ptx_accept(p, '{')) return vector(p, o);
  if (!ptx_is(p, '!')) return plain(p, o);
  ptx_next(p);
  if (p->lex.tok.kind == TK_NUM) { /* !0 */
    if (!immediate(p, o)) return false;
    o->imm = o->imm == 0;
    return true;
  }
  if (!plain(p, o)) return false;
  o->negated = 1;
  return true;
}

static struct ptx_operand *keep(struct ptx_parser *p, const struct ptx_operand *from, u32 n) {
  if (n == 0) return NULL;
  struct ptx_operand *o = NEWN(p->keep, struct ptx_operand, n);
  memcpy(o, from, n * sizeof *o);
  settle(p, o, n);
  return o;
}

static bool operand_list(struct ptx_parser *p) {
  p->opd_count = p->item_count = 0;
  if (ptx_is(p, ';')) return true;
  bool after_pipe = false;
  for (;;) {
    if (!operand(p, after_pipe)) return false;
    after_pipe = ptx_is(p, '|');
    if (!after_pipe && !ptx_is(p, ',')) return true;
    ptx_next(p);
  }
}

bool ptx_operands(struct ptx_parser *p, struct ptx_insn *in) {
  if (!operand_list(p) || !ptx_expect(p, ';')) return false;
  in->operand_count = (u8)p->opd_count;
  in->operands = keep(p, p->opd, p->opd_count);
  return true;
}

bool ptx_branch_operands(struct ptx_parser *p, struct ptx_insn *in) {
  p->opd_count = p->item_count = 0;
  bool table = in->op == OP_brx;
  if (table && (!operand(p, false) || !ptx_expect(p, ','))) return false;
  struct ptx_tok name;
  if (!ptx_expect_word(p, table ? "the name of a branch table" : "a label", &name)) return false;
  if (table) {
    ptx_fixup_add(p, &name, SYM_TARGETS);
  } else {
    struct ptx_operand *o = next_slot(p);
    if (!o || !label_use(p, &name, o)) return false;
  }
  in->operand_count = (u8)p->opd_count;
  in->operands = keep(p, p->opd, p->opd_count);
  return ptx_expect(p, ';');
}

/* (a, b, 3) of a call: into p->item */
static bool arguments(struct ptx_parser *p, struct ptx_operand **out, u8 *count) {
  p->item_count = 0;
  while (!ptx_is(p, ')')) {
    if (p->item_count == PTX_MAX_ITEMS) return ptx_fail(p, "more than %d arguments", PTX_MAX_ITEMS);
    struct ptx_operand *o = &p->item[p->item_count];
    *o = (struct ptx_operand){0};
    if (!plain(p, o)) return false;
    if (o->kind != OPD_PARAM && o->kind != OPD_REG && o->kind != OPD_IMM)
      return ptx_fail(p, "an argument must be a parameter, a register or a constant");
    p->item_count++;
    if (!ptx_accept(p, ',') && !ptx_is(p, ')')) return ptx_fail(p, "expected ',' or ')'");
  }
  ptx_next(p);
  *count = (u8)p->item_count;
  *out = keep(p, p->item, p->item_count);
  return true;
}

static bool callee(struct ptx_parser *p, struct ptx_insn *in) {
  struct ptx_tok t;
  if (!ptx_expect_word(p, "the function to call", &t)) return false;
  struct ptx_operand *o = NEW(p->keep, struct ptx_operand);
  i32 reg = ptx_lookup_reg(p, t.text, t.hash);
  const struct ptx_sym *s = reg >= 0 ? NULL : ptx_lookup(p, t.text, t.hash);
  if (reg < 0 && (!s || s->kind != SYM_FUNC))
    return ptx_fail_line(p, t.line, "call of '" STR_F "', which is not declared as a function",
                         (int)(t.text.n < 200 ? t.text.n : 200), t.text.p);
  o->kind = reg >= 0 ? OPD_REG : OPD_FUNC;
  o->index = reg >= 0 ? reg : s->index;
  in->operands = o;
  in->operand_count = 1;
  return true;
}

bool ptx_call_operands(struct ptx_parser *p, struct ptx_insn *in) {
  if (ptx_accept(p, '(')) {
    if (!arguments(p, &in->call_rets, &in->call_ret_count) || !ptx_expect(p, ',')) return false;
    for (u32 i = 0; i < in->call_ret_count; i++)
      if (in->call_rets[i].kind == OPD_IMM) return ptx_fail(p, "a constant cannot take a result");
  }
  if (!callee(p, in)) return false;
  if (ptx_is(p, ',')) {
    ptx_next(p);
    if (ptx_accept(p, '(')) {
      if (!arguments(p, &in->call_args, &in->call_arg_count)) return false;
      if (!ptx_accept(p, ',')) return ptx_expect(p, ';');
    }
    struct ptx_tok name;
    if (!ptx_expect_word(p, "a prototype", &name)) return false;
    ptx_fixup_add(p, &name, SYM_PROTO);
  }
  return ptx_expect(p, ';');
}
