/* parse.h - what the files of the parser share. Private to ptx/: nothing outside includes it.
 *
 * Every function that returns bool has set p->why when it returns false (first error wins), and the
 * caller only passes it on. Lists are malloc'ed while they grow and copied into the module's arena
 * when they are complete. */
#ifndef WL_PTX_PARSE_H
#define WL_PTX_PARSE_H
#include "ptx/ptx.h"

/* Limits: hostile text must not cost more than its own size times a constant. */
enum {
  PTX_MAX_DEPTH = 64,             /* nested blocks, braces, parentheses */
  PTX_MAX_REGS = 1000000,         /* in the whole module */
  PTX_MAX_CODE = 2000000,         /* instructions in the whole module */
  PTX_MAX_OPERANDS = 24,          /* of one instruction */
  PTX_MAX_ITEMS = 255,            /* of all vectors of one instruction, of one argument list */
  PTX_MAX_TARGETS = 1 << 20,      /* branch table entries used by a module */
  PTX_MAX_FILES = 1 << 16,        /* highest .file number */
  PTX_MAX_PARAM_BYTES = 64 << 10, /* parameters of one function alive at the same time */
  PTX_MAX_INIT_BYTES = 256 << 20  /* all initialised variables together */
};

/* ---- lex.c ---- */
enum ptx_tok_kind { /* punctuation is its own character code */
                    TK_END,
                    TK_BAD,  /* see ptx_lex.error */
                    TK_WORD, /* name or opcode with its dots: ld.param.u64, %tid.x, $L__BB0_1 */
                    TK_DIR,  /* .reg: text without the dot */
                    TK_NUM,
                    TK_STRING /* text without the quotes */
};
struct ptx_tok {
  u32 kind, line;
  u32 hash; /* TK_WORD: ptx_word_hash of the text */
  bool is_float, is_f32;
  u64 bits; /* TK_NUM: the integer, or the float's bits */
  str text;
};
struct ptx_lex {
  const char *begin, *p, *end;
  u32 line;
  const char *error;
  struct ptx_tok tok; /* the current token */
};
void ptx_lex_start(struct ptx_lex *l, str text);
void ptx_lex_next(struct ptx_lex *l);
void ptx_lex_skip_line(struct ptx_lex *l);
/* From behind the "{" of a section to its "}": data lines, not tokens. False when it never ends. */
bool ptx_lex_skip_section(struct ptx_lex *l);
u32 ptx_word_hash(str s);

/* ---- growing lists ---- */
struct ptx_list {
  void *p;
  size_t n, cap;
};
void *ptx_list_add(struct ptx_list *l, size_t elem_bytes); /* zeroed */
void *ptx_list_keep(struct arena *keep, const struct ptx_list *l, size_t elem_bytes);
void ptx_list_free(struct ptx_list *l);
#define AT(list, type, i) (&((type *)(list).p)[i])
#define ADD(list, type)   ((type *)ptx_list_add(&(list), sizeof(type)))

/* ---- table.c: words of the language ---- */
enum ptx_word_class { WORD_OP = 1, WORD_MOD, WORD_TYPE, WORD_SREG };
struct ptx_word {
  const char *text;
  u16 index;
  u8 len, class;
  bool spans; /* a modifier that goes on behind a dot starts like this: xorsign.abs */
};
struct ptx_opcode { /* an opcode taken apart */
  str text;
  u16 op;
  u8 type_count, types[5];
  u64 mods[4];
};
enum { PTX_WORD_SLOTS = 1024, PTX_OPCODE_SLOTS = 256 };
struct ptx_words {
  struct ptx_word slot[PTX_WORD_SLOTS];
  struct ptx_opcode seen[PTX_OPCODE_SLOTS]; /* opcodes repeat: direct-mapped cache by hash */
};
void ptx_words_init(struct ptx_words *w);
const struct ptx_word *ptx_word_find(const struct ptx_words *w, enum ptx_word_class class,
                                     str text);
const struct ptx_opcode *ptx_opcode_find(struct ptx_words *w, str text, u32 hash);

/* ---- scope.c: names ---- */
enum ptx_sym_kind {
  SYM_REG,
  SYM_REGS,
  SYM_VAR,
  SYM_FUNC,
  SYM_PARAM,
  SYM_LABEL,
  SYM_PROTO,
  SYM_TARGETS
};
struct ptx_sym {
  str name;
  u32 hash;
  i32 next; /* in the bucket */
  u8 kind;
  u8 depth; /* of the block that declares it; 0 = module */
  i32 index;
  u32 count; /* SYM_REGS: %r<count>, name is "%r" */
};
struct ptx_fixup { /* a use of a label, prototype or branch table, bound when its block closes */
  str name;
  u32 hash, line, insn;
  u8 want;   /* enum ptx_sym_kind */
  i32 *slot; /* SYM_LABEL: where the instruction index goes */
};
struct ptx_scope {
  size_t syms, fixups; /* counts when the block opened */
  u32 param_cursor;
};
struct ptx_targets {
  i32 *v;
  u32 n;
};

struct ptx_debug_name { /* .loc's function_name, resolved at the end */
  str label;
  u32 offset;
  i32 loc;
};
struct ptx_seen_loc {
  u32 col;
  i32 next; /* older loc in the same bucket */
};
enum { PTX_LOC_BUCKETS = 4096 };

