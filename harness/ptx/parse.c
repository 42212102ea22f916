/* parse.c - PTX at module level: directives, linkage, sections, and the last steps that need the
 * whole module. Also where every error of the parser takes its position. */
#include "ptx/parse.h"
#include <stdlib.h>
#include <string.h>

/* ---- errors and small steps ---- */

static bool fail_at(struct ptx_parser *p, const char *at, u32 line, const char *fmt, va_list ap) {
  if (p->failed) return false;
  p->failed = true;
  const char *start = at, *stop = at;
  while (start > p->lex.begin && start[-1] != '\n') start--;
  while (stop < p->lex.end && *stop != '\n') stop++;
  char text[1024];
  vsnprintf(text, sizeof text, fmt, ap);
  diag_at(p->why, "", line, (u32)(at - start) + 1, "%s", text);
  if (p->why)
    snprintf(p->why->excerpt, sizeof p->why->excerpt, "%.*s",
             (int)(stop - start < 255 ? stop - start : 255), start);
  return false;
}

bool ptx_fail(struct ptx_parser *p, const char *fmt, ...) {
  va_list ap;
  const struct ptx_tok *t = &p->lex.tok;
  va_start(ap, fmt);
  if (t->kind == TK_BAD)
    fmt = p->lex.error; /* what the characters are comes first; no % in these */
  fail_at(p, t->text.p, t->line, fmt, ap);
  va_end(ap);
  return false;
}

bool ptx_fail_line(struct ptx_parser *p, u32 line, const char *fmt, ...) {
  const char *at = p->lex.begin;
  for (u32 i = 1; i < line && at; i++) {
    at = memchr(at, '\n', (size_t)(p->lex.end - at));
    if (at) at++;
  }
  while (at && at < p->lex.end && (*at == ' ' || *at == '\t')) at++;
  va_list ap;
  va_start(ap, fmt);
  fail_at(p, at ? at : p->lex.begin, line, fmt, ap);
  va_end(ap);
  return false;
}

bool ptx_accept(struct ptx_parser *p, char c) {
  if (!ptx_is(p, c)) return false;
  ptx_next(p);
  return true;
}

bool ptx_expect(struct ptx_parser *p, char c) {
  return ptx_accept(p, c) || ptx_fail(p, "expected '%c'", c);
}

bool ptx_expect_word(struct ptx_parser *p, const char *what, struct ptx_tok *out) {
  *out = p->lex.tok;
  if (out->kind != TK_WORD) return ptx_fail(p, "expected %s", what);
  ptx_next(p);
  return true;
}

bool ptx_skip_statement(struct ptx_parser *p) {
  u32 depth = 0;
  while (!(depth == 0 && ptx_is(p, ';'))) {
    if (ptx_is(p, '{')) depth++;
    if (p->lex.tok.kind <= TK_BAD || (ptx_is(p, '}') && depth-- == 0))
      return ptx_fail(p, "expected ';'");
    ptx_next(p);
  }
  ptx_next(p);
  return true;
}

/* ---- directives ---- */

static bool version(struct ptx_parser *p) {
  str s = p->lex.tok.text;
  u32 part[2] = {0}, i = 0;
  if (p->lex.tok.kind != TK_NUM) return ptx_fail(p, "expected a version");
  for (size_t k = 0; k < s.n && k < 8; k++) {
    if (s.p[k] == '.' && i == 0)
      i = 1;
    else if (s.p[k] >= '0' && s.p[k] <= '9')
      part[i] = part[i] * 10 + (u32)(s.p[k] - '0');
    else
      return ptx_fail(p, "malformed version");
  }
  p->module->version_major = part[0];
  p->module->version_minor = part[1];
  ptx_next(p);
  return true;
}

static bool target(struct ptx_parser *p) {
  do {
    struct ptx_tok t;
    if (!ptx_expect_word(p, "a target", &t)) return false;
    if (str_eqz(t.text, "debug")) p->module->debug = true;
    if (str_starts(t.text, "sm_") && p->module->target.n == 0) p->module->target = t.text;
  } while (ptx_accept(p, ','));
  return true;
}

static bool address_size(struct ptx_parser *p) {
  u64 bits;
  if (!ptx_const_int(p, UINT32_MAX, "an address size", &bits)) return false;
  return bits == 64 || ptx_fail(p, "only PTX with 64-bit addresses is supported");
}

/* .section .debug_str { ... }: skipped; remembered when it may name inlined functions */
static bool section(struct ptx_parser *p) {
  str name = p->lex.tok.text;
  if (p->lex.tok.kind != TK_DIR && p->lex.tok.kind != TK_WORD && p->lex.tok.kind != TK_STRING)
    return ptx_fail(p, "expected the name of a section");
  ptx_next(p);
  if (!ptx_is(p, '{')) return ptx_fail(p, "expected '{'");
  const char *start = p->lex.p;
  if (!ptx_lex_skip_section(&p->lex)) return ptx_fail(p, "a section without an end");
  if (str_eqz(name, "debug_str")) {
    const char *end = memchr(start, '}', (size_t)(p->lex.end - start));
    p->debug_str = (str){start, (size_t)(end - start)};
  }
  return true;
}

struct alias {
  struct ptx_tok name, meant;
};

/* .alias a, b; carried out at the end, when b is known */
static bool alias(struct ptx_parser *p) {
  struct alias a;
  if (!ptx_expect_word(p, "a function", &a.name) || !ptx_expect(p, ',') ||
      !ptx_expect_word(p, "a function", &a.meant))
    return false;
  *ADD(p->aliases, struct alias) = a;
  return ptx_expect(p, ';');
}

