/* test_ptx.c - the parser on small texts: every form compilers emit, errors at the right line,
 * where branches reconverge, names. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "ptx/ptx.h"

#define HEAD   ".version 9.0\n.target sm_90, debug\n.address_size 64\n"
#define K(...) HEAD ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n" __VA_ARGS__ "\n}\n"

static struct arena arena;
static struct diag why;
static struct ptx_module *m;
static const struct ptx_func *k;

static void start(void) {
  arena = (struct arena){0};
  memset(&why, 0, sizeof why);
}
static void stop(void) { arena_free(&arena); }

static void parse(const char *text) {
  bool ok = ptx_parse(&arena, str_of(text), &m, &why);
  ck_assert_msg(ok, "line %u: %s in: %s", why.line, why.text, why.excerpt);
  k = NULL;
  for (u32 i = 0; i < m->func_count; i++)
    if (m->funcs[i].is_entry) k = &m->funcs[i];
}

static void refuse(const char *text, u32 line, const char *reason) {
  bool ok = ptx_parse(&arena, str_of(text), &m, &why);
  ck_assert_msg(!ok, "accepted: %s", text);
  ck_assert_msg(why.line == line && strstr(why.text, reason), "line %u: %s", why.line, why.text);
}

static const char *insn(u32 i) {
  struct strbuf b = {0};
  ck_assert_uint_lt(i, k->code_count);
  ptx_print_insn(&b, m, k, &k->code[i]);
  char *s = arena_printf(&arena, "%s", b.p);
  strbuf_free(&b);
  return s;
}

static const struct ptx_var *var(const char *name) {
  for (u32 i = 0; i < m->var_count; i++)
    if (str_eqz(m->vars[i].name, name)) return &m->vars[i];
  ck_abort_msg("no variable %s", name);
  return NULL;
}

static const struct ptx_func *func(const char *name) {
  for (u32 i = 0; i < m->func_count; i++)
    if (str_eqz(m->funcs[i].name, name)) return &m->funcs[i];
  ck_abort_msg("no function %s", name);
  return NULL;
}

/* ---- instructions: what goes in comes out ---- */

static const char *const round_trips[] = {
    "ld.param.u64 %rd1, [a];",
    "ld.global.v4.f32 {%f0, %f1, %f2, _}, [%rd1+16];",
    "st.shared.u32 [tile+4], %r1;",
    "st.volatile.global.u32 [%rd1-8], -1;",
    "mov.u32 %r1, %tid.x;",
    "mov.u32 %r1, %nctaid.z;",
    "mov.u32 %r1, %laneid;",
    "mov.u64 %rd1, %clock64;",
    "mov.u32 %r1, %envreg2;",
    "mov.u32 %r1, %pm0;",
    "mov.b32 %r1, %cluster_nctaid.y;",
    "mov.u32 %r1, tile;",
    "mov.b64 %rd1, a;",
    "mov.b64 {%r1, %r2}, %rd1;",
    "mov.f32 %f1, 0f3F800000;",
    "add.f64 %fd1, %fd2, 0d4000000000000000;",
    "setp.lt.and.s32 %p1|%p2, %r1, 5, !%p3;",
    "shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;",
    "match.all.sync.b32 %r1|%p1, %r2, -1;",
    "vote.sync.ballot.b32 %r1, %p1, -1;",
    "vote.sync.any.pred %p1, !%p2, -1;",
    "bar.red.popc.u32 %r1, 0, 64, !%p1;",
    "barrier.cta.sync.aligned 0;",
    "atom.add.acquire.gpu.s32 %r1, [%rd1], 1;",
    "atom.global.cta.add.u32 %r1, [%rd1], 1;",
    "atom.acq_rel.cta.global.cas.b32 %r1, [%rd1+4], %r2, %r3;",
    "atom.global.add.u32 _, [%rd1], 1;",
    "red.release.gpu.global.add.s32 [%rd1], 1;",
    "membar.gl;",
    "fence.acq_rel.gpu;",
    "trap;",
    "@%p1 mov.u32 %r1, 1;",
    "@!%p1 mov.u32 %r1, 1;",
    "lop3.b32 %r1, %r2, %r3, %r4, 128;",
    "cvt.rn.f16x2.f32 %r1, %f1, %f2;",
    "min.xorsign.abs.f32 %f1, %f2, %f3;",
    "ld.global.L1::no_allocate.L2::128B.u32 %r1, [%rd1];",
    "ld.u32 %r1, [64];",
    "mov.u64 %rd1, callee;",
};

START_TEST(round_trip) {
  parse(arena_printf(
      &arena,
      HEAD ".func callee;\n"
           ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n.reg .pred %%p<4>;\n"
           ".reg .b32 %%r<9>;\n.reg .b64 %%rd<9>;\n.reg .f32 %%f<9>;\n.reg .f64 %%fd<9>;\n"
           ".shared .align 4 .b8 tile[64];\n%s\nret;\n}\n",
      round_trips[_i]));
  ck_assert_str_eq(insn(0), round_trips[_i]);
  ck_assert_uint_ne(k->code[0].op, OP_unknown);
}
END_TEST

