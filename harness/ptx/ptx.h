/* ptx.h - PTX text to an immutable module. Knows the language, nothing about running it.
 *
 * Source: PTX ISA 9.0. Addresses, registers and types here are the text's; the machine (vm/)
 * decodes them into its own flat form once (vm/decode.c). */
#ifndef WL_PTX_H
#define WL_PTX_H
#include "base/base.h"

enum ptx_op {
  OP_unknown, /* not in ops.def: a named error if it is ever executed */
#define O(name, text, flags) OP_##name,
#include "ptx/ops.def"
#undef O
  OP_COUNT
};
enum ptx_op_flags { MEM = 1, SYNC = 2, ENDS = 4, ORDER = 8, NODST = 16 };
struct ptx_op_info {
  const char *text;
  u32 flags;
};
extern const struct ptx_op_info ptx_ops[OP_COUNT];

enum ptx_mod {
#define M(name, text) MOD_##name,
#include "ptx/mods.def"
#undef M
  MOD_COUNT
};
extern const char *const ptx_mod_text[MOD_COUNT];

enum ptx_type {
  T_NONE,
  T_PRED,
  T_B8,
  T_U8,
  T_S8,
  T_B16,
  T_U16,
  T_S16,
  T_F16,
  T_BF16,
  T_B32,
  T_U32,
  T_S32,
  T_F32,
  T_TF32,
  T_F16X2,
  T_BF16X2,
  T_B64,
  T_U64,
  T_S64,
  T_F64,
  T_F32X2,
  T_B128,
  T_U16X2,
  T_S16X2,
  T_E4M3X2, /* pairs and quadruples of 8-, 6- and 4-bit floats */
  T_E5M2X2,
  T_E3M2X2,
  T_E2M3X2,
  T_E2M1X2,
  T_UE8M0X2,
  T_E4M3X4,
  T_E5M2X4,
  T_E3M2X4,
  T_E2M3X4,
  T_E2M1X4,
  T_E4M3, /* elements of matrices */
  T_E5M2,
  T_E3M2,
  T_E2M3,
  T_E2M1,
  T_UE8M0,
  T_UE4M3,
  T_B1,
  T_U2,
  T_S2,
  T_U4,
  T_S4,
  T_B8X16, /* rows of matrices in memory */
  T_B6X16_P32,
  T_B4X16_P64,
  T_COUNT
};
u32 ptx_type_bytes(enum ptx_type t); /* 0 for T_NONE and T_PRED; 1 for less than a byte */
u32 ptx_type_bits(enum ptx_type t);  /* 1, 2, 4 for .b1, .u2, .u4; else 8 a byte */
const char *ptx_type_text(enum ptx_type t);

enum ptx_space { SP_NONE, SP_REG, SP_GENERIC, SP_GLOBAL, SP_SHARED, SP_LOCAL, SP_CONST, SP_PARAM };

/* ---- variables ---- */
struct ptx_reloc {              /* an address inside an initialiser */
  u32 offset_bytes, size_bytes; /* size: 8, or 4/1 for mask() forms */
  str symbol;
  i64 addend;
  bool generic; /* generic(sym): the generic address; else the address in its own space */
};
enum { PTX_DIMENSIONS = 4 };
struct ptx_shape { /* of an array, as its source declares it; PTX has only its bytes */
  u32 count;       /* 0: not known */
  u32 dim[PTX_DIMENSIONS], elem_bytes;
};
struct ptx_var {
  str name;
  enum ptx_space space;
  enum ptx_type type; /* element type as declared */
  u32 align;
  u64 size_bytes; /* 0 with unsized = true: extern .shared name[] */
  u32 elem_count; /* 1 for scalars */
  bool is_array, unsized, is_extern;
  const u8 *init; /* size_bytes, NULL = zero (global, const) or undefined (shared, local) */
  struct ptx_reloc *relocs;
  u32 reloc_count;
  i32 func;               /* function that declares it (demoted shared, local), -1 = module scope */
  struct ptx_shape shape; /* compile_shapes() fills it in */
};

/* ---- functions ---- */
struct ptx_reg {
  str name;
  enum ptx_type type;
};
struct ptx_param { /* formal parameter or return value, and .param variables of call sequences */
  str name;
  enum ptx_type type;
  u32 align, size_bytes, offset_bytes; /* offset within the function's param area, see ptx_func */
};

enum ptx_operand_kind {
  OPD_NONE,
  OPD_REG,   /* reg */
  OPD_IMM,   /* imm: integer bits, or float bits in the instruction's own width (f32: low 32) */
  OPD_VAR,   /* var + imm: address of a variable (module or function scope) */
  OPD_FUNC,  /* func: address of a function, or the callee */
  OPD_PARAM, /* param + imm: a .param variable of this function */
  OPD_SREG,  /* sreg, dim */
  OPD_LABEL, /* label: instruction index in the same function */
  OPD_VEC,   /* items: { a, b, c, d }; an item may be OPD_NONE for "_" */
  OPD_SINK,  /* "_" */
};
/* Parts of a register, as video instructions name them: .h10 is two half-words, the lower one first
 * in the digits (three bits each). */
#define PTX_SELECT(half, count, digits)                                                            \
  (u16)(0x8000u | (half ? 0x4000u : 0) | ((count)-1u) << 12 | (digits))