struct ptx_parser {
  struct arena *keep;
  struct diag *why;
  struct ptx_lex lex;
  struct ptx_words *words;
  bool failed;
  u32 nesting; /* of braces and parentheses being parsed recursively */
  u64 init_bytes, reg_total, code_total, target_total;
  struct ptx_module *module;
  struct ptx_list vars, funcs, locs, files; /* of the module */
  struct ptx_list aliases;
  /* names */
  struct ptx_list syms; /* struct ptx_sym, innermost last */
  i32 *bucket;
  u32 bucket_count;
  struct ptx_list fixups;
  struct ptx_scope scope[PTX_MAX_DEPTH + 1];
  u32 depth;
  /* the function being parsed */
  i32 func_index; /* -1 at module scope */
  struct ptx_func *func;
  struct ptx_list regs, params, code, protos, targets;
  bool digit_names; /* a single register is named like one of a range: %r7 */
  i32 last_target;  /* highest instruction that a label in use names */
  u32 param_cursor; /* where the next .param variable of this block goes */
  i32 loc;
  /* source positions */
  struct ptx_list seen_locs, debug_names;
  i32 loc_bucket[PTX_LOC_BUCKETS];
  str debug_str; /* text of .section .debug_str */
  /* operands of the instruction being parsed */
  struct ptx_operand opd[PTX_MAX_OPERANDS], item[PTX_MAX_ITEMS];
  u32 opd_count, item_count;
};

/* ---- parse.c: errors and small steps ---- */
bool ptx_fail(struct ptx_parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool ptx_fail_line(struct ptx_parser *p, u32 line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool ptx_expect(struct ptx_parser *p, char c);
bool ptx_accept(struct ptx_parser *p, char c);
bool ptx_expect_word(struct ptx_parser *p, const char *what, struct ptx_tok *out);
bool ptx_skip_statement(struct ptx_parser *p); /* up to and with the ";" */
static inline void ptx_next(struct ptx_parser *p) { ptx_lex_next(&p->lex); }
static inline bool ptx_is(const struct ptx_parser *p, char c) { return p->lex.tok.kind == (u8)c; }
static inline bool ptx_is_dir(const struct ptx_parser *p, const char *name) {
  return p->lex.tok.kind == TK_DIR && str_eqz(p->lex.tok.text, name);
}

/* ---- scope.c ---- */
bool ptx_declare(struct ptx_parser *p, const struct ptx_tok *name, enum ptx_sym_kind kind,
                 i32 index, u32 count);
const struct ptx_sym *ptx_lookup(const struct ptx_parser *p, str name, u32 hash); /* no labels */
/* Register number of a name, -1 when it is none. */
i32 ptx_lookup_reg(const struct ptx_parser *p, str name, u32 hash);
bool ptx_scope_open(struct ptx_parser *p);
bool ptx_scope_close(struct ptx_parser *p);
struct ptx_fixup *ptx_fixup_add(struct ptx_parser *p, const struct ptx_tok *name,
                                enum ptx_sym_kind want);

/* ---- expr.c: constants ---- */
struct ptx_const {
  u64 bits;
  bool is_float, is_f32;
};
bool ptx_const_expr(struct ptx_parser *p, struct ptx_const *out);
bool ptx_const_unary(struct ptx_parser *p, struct ptx_const *out);
bool ptx_const_int(struct ptx_parser *p, u64 max, const char *what, u64 *out);

/* ---- operand.c ---- */
bool ptx_operands(struct ptx_parser *p, struct ptx_insn *in); /* up to the ";" */
bool ptx_call_operands(struct ptx_parser *p, struct ptx_insn *in);
bool ptx_branch_operands(struct ptx_parser *p, struct ptx_insn *in);

/* ---- var.c, init.c ---- */
struct ptx_decl { /* the part of a declaration that variables and parameters share */
  enum ptx_type type;
  u32 align, vec;
  struct ptx_tok name;
  u64 dim[8];
  u32 dim_count;
  bool unsized; /* first dimension is [] */
};
bool ptx_decl_type(struct ptx_parser *p,
                   struct ptx_decl *d); /* .align N .v4 .f32, .ptr, .attribute() */
bool ptx_decl_name(struct ptx_parser *p, struct ptx_decl *d); /* name[2][3] */
bool ptx_decl_size(struct ptx_parser *p, const struct ptx_decl *d, u64 max_bytes, u64 *size_bytes);
/* From behind ".global" (or the like) to the ";". */
bool ptx_variable(struct ptx_parser *p, enum ptx_space space, bool is_extern);
bool ptx_initialiser(struct ptx_parser *p, const struct ptx_decl *d, struct ptx_var *v);

/* ---- signature.c ---- */
bool ptx_param_list(struct ptx_parser *p, struct ptx_list *params);
bool ptx_param_place(struct ptx_parser *p, struct ptx_param *m, u32 *cursor, bool c_layout);
bool ptx_param_variables(struct ptx_parser *p); /* .param of a call sequence */
bool ptx_function(struct ptx_parser *p, bool is_entry, bool is_extern); /* behind .func or .entry */
bool ptx_prototype(struct ptx_parser *p, const struct ptx_tok *label);  /* behind .callprototype */

/* ---- parse_func.c, flow.c, loc.c ---- */
/* From behind the opening to behind the closing brace; closes the block that the caller opened. */
bool ptx_body(struct ptx_parser *p);
void ptx_flow(struct ptx_func *f);
void ptx_locs_init(struct ptx_parser *p);
bool ptx_loc_directive(struct ptx_parser *p);  /* behind .loc */
bool ptx_file_directive(struct ptx_parser *p); /* behind .file */
bool ptx_locs_finish(struct ptx_parser *p);
#endif