START_TEST(modifiers_are_a_set_and_types_a_list) {
  parse(K(".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<2>;\n"
          "atom.global.cta.add.u32 %r1, [%rd1], 1; cvt.rzi.s32.f32 %r1, %f1; min.xorsign.abs.f32 "
          "%f0, %f1, %f1;"
          "ld.shared::cta.u32 %r1, [%r2];"));
  ck_assert(ptx_has(&k->code[0], MOD_GLOBAL) && ptx_has(&k->code[0], MOD_CTA));
  ck_assert(ptx_has(&k->code[0], MOD_ADD) && !ptx_has(&k->code[0], MOD_GPU));
  ck_assert_uint_eq(k->code[1].type_count, 2);
  ck_assert_uint_eq(k->code[1].types[0], T_S32);
  ck_assert_uint_eq(k->code[1].types[1], T_F32);
  ck_assert(ptx_has(&k->code[2], MOD_XORSIGN_ABS) && !ptx_has(&k->code[2], MOD_ABS));
  ck_assert(ptx_has(&k->code[3], MOD_SHARED_CTA) && !ptx_has(&k->code[3], MOD_SHARED));
}
END_TEST

START_TEST(unknown_opcodes_are_kept) {
  parse(K(".reg .pred %p1; .reg .b32 %r<4>;\n@%p1 frobnicate.x.u32 {%r1, %r2}, [%r3, {%r1}];\n"
          "add.sideways.u32 %r1, %r1, %r1;\nmov.u32 %r1, 2;"));
  ck_assert_uint_eq(k->code[0].op, OP_unknown);
  ck_assert(str_eqz(k->code[0].text, "frobnicate.x.u32"));
  ck_assert_int_ge(k->code[0].guard, 0);
  ck_assert_uint_eq(k->code[1].op, OP_unknown); /* known opcode, unknown modifier */
  ck_assert_str_eq(insn(1), "add.sideways.u32 ...;");
  ck_assert_str_eq(insn(2), "mov.u32 %r1, 2;");
}
END_TEST

static i64 imm(u32 i) {
  ck_assert_uint_eq(k->code[i].operands[1].kind, OPD_IMM);
  return k->code[i].operands[1].imm;
}

START_TEST(immediates) {
  parse(K(
      ".reg .b32 %r<4>; .reg .f64 %fd<2>;\n"
      "mov.u32 %r1, 0x1F; mov.u32 %r1, 017; mov.u32 %r1, 0b101; mov.u32 %r1, 42U; mov.u32 %r1, -7;"
      "mov.u32 %r1, WARP_SZ; mov.u32 %r1, 1<<3; mov.u32 %r1, (2+3)*4-1; mov.u32 %r1, "
      "0xFFFFFFFFFFFFFFFF;"
      "mov.f64 %fd1, 1.5; mov.f64 %fd1, -0d3FF0000000000000; mov.f32 %r1, 0fBF800000; mov.f64 "
      "%fd1, 1e-3;"
      "mov.u32 %r1, ~0;"));
  const i64 want[] = {31, 15, 5, 42, -7, 32, 8, 19, -1};
  for (u32 i = 0; i < COUNT_OF(want); i++) ck_assert_int_eq(imm(i), want[i]);
  double d;
  i64 bits = imm(9);
  memcpy(&d, &bits, sizeof d);
  ck_assert_double_eq(d, 1.5);
  ck_assert(k->code[9].operands[1].is_float && !k->code[9].operands[1].is_f32);
  ck_assert(imm(10) == (i64)0xBFF0000000000000u);
  ck_assert(k->code[11].operands[1].is_f32 && imm(11) == 0xBF800000);
  bits = imm(12);
  memcpy(&d, &bits, sizeof d);
  ck_assert_double_eq(d, 1e-3);
  ck_assert_int_eq(imm(13), -1);
}
END_TEST

START_TEST(labels_are_local_to_blocks) {
  parse(K(".reg .pred p;\n"
          "@p bra OUT;\n" /* 0: defined later, outside */
          "{ .reg .b32 t; @p bra L; mov.b32 t, 1; L: mov.b32 t, 2; @p bra OUT; }\n" /* 1..4 */
          "{ .reg .u32 t; L: mov.u32 t, 3; { @p bra L; } }\n"                       /* 5, 6 */
          "OUT: ret;"));
  ck_assert_int_eq(k->code[0].operands[0].index, 7);
  ck_assert_int_eq(k->code[1].operands[0].index, 3);
  ck_assert_int_eq(k->code[4].operands[0].index, 7);
  ck_assert_int_eq(k->code[6].operands[0].index, 5);
  ck_assert_int_ne(k->code[2].operands[0].index,
                   k->code[5].operands[0].index); /* two registers t */
  ck_assert_uint_eq(k->regs[k->code[5].operands[0].index].type, T_U32);
}
END_TEST

START_TEST(an_inner_label_hides_an_outer_one_defined_earlier) {
  parse(K(".reg .pred p;\nL: @p bra L;\n{ @p bra L; @p bra L; L: ret; }"));
  ck_assert_int_eq(k->code[0].operands[0].index, 0);
  ck_assert_int_eq(k->code[1].operands[0].index, 3);
}
END_TEST

