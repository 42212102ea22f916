/* parse_func.c - the body of a function: blocks, registers, labels, instructions. Heads are in
 * signature.c, operands in operand.c. */
#include "ptx/parse.h"
#include <stdlib.h>
#include <string.h>

static int shown(str s) { return (int)(s.n < 200 ? s.n : 200); }

/* Names of %r<count>, all in one piece of memory. */
static bool register_range(struct ptx_parser *p, const struct ptx_tok *name, enum ptx_type type,
                           u64 count) {
  enum { DIGITS = 8 };
  if (p->reg_total + count > PTX_MAX_REGS)
    return ptx_fail(p, "more than %d registers", PTX_MAX_REGS);
  if (name->text.n > 128) return ptx_fail(p, "register name too long");
  p->reg_total += count;
  size_t first = p->regs.n, size = name->text.n + DIGITS;
  char *text = count ? arena_array(p->keep, count, size) : NULL;
  for (u64 i = 0; i < count; i++, text += size) {
    int n = snprintf(text, size, STR_F "%u", STR_A(name->text), (unsigned)i);
    *ADD(p->regs, struct ptx_reg) = (struct ptx_reg){{text, (size_t)n}, type};
  }
  return ptx_declare(p, name, SYM_REGS, (i32)first, (u32)count);
}

static bool single_register(struct ptx_parser *p, const struct ptx_tok *name, enum ptx_type type) {
  char last = name->text.p[name->text.n - 1];
  if (last >= '0' && last <= '9') p->digit_names = true;
  if (++p->reg_total > PTX_MAX_REGS) return ptx_fail(p, "more than %d registers", PTX_MAX_REGS);
  *ADD(p->regs, struct ptx_reg) = (struct ptx_reg){name->text, type};
  return ptx_declare(p, name, SYM_REG, (i32)p->regs.n - 1, 1);
}

static bool registers(struct ptx_parser *p) {
  struct ptx_decl d;
  if (!ptx_decl_type(p, &d)) return false;
  if (d.vec != 1) return ptx_fail(p, "vector registers are not supported");
  do {
    struct ptx_tok name;
    if (!ptx_expect_word(p, "the name of a register", &name)) return false;
    if (ptx_accept(p, '<')) {
      u64 count;
      /* not a whole expression: ">" ends it */
      struct ptx_const c;
      if (!ptx_const_unary(p, &c)) return false;
      count = c.bits;
      if (c.is_float || count > PTX_MAX_REGS)
        return ptx_fail(p, "more than %d registers", PTX_MAX_REGS);
      if (!ptx_expect(p, '>') || !register_range(p, &name, d.type, count)) return false;
    } else if (!single_register(p, &name, d.type)) {
      return false;
    }
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';');
}

static bool body_directive(struct ptx_parser *p) {
  str t = p->lex.tok.text;
  ptx_next(p);
  if (str_eqz(t, "loc")) return ptx_loc_directive(p);
  if (str_eqz(t, "reg")) return registers(p);
  if (str_eqz(t, "param")) return ptx_param_variables(p);
  if (str_eqz(t, "shared")) return ptx_variable(p, SP_SHARED, false);
  if (str_eqz(t, "local")) return ptx_variable(p, SP_LOCAL, false);
  if (str_eqz(t, "global")) return ptx_variable(p, SP_GLOBAL, false);
  if (str_eqz(t, "const")) return ptx_variable(p, SP_CONST, false);
  if (str_eqz(t, "file")) return ptx_file_directive(p);
  if (str_eqz(t, "pragma")) return ptx_skip_statement(p);
  return ptx_fail(p, "directive '." STR_F "' is not known inside a function", shown(t), t.p);
}

/* ts: .branchtargets L1, L2; */
static bool branch_targets(struct ptx_parser *p, const struct ptx_tok *label) {
  struct ptx_list names = {0};
  bool ok = true;
  do {
    struct ptx_tok t;
    ok = ptx_expect_word(p, "a label", &t);
    if (ok && names.n >= PTX_MAX_TARGETS) ok = ptx_fail(p, "more than %d labels", PTX_MAX_TARGETS);
    if (ok) *ADD(names, struct ptx_tok) = t;
  } while (ok && ptx_accept(p, ','));
  if (ok) {
    struct ptx_targets *t = ADD(p->targets, struct ptx_targets);
    *t = (struct ptx_targets){NEWN(p->keep, i32, names.n), (u32)names.n};
    for (size_t i = 0; i < names.n; i++)
      ptx_fixup_add(p, AT(names, struct ptx_tok, i), SYM_LABEL)->slot = &t->v[i];
    ok = ptx_declare(p, label, SYM_TARGETS, (i32)p->targets.n - 1, 1) && ptx_expect(p, ';');
  }
  ptx_list_free(&names);
  return ok;
}

