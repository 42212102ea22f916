/* signature.c - the heads of functions: parameter lists and where parameters lie, prototypes,
 * launch bounds. Bodies are in parse_func.c. */
#include "ptx/parse.h"
#include <stdlib.h>
#include <string.h>

bool ptx_param_place(struct ptx_parser *p, struct ptx_param *m, u32 *cursor, bool c_layout) {
  u64 align = c_layout || m->align > 8 ? m->align : 8;
  u64 at = ((u64)*cursor + align - 1) & ~(align - 1);
  if (at + m->size_bytes > PTX_MAX_PARAM_BYTES)
    return ptx_fail(p, "more than %d bytes of parameters", PTX_MAX_PARAM_BYTES);
  m->offset_bytes = (u32)at;
  *cursor = (u32)(at + m->size_bytes);
  return true;
}

static bool param_size(struct ptx_parser *p, const struct ptx_decl *d, struct ptx_param *m) {
  u64 size;
  u32 natural = ptx_type_bytes(d->type) * d->vec;
  if (natural == 0) return ptx_fail(p, "a parameter cannot have this type");
  if (!ptx_decl_size(p, d, PTX_MAX_PARAM_BYTES, &size)) return false;
  *m = (struct ptx_param){.name = d->name.text, .type = d->type, .size_bytes = (u32)size};
  m->align = d->align ? d->align : natural;
  return true;
}

/* ( .param .u64 a, .param .align 8 .b8 b[40], .param .b32 _ ) */
bool ptx_param_list(struct ptx_parser *p, struct ptx_list *params) {
  if (!ptx_expect(p, '(')) return false;
  while (!ptx_is(p, ')')) {
    struct ptx_decl d;
    struct ptx_param m;
    if (ptx_is_dir(p, "reg")) return ptx_fail(p, "parameters in registers are not supported");
    if (!ptx_is_dir(p, "param")) return ptx_fail(p, "expected '.param' or ')'");
    ptx_next(p);
    if (!ptx_decl_type(p, &d) || !ptx_decl_name(p, &d) || !param_size(p, &d, &m)) return false;
    if (params->n >= PTX_MAX_ITEMS) return ptx_fail(p, "more than %d parameters", PTX_MAX_ITEMS);
    *(struct ptx_param *)ptx_list_add(params, sizeof m) = m;
    if (!ptx_accept(p, ',') && !ptx_is(p, ')')) return ptx_fail(p, "expected ',' or ')'");
  }
  ptx_next(p);
  return true;
}

bool ptx_param_variables(struct ptx_parser *p) {
  struct ptx_decl d;
  if (!ptx_decl_type(p, &d)) return false;
  do {
    struct ptx_param m;
    if (!ptx_decl_name(p, &d) || !param_size(p, &d, &m)) return false;
    /* Variables of blocks side by side share their place: p->scope remembers where a block began.
     */
    if (!ptx_param_place(p, &m, &p->param_cursor, false)) return false;
    if (p->param_cursor > p->func->param_bytes) p->func->param_bytes = p->param_cursor;
    if (p->params.n >= PTX_MAX_REGS) return ptx_fail(p, "too many parameters");
    *ADD(p->params, struct ptx_param) = m;
    if (!ptx_declare(p, &d.name, SYM_PARAM, (i32)p->params.n - 1, 1)) return false;
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';');
}

bool ptx_prototype(struct ptx_parser *p, const struct ptx_tok *label) {
  struct ptx_list rets = {0}, params = {0};
  struct ptx_tok name;
  bool ok = !ptx_is(p, '(') || ptx_param_list(p, &rets);
  ok = ok && ptx_expect_word(p, "'_'", &name) && (!ptx_is(p, '(') || ptx_param_list(p, &params));
  if (ok) {
    struct ptx_prototype *proto = ADD(p->protos, struct ptx_prototype);
    *proto = (struct ptx_prototype){.name = label->text};
    proto->rets = ptx_list_keep(p->keep, &rets, sizeof(struct ptx_param));
    proto->params = ptx_list_keep(p->keep, &params, sizeof(struct ptx_param));
    proto->ret_count = (u32)rets.n;
    proto->param_count = (u32)params.n;
    ok = ptx_declare(p, label, SYM_PROTO, (i32)p->protos.n - 1, 1);
  }
  ptx_list_free(&rets);
  ptx_list_free(&params);
  return ok && ptx_skip_statement(p); /* .noreturn may follow */
}