START_TEST(registers_shadow) {
  parse(K(".reg .b32 %r<3>; .reg .b32 %x;\nmov.b32 %r1, 0;\n"
          "{ .reg .b64 %r<2>; .reg .b32 %x; mov.b64 %r1, 0; mov.b32 %r2, 0; mov.b32 %x, 0; }\n"
          "{ .reg .b16 %r1; mov.b16 %r1, 0; mov.b32 %r0, 0; }\nmov.b32 %r1, 0; mov.b32 %x, 0;"));
  const enum ptx_type want[] = {T_B32, T_B64, T_B32, T_B32, T_B16, T_B32, T_B32, T_B32};
  for (u32 i = 0; i < COUNT_OF(want); i++)
    ck_assert_int_eq(k->regs[k->code[i].operands[0].index].type, want[i]);
  ck_assert_int_ne(k->code[3].operands[0].index, k->code[7].operands[0].index);
  ck_assert_int_eq(k->code[0].operands[0].index, k->code[6].operands[0].index);
  ck_assert(str_eqz(k->regs[k->code[0].operands[0].index].name, "%r1"));
}
END_TEST

/* ---- parameters and calls ---- */

START_TEST(parameter_layout) {
  parse(HEAD
        ".entry k(.param .u8 c, .param .u64 .ptr .global .align 4 p, .param .align 16 .b8 s[20],"
        ".param .u16 h) .maxntid 256, 2 .minnctapersm 3 .reqntid 32\n{ .param .b32 x; .param "
        ".align 16 .b8 y[4];ret; }\n");
  const u32 offset[] = {0, 8, 16, 36, 40, 48};
  ck_assert_uint_eq(k->param_count, 6);
  ck_assert_uint_eq(k->arg_count, 4);
  for (u32 i = 0; i < 6; i++) ck_assert_uint_eq(k->params[i].offset_bytes, offset[i]);
  ck_assert_uint_eq(k->entry_param_bytes, 38);
  ck_assert_uint_eq(k->param_bytes, 56);
  ck_assert(k->has_maxntid && k->maxntid[0] == 256 && k->maxntid[1] == 2 && k->maxntid[2] == 1);
  ck_assert(k->has_reqntid && k->reqntid[0] == 32 && k->minnctapersm == 3);
}
END_TEST

START_TEST(function_parameters_take_eight_bytes_each) {
  parse(HEAD ".func (.param .b32 r) f(.param .b8 a, .param .align 16 .b8 s[12], .param .b32 b) { "
             "ret; }\n");
  const struct ptx_func *f = func("f");
  const u32 offset[] = {0, 8, 16, 32};
  ck_assert_uint_eq(f->ret_count, 1);
  ck_assert_uint_eq(f->arg_count, 3);
  for (u32 i = 0; i < 4; i++) ck_assert_uint_eq(f->params[i].offset_bytes, offset[i]);
  ck_assert_uint_eq(f->param_bytes, 40);
}
END_TEST

START_TEST(calls) {
  parse(HEAD
        ".func (.param .b32 r) f(.param .b32 a, .param .b64 b);\n.func g() .noreturn;\n"
        ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
        ".entry k()\n{\n.reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
        "{ .param .b32 param0; .param .b64 param1; .param .b32 retval0;\nst.param.b32 [param0+0], "
        "%r1;\n"
        "call.uni (retval0),\n f,\n (\n param0,\n param1\n );\nld.param.b32 %r2, [retval0+0]; }\n"
        "{ .param .b32 param0; .param .b32 retval0; prototype_0 : .callprototype (.param .b32 _) _ "
        "(.param .b32 _, .param .align 8 .b8 _[16]);\ncall (retval0), %rd1, (param0), prototype_0; "
        "}\n"
        "call g;\ncall (%r1), f, (3, %rd2);\n"
        "call %rd1, late; late: .callprototype _ ();\nret; }\n"
        ".func (.param .b32 r) f(.param .b32 a, .param .b64 b) { ret; }\n");
  ck_assert_str_eq(insn(1), "call.uni (retval0), f, (param0, param1);");
  ck_assert_str_eq(insn(3), "call (retval0), %rd1, (param0), prototype_0;");
  ck_assert_str_eq(insn(4), "call g;");
  ck_assert_str_eq(insn(5), "call (%r1), f, (3, %rd2);");
  ck_assert_str_eq(insn(6), "call %rd1, late;");
  ck_assert_int_eq(k->code[1].prototype, -1);
  ck_assert_uint_eq(k->code[1].operands[0].kind, OPD_FUNC);
  ck_assert_uint_eq(k->code[3].operands[0].kind, OPD_REG);
  const struct ptx_prototype *p = &k->prototypes[k->code[3].prototype];
  ck_assert_uint_eq(p->ret_count, 1);
  ck_assert_uint_eq(p->param_count, 2);
  ck_assert_uint_eq(p->params[1].size_bytes, 16);
  ck_assert(func("g")->no_return && func("g")->is_extern && !func("f")->is_extern);
  ck_assert(func("vprintf")->is_extern);
  /* parameters of blocks side by side share their place */
  ck_assert_uint_eq(k->params[0].offset_bytes, k->params[3].offset_bytes);
  ck_assert_uint_eq(k->param_bytes, 24);
}
END_TEST

START_TEST(alias_and_duplicates) {
  parse(HEAD ".func one() { ret; }\n.func two();\n.alias two, one;\n.weak .func one();\n");
  ck_assert_uint_eq(func("two")->code_count, 1);
  ck_assert(!func("two")->is_extern && !func("one")->is_extern);
  refuse(HEAD ".func f() { ret; }\n.func f() { ret; }\n", 5, "defined twice");
}
END_TEST