static bool make_aliases(struct ptx_parser *p) {
  for (size_t i = 0; i < p->aliases.n; i++) {
    const struct alias *x = AT(p->aliases, struct alias, i);
    const struct ptx_sym *a = ptx_lookup(p, x->name.text, x->name.hash);
    const struct ptx_sym *b = ptx_lookup(p, x->meant.text, x->meant.hash);
    if (!a || !b || a->kind != SYM_FUNC || b->kind != SYM_FUNC)
      return ptx_fail_line(p, x->name.line, ".alias of something that is not a function");
    struct ptx_func *to = AT(p->funcs, struct ptx_func, a->index), own = *to;
    *to = *AT(p->funcs, struct ptx_func, b->index);
    to->name = own.name;
    to->demangled = own.demangled;
  }
  return true;
}

static bool module_directive(struct ptx_parser *p, bool is_extern, bool linked, bool *again) {
  str t = p->lex.tok.text;
  ptx_next(p);
  *again = false;
  if (str_eqz(t, "entry")) return ptx_function(p, true, is_extern);
  if (str_eqz(t, "func")) return ptx_function(p, false, is_extern);
  if (str_eqz(t, "global")) return ptx_variable(p, SP_GLOBAL, is_extern);
  if (str_eqz(t, "const")) return ptx_variable(p, SP_CONST, is_extern);
  if (str_eqz(t, "shared")) return ptx_variable(p, SP_SHARED, is_extern);
  if (str_eqz(t, "local")) return ptx_variable(p, SP_LOCAL, is_extern);
  if (str_eqz(t, "visible") || str_eqz(t, "weak") || str_eqz(t, "common") || str_eqz(t, "extern"))
    return *again = true;
  if (linked) return ptx_fail(p, "a function or variable must follow the linkage");
  if (str_eqz(t, "loc")) return ptx_loc_directive(p);
  if (str_eqz(t, "file")) return ptx_file_directive(p);
  if (str_eqz(t, "section")) return section(p);
  if (str_eqz(t, "version")) return version(p);
  if (str_eqz(t, "target")) return target(p);
  if (str_eqz(t, "address_size")) return address_size(p);
  if (str_eqz(t, "alias")) return alias(p);
  return ptx_skip_statement(p); /* .pragma, and what later versions may bring */
}

static bool module_statement(struct ptx_parser *p) {
  if (ptx_accept(p, ';')) return true;
  if (ptx_is(p, '@')) { /* @@DWARF lines of old compilers */
    ptx_lex_skip_line(&p->lex);
    return true;
  }
  bool is_extern = false, linked = false, again;
  do {
    if (p->lex.tok.kind != TK_DIR) return ptx_fail(p, "expected a directive");
    is_extern |= ptx_is_dir(p, "extern");
    if (!module_directive(p, is_extern, linked, &again)) return false;
    linked = true;
  } while (again);
  return true;
}

/* ---- the whole ---- */

static bool whole(struct ptx_parser *p) {
  while (p->lex.tok.kind != TK_END)
    if (!module_statement(p)) return false;
  if (p->module->version_major == 0)
    return ptx_fail_line(p, 1, "this is not PTX: there is no .version");
  return make_aliases(p) && ptx_locs_finish(p);
}

static void keep_module(struct ptx_parser *p) {
  struct ptx_module *m = p->module;
  m->vars = ptx_list_keep(p->keep, &p->vars, sizeof *m->vars);
  m->var_count = (u32)p->vars.n;
  m->funcs = ptx_list_keep(p->keep, &p->funcs, sizeof *m->funcs);
  m->func_count = (u32)p->funcs.n;
  m->files = ptx_list_keep(p->keep, &p->files, sizeof *m->files);
  m->file_count = (u32)p->files.n;
  m->locs = ptx_list_keep(p->keep, &p->locs, sizeof *m->locs);
  m->loc_count = (u32)p->locs.n;
}

static void free_lists(struct ptx_parser *p) {
  struct ptx_list *lists[] = {&p->vars,   &p->funcs,   &p->locs,      &p->files,      &p->aliases,
                              &p->syms,   &p->fixups,  &p->regs,      &p->params,     &p->code,
                              &p->protos, &p->targets, &p->seen_locs, &p->debug_names};
  for (size_t i = 0; i < COUNT_OF(lists); i++) ptx_list_free(lists[i]);
  held_free(p->bucket);
}

bool ptx_parse(struct arena *keep, str text, struct ptx_module **out, struct diag *why) {
  if (text.n > (size_t)1 << 30) {
    diag_set(why, "PTX of more than 1 GiB");
    return false;
  }
  struct arena scratch = {0};
  struct ptx_parser *p = NEW(&scratch, struct ptx_parser);
  p->keep = keep;
  p->why = why;
  p->func_index = p->loc = -1;
  p->words = NEW(&scratch, struct ptx_words);
  p->module = NEW(keep, struct ptx_module);
  ptx_words_init(p->words);
  ptx_locs_init(p);
  ptx_lex_start(&p->lex, text.p ? text : STR(""));
  bool ok = whole(p);
  if (ok) {
    keep_module(p);
    *out = p->module;
  } else if (!p->failed) {
    BUG("the parser failed without a reason");
  }
  free_lists(p);
  arena_free(&scratch);
  return ok;
}