#define PTX_SELECT_HALF(s)     (((s)&0x4000u) != 0)
#define PTX_SELECT_COUNT(s)    (((s) >> 12 & 3u) + 1u)
#define PTX_SELECT_DIGIT(s, i) ((u32)(s) >> 3 * (i)&7u)
struct ptx_operand {
  u8 kind;     /* enum ptx_operand_kind */
  u8 is_addr;  /* written in [ ]: base + imm */
  u8 negated;  /* !p */
  u8 is_float; /* the literal was written as 0f/0d/decimal float; imm holds f64 bits for 0d and
                  decimals, f32 bits for 0f */
  u8 is_f32;   /* with is_float: imm holds f32 bits (0f...) */
  u8 dim;      /* sreg component: 0 x, 1 y, 2 z, 3 w; 0 where there is none */
  u16 sreg;    /* enum ptx_sreg */
  u16 select;  /* %r1.b0, %r1.h10 of video instructions: see PTX_SELECT; 0 = none */
  i32 index;   /* reg / var / func / param / label, by kind */
  i64 imm;     /* literal, or the address offset */
  struct ptx_operand *items; /* OPD_VEC */
  u32 item_count;
  u8 after_pipe; /* written "d|p": this is p */
};

enum ptx_sreg {
#define S(name, text) SREG_##name,
#include "ptx/sregs.def"
#undef S
  SREG_COUNT
};
extern const char *const ptx_sreg_text[SREG_COUNT];

struct ptx_loc {  /* a source position with the chain of inlined calls it came from */
  u32 file;       /* index into module->files, 0 = unknown */
  u32 line;       /* 0 = unknown */
  i32 inlined_at; /* index into module->locs, -1 = none */
  str function;   /* name of the inlined function, empty when unknown */
};

struct ptx_insn {
  u16 op; /* enum ptx_op */
  u8 type_count;
  u8 types[5]; /* enum ptx_type, in the order written: cvt.f32.s32 = {F32, S32} */
  u64 mods[4]; /* set of enum ptx_mod, see ptx_has */
  i32 guard;   /* predicate register, -1 = none */
  bool guard_negated;
  u8 operand_count;
  struct ptx_operand *operands; /* destination first, as written. "d|p" is two operands */
  i32 loc;                      /* index into module->locs, -1 = none */
  u32 ptx_line;                 /* line in the PTX text, for diagnostics */
  str text;                     /* opcode with modifiers as written: "atom.add.acquire.gpu.s32" */
  /* call only: operands[0] is the callee (OPD_FUNC, OPD_REG); */
  struct ptx_operand *call_args, *call_rets; /* OPD_PARAM, OPD_REG or OPD_IMM */
  u8 call_arg_count, call_ret_count;
  i32 prototype; /* index into func->prototypes, -1 = direct */
  /* bra: the instruction where diverged threads may meet again (immediate post-dominator),
   * PTX_AT_RETURN when that is the function's end. Set by ptx_flow. */
  i32 reconverge;
  /* brx.idx: table of targets */
  i32 *targets;
  u32 target_count;
};
#define PTX_AT_RETURN (-2)

struct ptx_prototype {
  str name;
  struct ptx_param *rets, *params;
  u32 ret_count, param_count;
};
struct ptx_func {
  str name;      /* as in PTX, mangled */
  str demangled; /* "k(float const*, int)", the mangled name where it cannot be demangled */
  bool is_entry, is_extern; /* extern: declared, defined nowhere in this module */
  struct ptx_reg *regs;
  u32 reg_count;
  struct ptx_param
      *params; /* formals first: rets[0..ret_count), then args, then call-sequence variables */
  u32 ret_count, arg_count, param_count;
  u32 param_bytes; /* all of them laid out, 8-byte aligned each or more */
  struct ptx_insn *code;
  u32 code_count;
  u32 entry_param_bytes; /* entries: the size of the kernel's parameter block (offsets by C layout)
                          */
  u32 maxntid[3], reqntid[3], minnctapersm, reqcluster[3];
  bool has_reqntid, has_maxntid, explicit_cluster;
  bool no_return;
  struct ptx_prototype *prototypes;
  u32 prototype_count;
  i32 loc; /* of the first instruction that has one */
};

struct ptx_module {
  u32 version_major, version_minor; /* .version */
  str target;                       /* "sm_90" */
  bool debug;                       /* .target ..., debug  (or clang -O0: see compile/) */
  struct ptx_var *vars;
  u32 var_count;
  struct ptx_func *funcs;
  u32 func_count;
  str *files; /* files[0] is "" */
  u32 file_count;
  struct ptx_loc *locs;
  u32 loc_count;
};

/* Parses PTX. `keep` owns the module; `text` must outlive it (strings point into it).
 * Hostile text is input: false + why (line, column and the text there), never a crash; nesting,
 * counts and sizes are bounded (see parse.c). An unknown opcode is not an error here: OP_unknown.
 */
bool ptx_parse(struct arena *keep, str text, struct ptx_module **out, struct diag *why);

/* Kernel by plain, qualified or mangled name; NULL when absent or ambiguous (why says which). */
const struct ptx_func *ptx_kernel(const struct ptx_module *m, str name, struct diag *why);
/* "k" of "void ns::k<4>(int*)": how the source calls it. */
str ptx_plain_name(const struct ptx_func *f);
/* "float const*, int": what the name says of the parameters; empty where it says nothing (extern
 * "C"). */
str ptx_param_types(const struct ptx_func *f);

bool ptx_has(const struct ptx_insn *in, enum ptx_mod mod);
/* "k.cu" and line of an instruction: its own, outermost = false: where the inlined text stands. */
void ptx_where(const struct ptx_module *m, i32 loc, str *file, u32 *line);
/* One line of canonical text, for dumps and messages. */
void ptx_print_insn(struct strbuf *out, const struct ptx_module *m, const struct ptx_func *f,
                    const struct ptx_insn *in);
/* Itanium-ABI names of kernels, variables and lambdas in readable form: "_ZZ4tilePfE1s" -> "s" with
 * scope "tile". Falls back to the mangled text. `short_form`: last component only, for objects. */
str ptx_demangle(struct arena *a, str mangled, bool short_form);
#endif