/* ---- variables ---- */

START_TEST(variables) {
  parse(
      HEAD
      ".visible .global .align 4 .u32 done;\n.extern .shared .align 16 .b8 dyn[];\n"
      ".const .align 8 .f64 pi = 3.5;\n.global .v4 .f32 v;\n.global .s16 m[2][3] = {{1}, {2, 3}};\n"
      ".weak .global .align 1 .b8 str[6] = {104, 105, 0x21};\n.global .f32 g[] = {1.0, 0f40000000, "
      "0d4008000000000000};\n"
      ".global .attribute(.managed) .u32 x, y[1<<3];\n.extern .global .b32 there[];\n"
      ".entry k() { .shared .align 4 .b8 s[1024]; .local .align 16 .b8 depot[32]; ret; }\n");
  ck_assert(var("done")->size_bytes == 4 && !var("done")->init && var("done")->func == -1);
  ck_assert(var("dyn")->unsized && var("dyn")->is_extern && var("dyn")->align == 16);
  double d;
  memcpy(&d, var("pi")->init, 8);
  ck_assert_double_eq(d, 3.5);
  ck_assert(var("v")->size_bytes == 16 && var("v")->align == 16 && !var("v")->is_array);
  short row[6];
  ck_assert_uint_eq(var("m")->elem_count, 6);
  memcpy(row, var("m")->init, sizeof row);
  ck_assert(row[0] == 1 && row[1] == 0 && row[3] == 2 && row[4] == 3 && row[5] == 0);
  ck_assert_int_eq(memcmp(var("str")->init, "hi!\0\0\0", 6), 0);
  float f[3];
  ck_assert_uint_eq(var("g")->size_bytes, 12);
  memcpy(f, var("g")->init, 12);
  ck_assert(f[0] == 1.0f && f[1] == 2.0f && f[2] == 3.0f);
  ck_assert(var("y")->size_bytes == 32 && var("y")->is_array);
  ck_assert(var("s")->space == SP_SHARED && var("s")->func >= 0);
  ck_assert(str_eqz(m->funcs[var("s")->func].name, "k"));
  ck_assert(var("depot")->space == SP_LOCAL && var("depot")->align == 16);
}
END_TEST

static void reloc(const char *name, u32 i, u32 offset, u32 size, const char *symbol, i64 addend,
                  bool generic) {
  const struct ptx_var *v = var(name);
  ck_assert_uint_lt(i, v->reloc_count);
  const struct ptx_reloc *r = &v->relocs[i];
  ck_assert_msg(r->offset_bytes == offset && r->size_bytes == size && str_eqz(r->symbol, symbol) &&
                    r->addend == addend && r->generic == generic,
                "%s: offset %u size %u " STR_F "%+lld %d", name, r->offset_bytes, r->size_bytes,
                STR_A(r->symbol), (long long)r->addend, r->generic);
}

START_TEST(addresses_in_initialisers) {
  parse(HEAD
        ".global .u32 g[4];\n.func f() { ret; }\n.global .u64 p = generic(g)+4;\n"
        ".global .u64 t[3] = {f, 7, g+8};\n"
        ".global .b8 b[9] = {1, 0xFF(g), 0xFF00(g), 0xFF0000(g), 0xFF000000(g), 0xFF00000000(g), "
        "0xFF0000000000(g), 0xFF000000000000(g), 0xFF00000000000000(g)};\n");
  reloc("p", 0, 0, 8, "g", 4, true);
  ck_assert_uint_eq(var("t")->reloc_count, 2);
  reloc("t", 0, 0, 8, "f", 0, false);
  reloc("t", 1, 16, 8, "g", 8, false);
  ck_assert_uint_eq(var("b")->reloc_count, 1);
  reloc("b", 0, 1, 8, "g", 0, false);
  ck_assert(var("b")->init[0] == 1);
}
END_TEST

/* ---- source positions ---- */

START_TEST(locations_chain_and_stick) {
  parse(HEAD ".func f() { .loc 1 2 0\nret; }\n.entry k()\n{\n.reg .b32 %r<2>;\nmov.u32 %r1, 9;\n"
             ".loc 1 3 0\nmov.u32 %r1, 0;\nL: mov.u32 %r1, 1;\n.loc 1 0 0\nmov.u32 %r1, 2;\n"
             ".loc 2 9 3, function_name $L__s1, inlined_at 1 3 0\nmov.u32 %r1, 3;\n"
             ".loc 1 3 0\nmov.u32 %r1, 4;\n}\n"
             ".file 1 \"k.cu\"\n.file 2 \"lib.h\", 1234, 99\n"
             ".section .debug_str\n{\n$L__s0:\n.b8 65\n.b8 0\n$L__s1:\n.b8 "
             "95,90,51,97,100,100,105,105,0\n}\n");
  str file;
  u32 line;
  ptx_where(m, k->code[0].loc, &file, &line);
  ck_assert(line == 0 && file.n == 0); /* not inherited from another function */
  for (u32 i = 1; i < 4; i++) {
    ptx_where(m, k->code[i].loc, &file, &line);
    ck_assert(line == 3 && str_eqz(file, "k.cu"));
  }
  ptx_where(m, k->code[4].loc, &file, &line);
  ck_assert(line == 9 && str_eqz(file, "lib.h"));
  const struct ptx_loc *l = &m->locs[k->code[4].loc];
  ck_assert(str_eqz(l->function, "add"));
  ck_assert_int_eq(l->inlined_at, k->code[1].loc);
  ck_assert_int_eq(k->code[5].loc, k->code[1].loc);
  ck_assert_int_eq(k->loc, k->code[1].loc);
  ptx_where(m, -1, &file, &line);
  ck_assert_uint_eq(line, 0);
}
END_TEST