/* 256, 1, 1: what is left out is 1 */
static bool dimensions(struct ptx_parser *p, u32 out[3]) {
  out[0] = out[1] = out[2] = 1;
  for (u32 i = 0; i < 3; i++) {
    u64 n;
    if (!ptx_const_int(p, INT32_MAX, "a dimension", &n)) return false;
    out[i] = (u32)n;
    if (!ptx_accept(p, ',')) return true;
  }
  return ptx_fail(p, "more than three dimensions");
}

static bool head_directive(struct ptx_parser *p, struct ptx_func *f) {
  str t = p->lex.tok.text;
  ptx_next(p);
  if (str_eqz(t, "maxntid")) return f->has_maxntid = true, dimensions(p, f->maxntid);
  if (str_eqz(t, "reqntid")) return f->has_reqntid = true, dimensions(p, f->reqntid);
  if (str_eqz(t, "reqnctapercluster")) return dimensions(p, f->reqcluster);
  if (str_eqz(t, "minnctapersm")) {
    u64 n;
    if (!ptx_const_int(p, INT32_MAX, "a block count", &n)) return false;
    f->minnctapersm = (u32)n;
    return true;
  }
  if (str_eqz(t, "explicitcluster")) return f->explicit_cluster = true;
  if (str_eqz(t, "noreturn")) return f->no_return = true;
  if (str_eqz(t, "pragma")) return ptx_skip_statement(p);
  if (str_eqz(t, "maxnreg") || str_eqz(t, "maxnctapersm") || str_eqz(t, "maxclusterrank") ||
      str_eqz(t, "abi_preserve") || str_eqz(t, "abi_preserve_control")) {
    u64 ignored;
    return ptx_const_int(p, UINT32_MAX, "the number", &ignored);
  }
  if (str_eqz(t, "blocksareclusters") || str_eqz(t, "unique")) return true;
  return ptx_fail(p, "'." STR_F "' does not belong to a function", (int)(t.n < 100 ? t.n : 100),
                  t.p);
}

/* Takes the place of an earlier declaration, or a new one. */
static bool function_slot(struct ptx_parser *p, const struct ptx_tok *name, bool defines,
                          i32 *index) {
  const struct ptx_sym *old = ptx_lookup(p, name->text, name->hash);
  if (!old) {
    *index = (i32)p->funcs.n;
    struct ptx_func *f = ADD(p->funcs, struct ptx_func);
    f->is_extern = true;
    f->name = name->text;
    f->demangled = ptx_demangle(p->keep, name->text, false);
    f->loc = -1;
    return ptx_declare(p, name, SYM_FUNC, *index, 1);
  }
  int n = (int)(name->text.n < 200 ? name->text.n : 200);
  if (old->kind != SYM_FUNC)
    return ptx_fail_line(p, name->line, "'" STR_F "' is a variable already", n, name->text.p);
  *index = old->index;
  if (defines && !AT(p->funcs, struct ptx_func, *index)->is_extern)
    return ptx_fail_line(p, name->line, "function '" STR_F "' is defined twice", n, name->text.p);
  return true;
}

static bool place_formals(struct ptx_parser *p, struct ptx_func *f) {
  p->param_cursor = 0;
  for (u32 i = 0; i < p->params.n; i++)
    if (!ptx_param_place(p, AT(p->params, struct ptx_param, i), &p->param_cursor, f->is_entry))
      return false;
  if (f->is_entry) f->entry_param_bytes = p->param_cursor;
  f->param_bytes = p->param_cursor;
  return true;
}