/* Behind "name :". */
static bool label(struct ptx_parser *p, const struct ptx_tok *name) {
  if (ptx_is_dir(p, "callprototype")) return ptx_next(p), ptx_prototype(p, name);
  if (ptx_is_dir(p, "branchtargets")) return ptx_next(p), branch_targets(p, name);
  if (ptx_is_dir(p, "calltargets")) {
    *ADD(p->targets, struct ptx_targets) = (struct ptx_targets){0};
    return ptx_declare(p, name, SYM_TARGETS, (i32)p->targets.n - 1, 1) && ptx_skip_statement(p);
  }
  return ptx_declare(p, name, SYM_LABEL, (i32)p->code.n, 1);
}

/* Behind the opcode. */
static bool instruction(struct ptx_parser *p, const struct ptx_tok *opcode, i32 guard,
                        bool negated) {
  if (++p->code_total > PTX_MAX_CODE) return ptx_fail(p, "more than %d instructions", PTX_MAX_CODE);
  const struct ptx_opcode *o = ptx_opcode_find(p->words, opcode->text, opcode->hash);
  struct ptx_insn *in = ADD(p->code, struct ptx_insn);
  in->op = o->op;
  in->type_count = o->type_count;
  memcpy(in->types, o->types, sizeof in->types);
  memcpy(in->mods, o->mods, sizeof in->mods);
  in->guard = guard;
  in->guard_negated = negated;
  in->loc = p->loc;
  in->ptx_line = opcode->line;
  in->text = opcode->text;
  in->prototype = -1;
  in->reconverge = PTX_AT_RETURN;
  switch (in->op) {
  case OP_unknown: return ptx_skip_statement(p);
  case OP_call: return ptx_call_operands(p, in);
  case OP_bra:
  case OP_brx: return ptx_branch_operands(p, in);
  default: return ptx_operands(p, in);
  }
}

/* @p or @!p, then an instruction */
static bool guarded(struct ptx_parser *p) {
  ptx_next(p);
  bool negated = ptx_accept(p, '!');
  struct ptx_tok name, opcode;
  if (!ptx_expect_word(p, "a predicate", &name)) return false;
  i32 guard = ptx_lookup_reg(p, name.text, name.hash);
  if (guard < 0 || AT(p->regs, struct ptx_reg, guard)->type != T_PRED)
    return ptx_fail_line(p, name.line, "'" STR_F "' is not a predicate register", shown(name.text),
                         name.text.p);
  return ptx_expect_word(p, "an instruction", &opcode) && instruction(p, &opcode, guard, negated);
}

static bool statement(struct ptx_parser *p) {
  struct ptx_tok t = p->lex.tok;
  switch (t.kind) {
  case TK_WORD:
    ptx_next(p);
    return ptx_accept(p, ':') ? label(p, &t) : instruction(p, &t, -1, false);
  case TK_DIR: return body_directive(p);
  case '@': return guarded(p);
  case ';': ptx_next(p); return true;
  case '{': ptx_next(p); return ptx_scope_open(p);
  default: return ptx_fail(p, "expected a statement");
  }
}

/* A function may end without "ret": running off its end returns. */
static bool implicit_return(struct ptx_parser *p) {
  const struct ptx_insn *last = p->code.n ? AT(p->code, struct ptx_insn, p->code.n - 1) : NULL;
  bool ends = last && last->guard < 0 && (ptx_ops[last->op].flags & ENDS) != 0;
  if (ends && p->last_target < (i32)p->code.n) return true;
  struct ptx_tok ret = {.line = p->lex.tok.line, .text = STR("ret")};
  struct ptx_insn *in = ADD(p->code, struct ptx_insn);
  *in = (struct ptx_insn){.op = OP_ret,
                          .guard = -1,
                          .loc = p->loc,
                          .ptx_line = ret.line,
                          .text = ret.text,
                          .prototype = -1,
                          .reconverge = PTX_AT_RETURN};
  return true;
}

/* What no block has defined. */
static bool all_bound(struct ptx_parser *p) {
  if (p->fixups.n == 0) return true;
  const struct ptx_fixup *f = AT(p->fixups, struct ptx_fixup, 0);
  return ptx_fail_line(p, f->line, "'" STR_F "' is not defined", shown(f->name), f->name.p);
}

bool ptx_body(struct ptx_parser *p) {
  u32 own = p->depth;
  for (;;) {
    if (!ptx_is(p, '}')) {
      if (!statement(p)) return false;
      continue;
    }
    bool last = p->depth == own;
    ptx_next(p);
    if (!ptx_scope_close(p)) return false;
    if (last) return all_bound(p) && implicit_return(p);
  }
}