/* ---- errors: the right line, a reason ---- */

static const struct {
  const char *text;
  u32 line;
  const char *reason;
} errors[] = {
    {"", 1, "no .version"},
    {"int main() {}", 1, "expected a directive"},
    {".version 9.0\n.target sm_90\n.address_size 32\n", 4, "64-bit"},
    {K("mov.u32 %r1, 2;"), 6, "not declared"},
    {K(".reg .b32 %r<2>;\nmov.u32 %r2, 2;"), 7, "not declared"},
    {K("bra NOWHERE;"), 6, "'NOWHERE' is not defined"},
    {K("{ L: ret; }\nbra L;"), 7, "'L' is not defined"},
    {K("L: ret;\nL: ret;"), 7, "twice"},
    {K(".reg .b32 x;\n.reg .b32 x;"), 7, "twice"},
    {K("call nobody;"), 6, "not declared as a function"},
    {K(".reg .b32 x;\n@x ret;"), 7, "not a predicate"},
    {K(".reg .b32 x;\nadd.u32 x, x, 1"), 8, "expected ';'"},
    {K(".reg .b32 x;\nadd.u32 x, x, [;"), 7, "expected an address"},
    {K(".reg .b32 x;\nmov.u32 x, 0f12;"), 7, "floating-point literal"},
    {K(".reg .b32 x;\nmov.u32 x, 99999999999999999999;"), 7, "64 bits"},
    {K(".reg .b32 x;\nmov.u32 x, 1/0;"), 7, "division by zero"},
    {K(".reg .b32 %r<99999999>;"), 6, "registers"},
    {K(".shared .b8 s[1000000];"), 6, "too large"},
    {K(".frob 3;"), 6, "not known"},
    {K("@1 ret;"), 6, "expected a predicate"},
    {K("/* never"), 6, "comment without an end"},
    {K("\x01"), 6, "unexpected character"},
    {HEAD ".global .b8 x[99999999999999];\n", 4, "at most"},
    {HEAD ".global .b8 x[4294967296][4294967296];\n", 4, "too large"},
    {HEAD ".global .u32 x[2] = {1, 2, 3};\n", 4, "more values"},
    {HEAD ".global .align 3 .u32 x;\n", 4, "power of two"},
    {HEAD ".global .pred x;\n", 4, "cannot have this type"},
    {HEAD ".global x;\n", 4, "expected a type"},
    {HEAD ".entry k(.param .b8 x[100000]) { ret; }\n", 4, "too large"},
    {HEAD ".func (.reg .b32 r) f() { ret; }\n", 4, "in registers"},
    {HEAD ".section .debug_info\n{\n.b8 1\n", 5, "without an end"},
    {HEAD ".file 1 2\n", 4, "name of a file"},
    {HEAD ".file 1 \"x\n", 4, "string without an end"},
    {HEAD ".file 99999999 \"x\"\n", 4, "at most"},
    {HEAD ".func f()\n{\nret;\n", 7, "expected a statement"},
    {HEAD ".global .u64 p = generic();\n", 4, "expected a name"},
    {HEAD ".alias a, b;\n", 4, "not a function"},
};

START_TEST(refuses) {
  refuse(errors[_i].text, errors[_i].line, errors[_i].reason);
  ck_assert_uint_gt(why.col, 0);
}
END_TEST

START_TEST(an_error_shows_its_line) {
  refuse(K("  bra NOWHERE;"), 6, "NOWHERE");
  ck_assert_str_eq(why.excerpt, "  bra NOWHERE;");
  ck_assert_uint_eq(why.col, 3);
}
END_TEST

START_TEST(deep_nesting_is_refused) {
  struct strbuf b = {0};
  strbuf_printf(&b, "%s.entry k() ", HEAD);
  for (int i = 0; i < 100000; i++) strbuf_add(&b, "{", 1);
  refuse(b.p, 4, "nested");
  b.n = 0;
  strbuf_printf(&b, "%s.global .u32 x = ", HEAD);
  for (int i = 0; i < 100000; i++) strbuf_add(&b, "(", 1);
  refuse(b.p, 4, "nested");
  b.n = 0;
  strbuf_printf(&b, "%s.global .u32 x[4] = ", HEAD);
  for (int i = 0; i < 100000; i++) strbuf_add(&b, "{", 1);
  refuse(b.p, 4, "nested");
  strbuf_free(&b);
}
END_TEST