static void keep_function(struct ptx_parser *p, struct ptx_func *f) {
  f->regs = ptx_list_keep(p->keep, &p->regs, sizeof(struct ptx_reg));
  f->reg_count = (u32)p->regs.n;
  f->params = ptx_list_keep(p->keep, &p->params, sizeof(struct ptx_param));
  f->param_count = (u32)p->params.n;
  f->param_bytes = (f->param_bytes + 7) & ~7u;
  f->code = ptx_list_keep(p->keep, &p->code, sizeof(struct ptx_insn));
  f->code_count = (u32)p->code.n;
  f->prototypes = ptx_list_keep(p->keep, &p->protos, sizeof(struct ptx_prototype));
  f->prototype_count = (u32)p->protos.n;
  f->loc = -1;
  for (u32 i = 0; i < f->code_count && f->loc < 0; i++) f->loc = f->code[i].loc;
}

static bool head(struct ptx_parser *p, struct ptx_func *f, struct ptx_tok *name) {
  if (ptx_is_dir(p, "attribute")) { /* .func .attribute(.unified(1, 2)) f */
    while (!ptx_is(p, ')') && p->lex.tok.kind > TK_BAD) ptx_next(p);
    while (ptx_accept(p, ')')) {}
  }
  if (ptx_is(p, '(') && !ptx_param_list(p, &p->params)) return false;
  f->ret_count = (u32)p->params.n;
  if (!ptx_expect_word(p, "the name of a function", name)) return false;
  if (ptx_is(p, '(') && !ptx_param_list(p, &p->params)) return false;
  f->arg_count = (u32)p->params.n - f->ret_count;
  if (f->is_entry && f->ret_count) return ptx_fail(p, "a kernel returns nothing");
  while (p->lex.tok.kind == TK_DIR)
    if (!head_directive(p, f)) return false;
  return place_formals(p, f);
}

static bool declare_formals(struct ptx_parser *p, u32 line) {
  for (u32 i = 0; i < p->params.n; i++) {
    struct ptx_tok t = {.line = line, .text = AT(p->params, struct ptx_param, i)->name};
    t.hash = ptx_word_hash(t.text);
    if (!str_eqz(t.text, "_") && !ptx_declare(p, &t, SYM_PARAM, (i32)i, 1)) return false;
  }
  return true;
}

static bool body(struct ptx_parser *p, struct ptx_func *f, u32 line, i32 index) {
  AT(p->funcs, struct ptx_func, index)->is_extern = false; /* from here on defined */
  p->func_index = index;
  ptx_next(p);
  if (!ptx_scope_open(p) || !declare_formals(p, line)) return false;
  if (!ptx_body(p)) return false;
  keep_function(p, f);
  ptx_flow(f);
  return true;
}

static bool function(struct ptx_parser *p, struct ptx_func *f) {
  struct ptx_tok name;
  i32 index = -1;
  if (!head(p, f, &name)) return false;
  bool defines = ptx_is(p, '{');
  if (!function_slot(p, &name, defines, &index)) return false;
  struct ptx_func *slot = AT(p->funcs, struct ptx_func, index);
  f->name = slot->name;
  f->demangled = slot->demangled;
  f->is_extern = !defines;
  if (defines) {
    if (!body(p, f, name.line, index)) return false;
  } else {
    if (!ptx_expect(p, ';')) return false;
    if (!slot->is_extern) return true; /* declared again behind its definition */
    keep_function(p, f);
  }
  *AT(p->funcs, struct ptx_func, index) = *f;
  return true;
}

bool ptx_function(struct ptx_parser *p, bool is_entry, bool is_extern) {
  struct ptx_func f = {.is_entry = is_entry, .is_extern = is_extern, .loc = -1};
  p->func = &f;
  p->regs.n = p->params.n = p->code.n = p->protos.n = p->targets.n = p->fixups.n = 0;
  p->digit_names = false;
  p->last_target = -1;
  p->loc = -1;
  bool ok = function(p, &f);
  p->func = NULL;
  p->func_index = -1;
  return ok;
}