START_TEST(every_truncation_is_survived) {
  const char *text = K(
      ".reg .pred %p<3>; .reg .b32 %r<3>; .reg .b64 %rd<3>;\n.loc 1 2 3, function_name $L+2, "
      "inlined_at 1 2 3\n"
      "@%p1 bra L;\n{ .param .b32 p0; st.param.b32 [p0+0], 0x7f; }\nL: setp.eq.and.s32 %p1|%p2, "
      "%r1, -1, !%p1;\n"
      "t: .branchtargets L, L; brx.idx %r1, t; ld.v2.u32 {%r1, _}, [%rd1+8];") ".global .b8 s[] = "
                                                                               "{1, 0xFF(s), "
                                                                               "{2}};\n.file 1 "
                                                                               "\"k.cu\"\n.section "
                                                                               ".debug_str { $L: "
                                                                               ".b8 1, 2 }\n";
  size_t n = strlen(text);
  for (size_t i = 0; i <= n; i++) {
    char *copy = malloc(i ? i : 1); /* exact size: a sanitizer sees a read behind it */
    memcpy(copy, text, i);
    struct arena a = {0};
    struct diag d = {0};
    struct ptx_module *out;
    if (!ptx_parse(&a, (str){copy, i}, &out, &d)) ck_assert(d.set && d.text[0]);
    arena_free(&a);
    free(copy);
  }
}
END_TEST

/* ---- reconvergence ---- */

static i32 meets(u32 i) { return k->code[i].reconverge; }

START_TEST(if_without_else) {
  parse(K(".reg .pred p;\n@p bra L;\nbar.sync 0;\nL: bar.sync 1;\nret;"));
  ck_assert_int_eq(meets(0), 2);
}
END_TEST

START_TEST(if_else) {
  parse(K(".reg .pred p;\n@p bra E;\nbar.sync 0;\nbra.uni J;\nE: bar.sync 1;\nJ: ret;"));
  ck_assert_int_eq(meets(0), 4);
}
END_TEST

START_TEST(both_arms_return) {
  parse(K(".reg .pred p;\n@p bra E;\nret;\nE: ret;"));
  ck_assert_int_eq(meets(0), PTX_AT_RETURN);
}
END_TEST

START_TEST(loops) {
  parse(K(".reg .pred p;\nH: bar.sync 0;\n@p bra X;\nbar.sync 1;\n@p bra C;\nbar.sync 2;\nC: "
          "bra.uni H;\nX: ret;"));
  ck_assert_int_eq(meets(1), 6); /* the exit */
  ck_assert_int_eq(meets(3), 5); /* the end of the body */
  parse(K(".reg .pred p;\nH: bar.sync 0;\n@p bra H;\nret;"));
  ck_assert_int_eq(meets(1), 2);
}
END_TEST

START_TEST(nested_branches) {
  parse(K(
      ".reg .pred p;\n@p bra OE;\n@p bra IE;\nbar.sync 0;\nbra IJ;\nIE: bar.sync 1;\nIJ: bra OJ;\n"
      "OE: bar.sync 2;\nOJ: ret;"));
  ck_assert_int_eq(meets(0), 7);
  ck_assert_int_eq(meets(1), 5);
}
END_TEST

START_TEST(a_loop_without_exit) {
  parse(K(".reg .pred p;\n@p bra SPIN;\nret;\nSPIN: @p bra A;\nbar.sync 0;\nbra B;\nA: bar.sync "
          "1;\nB: bra.uni SPIN;"));
  ck_assert_int_eq(meets(0), PTX_AT_RETURN);
  ck_assert_int_eq(meets(2), 6); /* inside the loop as if it ended */
  parse(K("L: bra L;"));
}
END_TEST

START_TEST(a_spin_behind_the_exit) {
  parse(K(".reg .pred p;\n@p bra SPIN;\nBACK: ret;\nSPIN: membar.gl;\n@p bra SPIN;\nbra BACK;"));
  ck_assert_int_eq(meets(0), 1);
  ck_assert_int_eq(meets(3), 4);
}
END_TEST

START_TEST(a_guarded_exit_is_a_branch_to_the_end) {
  parse(K(".reg .pred p;\n@p bra L;\n@p exit;\nbar.sync 0;\nL: bar.sync 1;\nret;"));
  ck_assert_int_eq(meets(0), PTX_AT_RETURN);
}
END_TEST

START_TEST(branch_tables) {
  parse(
      K(".reg .b32 i;\nbrx.idx i, table;\ntable: .branchtargets A, B, C;\nA: bar.sync 0;\nbra J;\n"
        "B: bar.sync 1;\nbra J;\nC: bar.sync 2;\nJ: ret;"));
  ck_assert_uint_eq(k->code[0].target_count, 3);
  ck_assert_int_eq(k->code[0].targets[1], 3);
  ck_assert_int_eq(meets(0), 6);
  ck_assert_str_eq(insn(0), "brx.idx i, {L1, L3, L5};");
}
END_TEST

START_TEST(running_off_the_end_returns) {
  parse(K(".reg .pred p;\n@p bra END;\nbar.sync 0;\nEND:"));
  ck_assert_uint_eq(k->code_count, 3);
  ck_assert_uint_eq(k->code[2].op, OP_ret);
  ck_assert_int_eq(meets(0), 2);
  parse(HEAD ".entry k() {}\n");
  ck_assert_uint_eq(k->code_count, 1);
}
END_TEST

START_TEST(a_large_function) {
  struct strbuf b = {0};
  strbuf_printf(&b, "%s.entry k() { .reg .pred p;\n", HEAD);
  for (int i = 0; i < 50000; i++) strbuf_printf(&b, "L%d: @p bra L%d;\n", i, 49999 - i);
  strbuf_printf(&b, "ret; }\n");
  parse(b.p);
  ck_assert_uint_eq(k->code_count, 50001);
  strbuf_free(&b);
}
END_TEST

/* ---- names ---- */

static const struct {
  const char *mangled, *full, *short_form;
} names[] = {
    {"k", "k", "k"},
    {"_Z1kPKfPfS1_i", "k(float const*, float*, float*, int)", "k"},
    {"_ZZ1kPKfPfS1_iE1s", "k(float const*, float*, float*, int)::s", "s"},
    {"_ZZ4tilePfE1s_0", "tile(float*)::s", "s"},
    {"_Z1kILi4EiEvPKT0_PS0_", "void k<4, int>(int const*, int*)", "k"},
    {"_ZN2ns1kEv", "ns::k()", "k"},
    {"_ZN43_INTERNAL_c4161f15_16_k24_lastblock_cu_done9atomicIncEPjj",
     "atomicInc(unsigned int*, unsigned int)", "atomicInc"},
    {"_ZN12_GLOBAL__N_11kEPi", "(anonymous namespace)::k(int*)", "k"},
    {"_ZNK1A3getEv", "A::get() const", "get"},
    {"_ZN1AC1Ei", "A::A(int)", "A"},
    {"_ZN1AD1Ev", "A::~A()", "~A"},
    {"_ZplRK1AS1_", "operator+(A const&, A const&)", "operator+"},
    {"_ZN1AcvfEv", "A::operator float()", "operator float"},
    {"_Z1fPFivE", "f(int (*)())", "f"},
    {"_Z1fRA3_i", "f(int (&) [3])", "f"},
    {"_Z1fM1AFvvE", "f(void (A::*)())", "f"},
    {"_ZZ1kPiENKUliE_clEi", "k(int*)::{lambda(int)#1}::operator()(int) const", "operator()"},
    {"_ZN1sIfLb1ELin2EE1vE", "s<float, true, -2>::v", "v"},
    {"_Z1gISt4pairIicEEvT_", "void g<std::pair<int, char>>(std::pair<int, char>)", "g"},
    {"_Z1fIJifEEvDpT_", "void f<int, float>(int, float)", "f"},
    {"_ZTV2D1", "_ZTV2D1", "_ZTV2D1"},
    {"$str$1", "$str$1", "$str$1"},
    {"_Z", "_Z", "_Z"},
    {"_Z99k", "_Z99k", "_Z99k"},
    {"_Z1kS_", "k", "k"}, /* parameters that make no sense: the name alone */
};

START_TEST(demangling) {
  str full = ptx_demangle(&arena, str_of(names[_i].mangled), false);
  str brief = ptx_demangle(&arena, str_of(names[_i].mangled), true);
  ck_assert_msg(str_eqz(full, names[_i].full), STR_F, STR_A(full));
  ck_assert_msg(str_eqz(brief, names[_i].short_form), STR_F, STR_A(brief));
}
END_TEST

START_TEST(hostile_names_cost_little) {
  struct strbuf b = {0};
  strbuf_printf(&b, "_Z1k");
  for (int i = 0; i < 4000; i++) strbuf_add(&b, "P", 1); /* deep */
  ptx_demangle(&arena, (str){b.p, b.n}, false);
  b.n = 0;
  strbuf_printf(&b, "_Z1f1aIiiE"); /* doubles with each step */
  for (int i = 0; i < 300; i++) strbuf_printf(&b, "S_IS%d_S%d_E", i % 9, i % 9);
  ptx_demangle(&arena, (str){b.p, b.n}, false);
  b.n = 0;
  for (int i = 0; i < 100000; i++) strbuf_add(&b, "_ZN", 3); /* long */
  str s = ptx_demangle(&arena, (str){b.p, b.n}, false);
  ck_assert_uint_eq(s.n, b.n);
  strbuf_free(&b);
}
END_TEST

START_TEST(kernels_by_name) {
  parse(HEAD ".entry _Z1kPf() {}\n.entry _ZN2ns1kEv() {}\n.entry _ZN2ns4onlyEv() {}\n"
             ".entry _Z4tmplILi4EEvv() {}\n.entry _Z4tmplILi8EEvv() {}\n.entry plain() {}\n.func "
             "_Z6helperv() {}\n");
  ck_assert(str_eqz(ptx_kernel(m, STR("k"), &why)->name, "_Z1kPf")); /* the exact one, not ns::k */
  ck_assert(str_eqz(ptx_kernel(m, STR("_ZN2ns1kEv"), &why)->name, "_ZN2ns1kEv"));
  ck_assert(str_eqz(ptx_kernel(m, STR("ns::k"), &why)->name, "_ZN2ns1kEv"));
  ck_assert(str_eqz(ptx_kernel(m, STR("only"), &why)->name, "_ZN2ns4onlyEv"));
  ck_assert(str_eqz(ptx_kernel(m, STR("tmpl<8>"), &why)->name, "_Z4tmplILi8EEvv"));
  ck_assert(str_eqz(ptx_kernel(m, STR("k(float*)"), &why)->name, "_Z1kPf"));
  ck_assert(str_eqz(ptx_kernel(m, STR("k( float * )"), &why)->name, "_Z1kPf"));
  ck_assert(str_eqz(ptx_kernel(m, STR("tmpl< 8 >"), &why)->name, "_Z4tmplILi8EEvv"));
  ck_assert_ptr_null(ptx_kernel(m, STR("pl ain"), &why));
  ck_assert(str_eqz(ptx_plain_name(ptx_kernel(m, STR("tmpl<8>"), &why)), "tmpl"));
  ck_assert(str_eqz(ptx_param_types(ptx_kernel(m, STR("k"), &why)), "float*"));
  ck_assert(str_eqz(ptx_param_types(ptx_kernel(m, STR("plain"), &why)), ""));
  ck_assert(str_eqz(ptx_kernel(m, STR("plain"), &why)->name, "plain"));
  ck_assert_ptr_null(ptx_kernel(m, STR("tmpl"), &why));
  ck_assert_ptr_nonnull(strstr(why.text, "ambiguous"));
  ck_assert_ptr_nonnull(strstr(why.text, "tmpl<4>"));
  ck_assert_ptr_null(ptx_kernel(m, STR("helper"), &why)); /* no kernel */
  ck_assert_ptr_nonnull(strstr(why.text, "plain"));
  ck_assert_ptr_null(ptx_kernel(m, STR(""), &why));
}
END_TEST

START_TEST(module_header) {
  parse(HEAD ".pragma \"x\";\n");
  ck_assert(m->version_major == 9 && m->version_minor == 0 && m->debug &&
            str_eqz(m->target, "sm_90"));
  ck_assert(m->file_count == 1 && m->files[0].n == 0);
  parse("// comment\n.version 7.4\n.target sm_80\n.address_size 64\n@@DWARF .byte 1\n");
  ck_assert(m->version_major == 7 && m->version_minor == 4 && !m->debug);
  ck_assert_ptr_null(ptx_kernel(m, STR("k"), &why));
  ck_assert_ptr_nonnull(strstr(why.text, "no kernel at all"));
}
END_TEST

START_TEST(tables_agree) {
  for (u32 i = 1; i < OP_COUNT; i++) ck_assert_ptr_nonnull(ptx_ops[i].text);
  ck_assert_uint_eq(ptx_type_bytes(T_F64), 8);
  ck_assert_uint_eq(ptx_type_bytes(T_PRED), 0);
  ck_assert_str_eq(ptx_type_text(T_BF16X2), "bf16x2");
  ck_assert_str_eq(ptx_mod_text[MOD_XORSIGN_ABS], "xorsign.abs");
  ck_assert_uint_ne(ptx_ops[OP_bra].flags & ENDS, 0);
}
END_TEST

static void add_errors_and_names(Suite *s) {
  TCase *t = tcase_create("errors");
  tcase_add_checked_fixture(t, start, stop);
  tcase_add_loop_test(t, refuses, 0, (int)COUNT_OF(errors));
  tcase_add_test(t, an_error_shows_its_line);
  tcase_add_test(t, deep_nesting_is_refused);
  tcase_add_test(t, every_truncation_is_survived);
  suite_add_tcase(s, t);
  t = tcase_create("names");
  tcase_add_checked_fixture(t, start, stop);
  tcase_add_loop_test(t, demangling, 0, (int)COUNT_OF(names));
  tcase_add_test(t, hostile_names_cost_little);
  tcase_add_test(t, kernels_by_name);
  suite_add_tcase(s, t);
}

static void add_flow(Suite *s) {
  TCase *t = tcase_create("reconvergence");
  tcase_add_checked_fixture(t, start, stop);
  tcase_add_test(t, if_without_else);
  tcase_add_test(t, if_else);
  tcase_add_test(t, both_arms_return);
  tcase_add_test(t, loops);
  tcase_add_test(t, nested_branches);
  tcase_add_test(t, a_loop_without_exit);
  tcase_add_test(t, a_spin_behind_the_exit);
  tcase_add_test(t, a_guarded_exit_is_a_branch_to_the_end);
  tcase_add_test(t, branch_tables);
  tcase_add_test(t, running_off_the_end_returns);
  tcase_add_test(t, a_large_function);
  suite_add_tcase(s, t);
}

Suite *suite_ptx(void);
Suite *suite_ptx(void) {
  Suite *s = suite_create("ptx");
  TCase *t = tcase_create("forms");
  tcase_add_checked_fixture(t, start, stop);
  tcase_add_loop_test(t, round_trip, 0, (int)COUNT_OF(round_trips));
  tcase_add_test(t, modifiers_are_a_set_and_types_a_list);
  tcase_add_test(t, unknown_opcodes_are_kept);
  tcase_add_test(t, immediates);
  tcase_add_test(t, labels_are_local_to_blocks);
  tcase_add_test(t, an_inner_label_hides_an_outer_one_defined_earlier);
  tcase_add_test(t, registers_shadow);
  tcase_add_test(t, parameter_layout);
  tcase_add_test(t, function_parameters_take_eight_bytes_each);
  tcase_add_test(t, calls);
  tcase_add_test(t, alias_and_duplicates);
  tcase_add_test(t, variables);
  tcase_add_test(t, addresses_in_initialisers);
  tcase_add_test(t, locations_chain_and_stick);
  tcase_add_test(t, module_header);
  tcase_add_test(t, tables_agree);
  suite_add_tcase(s, t);
  add_flow(s);
  add_errors_and_names(s);
  return s;
}
