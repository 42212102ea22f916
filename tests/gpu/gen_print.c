/* gen_print.c - generated programs and single forms as PTX text, their inputs, the layout of their
 * outputs. Chooses nothing at random but input values. */
#include <string.h>
#include "gpu/gen.h"

void gen_header(struct strbuf *b) {
  strbuf_printf(b, ".version 8.6\n.target sm_90\n.address_size 64\n");
}

/* Registers, the thread's number, the addresses of its own cells. `slot`: bytes of out for a
 * thread, its cell lies at `cell` in there. */
static void prologue(struct strbuf *b, const char *name, u32 block, u32 before, u32 slot, u32 cell,
                     u32 in_bytes) {
  strbuf_printf(b,
                ".visible .entry %s(.param .u64 in, .param .u64 out) {\n"
                "  .reg .pred %%p<12>, %%q<4>;\n  .reg .b16 %%h<16>;\n  .reg .b32 %%r<20>, %%t<4>, "
                "%%c<4>, %%gid, %%me, %%count, %%cta, %%sa, %%sc, %%ex, %%ex0, %%zr;\n"
                "  .reg .b64 %%d<16>, %%x<4>, %%a, %%l, %%in, %%out, %%cells, %%zd;\n  .reg .b16 "
                "%%zh, %%gh<4>;\n  .reg .b32 %%gr<4>;\n  .reg .b64 %%gd<4>;\n"
                "  .shared .align 16 .b8 own_%s[%u];\n  .shared .align 16 .b8 exchange_%s[%u];\n  "
                ".shared .align 16 .b8 sums_%s[%u];\n"
                "  .local .align 16 .b8 depot_%s[32];\n",
                name, name, block * 32, name, block * 8, name, SHARED_CELLS * 4, name);
  strbuf_printf(b,
                "  ld.param.u64 %%in, [in];\n  ld.param.u64 %%cells, [out];\n  mov.u32 %%me, "
                "%%tid.x;\n  mov.u32 %%count, %%ntid.x;\n  mov.u32 %%cta, %%ctaid.x;\n"
                "  mad.lo.u32 %%gid, %%cta, %%count, %%me;\n  mad.wide.u32 %%in, %%gid, %u, "
                "%%in;\n  mad.wide.u32 %%out, %%gid, %u, %%cells;\n"
                "  add.u64 %%out, %%out, %u;\n  add.u64 %%a, %%out, %u;\n  mov.u64 %%l, depot_%s;\n"
                "  mov.u32 %%sc, sums_%s;\n  mov.u32 %%ex0, exchange_%s;\n  mad.lo.u32 %%ex, "
                "%%me, 8, %%ex0;\n"
                "  mov.u32 %%sa, own_%s;\n  mad.lo.u32 %%sa, %%me, 32, %%sa;\n",
                in_bytes, slot, before, cell, name, name, name, name);
}

/* ---- programs ---- */
u32 gen_threads(const struct program *p) { return p->grid * p->block; }
static u32 before_threads(const struct program *p) {
  return CELL_BYTES + p->grid * SHARED_CELLS * 4;
}
u32 gen_out_bytes(const struct program *p) {
  return before_threads(p) + gen_threads(p) * THREAD_BYTES;
}

static void load_registers(struct strbuf *b) {
  strbuf_printf(b,
                "  ld.global.b64 %%zd, [%%out];\n  mov.b64 {%%zr, %%t0}, %%zd;\n  mov.b32 {%%zh, "
                "%%h15}, %%zr;\n"); /* zero: memory of the thread's own results */
  for (u32 i = 0; i < 8; i++)
    strbuf_printf(b,
                  "  ld.global.b64 %%d%u, [%%in+%u];\n  mov.b64 {%%r%u, %%t0}, %%d%u;\n  mov.b32 "
                  "{%%h%u, %%h15}, %%r%u;\n",
                  i, i * 8, i, i, i, i);
  for (u32 i = 0; i < 4; i++) strbuf_printf(b, "  mov.b64 {%%t0, %%r%u}, %%d%u;\n", 8 + i, i);
  for (u32 i = 0; i < 6; i++)
    strbuf_printf(b, "  and.b32 %%t0, %%r%u, %u;\n  setp.ne.u32 %%p%u, %%t0, 0;\n", i + 2, 1u << i,
                  i);
  strbuf_printf(b,
                "  setp.lt.u32 %%q2, %%me, %u;\n  mad.lo.u32 %%t2, %%me, 4, %%sc;\n  @%%q2 "
                "st.shared.u32 [%%t2], 77;\n  bar.sync 0;\n",
                SHARED_CELLS);
}
static void store_registers(struct strbuf *b) {
  for (u32 i = 0; i < 8; i++) strbuf_printf(b, "  st.global.b64 [%%out+%u], %%d%u;\n", i * 8, i);
  for (u32 i = 0; i < 12; i++)
    strbuf_printf(b, "  st.global.b32 [%%out+%u], %%r%u;\n", 64 + i * 4, i);
  for (u32 i = 0; i < 8; i++)
    strbuf_printf(b, "  st.global.b16 [%%out+%u], %%h%u;\n", 112 + i * 2, i);
  strbuf_printf(b, "  mov.u32 %%t0, 0;\n");
  for (u32 i = 0; i < 6; i++)
    strbuf_printf(b, "  selp.b32 %%t1, %u, 0, %%p%u;\n  or.b32 %%t0, %%t0, %%t1;\n", 1u << i, i);
  strbuf_printf(
      b,
      "  st.global.b32 [%%out+128], %%t0;\n  bar.sync 0;\n  mad.lo.u32 %%t0, %%cta, %u, %%me;\n  "
      "mad.wide.u32 %%x0, %%t0, 4, %%cells;\n"
      "  @%%q2 ld.shared.u32 %%t1, [%%t2];\n  @%%q2 st.global.u32 [%%x0+%u], %%t1;\n  ret;\n}\n",
      SHARED_CELLS, CELL_BYTES);
}

void gen_print(struct strbuf *b, const struct program *p, const char *name) {
  prologue(b, name, p->block, before_threads(p), THREAD_BYTES, 160, IN_BYTES);
  load_registers(b);
  u32 open[16], depth = 0;
  for (u32 i = 0; i < p->count; i++) {
    const struct stmt *s = &p->stmts[i];
    if (s->dropped) continue;
    switch (s->kind) {
    case STMT_TEXT: strbuf_printf(b, "  %s\n", s->text); break;
    case STMT_IF:
      strbuf_printf(b, "  @!%s bra $%s_%u;\n", s->text, name, s->end);
      open[depth++] = i;
      break;
    case STMT_ELSE:
      strbuf_printf(b, "  bra $%s_%u;\n$%s_%u:\n", name, s->end, name, i);
      open[depth - 1] = i;
      break;
    case STMT_LOOP: /* at most four rounds */
      strbuf_printf(b, "  and.b32 %%c%u, %s, 3;\n$%s_%u_again:\n", s->depth, s->text, name, i);
      open[depth++] = i;
      break;
    case STMT_END: {
      const struct stmt *o = &p->stmts[open[--depth]];
      if (o->kind == STMT_LOOP)
        strbuf_printf(b,
                      "  sub.u32 %%c%u, %%c%u, 1;\n  setp.ge.s32 %%q3, %%c%u, 0;\n  @%%q3 bra "
                      "$%s_%u_again;\n",
                      o->depth, o->depth, o->depth, name, open[depth]);
      else
        strbuf_printf(b, "$%s_%u:\n", name, i);
      break;
    }
    }
  }
  store_registers(b);
}

void gen_inputs(const struct program *p, u8 *in, u8 *out) {
  u64 rng = p->seed ^ 0x5eed;
  for (u32 i = 0; i < gen_threads(p) * IN_BYTES / 8; i++) {
    static const enum value_type lows[] = {V_F32, V_F16X2, V_BF16X2, V_INT};
    u32 k = rng_below(&rng, 6);
    u64 v = k == 0   ? form_value(&rng, 'd', V_F64, 0)
            : k == 1 ? form_value(&rng, 'd', V_INT, 0)
                     : form_value(&rng, 'r', lows[k - 2], 0) |
                           form_value(&rng, 'r', lows[rng_below(&rng, 4)], 0) << 32;
    memcpy(in + (size_t)i * 8, &v, 8);
  }
  for (u32 i = 0; i < gen_out_bytes(p) / 8; i++) {
    u64 v = i < CELL_BYTES / 8 ? rng_next(&rng) : 0;
    memcpy(out + (size_t)i * 8, &v, 8);
  }
}

void gen_place(const struct program *p, u32 offset, char *out, size_t size) {
  u32 before = before_threads(p);
  if (offset < CELL_BYTES) {
    snprintf(out, size, "atomic cell %u of kind %u", offset % 128 / 8, offset / 128);
  } else if (offset < before) {
    snprintf(out, size, "shared atomic cell %u of block %u",
             (offset - CELL_BYTES) / 4 % SHARED_CELLS, (offset - CELL_BYTES) / 4 / SHARED_CELLS);
  } else {
    u32 t = (offset - before) / THREAD_BYTES, at = (offset - before) % THREAD_BYTES;
    char what[32] = "predicates";
    if (at < 64)
      snprintf(what, sizeof what, "%%d%u", at / 8);
    else if (at < 112)
      snprintf(what, sizeof what, "%%r%u", (at - 64) / 4);
    else if (at < 128)
      snprintf(what, sizeof what, "%%h%u", (at - 112) / 2);
    else if (at >= 160)
      snprintf(what, sizeof what, "own cell, byte %u", at - 160);
    snprintf(out, size, "%s of thread %u, block %u", what, t % p->block, t / p->block);
  }
}

/* ---- a form alone ---- */
void gen_form(struct strbuf *b, const struct form *f, const char *name) {
  char names[FORM_OPERANDS][16];
  const char *regs[FORM_OPERANDS];
  /* The cell lies behind the results of all threads. */
  prologue(b, name, FORM_BLOCK, 0, FORM_OUT, 0, FORM_IN);
  strbuf_printf(b, "  mad.wide.u32 %%a, %%gid, 32, %%cells;\n  add.u64 %%a, %%a, %u;\n",
                FORM_THREADS * FORM_OUT);
  for (u32 i = 0; i < f->outs + f->ins; i++) {
    char w = f->width[i];
    u32 at = (i - f->outs) * 8;
    snprintf(names[i], sizeof names[i], "%%%c%u", w, i);
    regs[i] = names[i];
    if (i < f->outs) continue;
    if (w == 'p')
      strbuf_printf(b, "  ld.global.b32 %%t0, [%%in+%u];\n  setp.ne.u32 %s, %%t0, 0;\n", at,
                    regs[i]);
    else
      strbuf_printf(b, "  ld.global.b%s %s, [%%in+%u];\n",
                    w == 'h'   ? "16"
                    : w == 'r' ? "32"
                               : "64",
                    regs[i], at);
  }
  strbuf_printf(b, "  ");
  form_print(b, f, regs);
  for (u32 i = 0; i < f->outs; i++) {
    char w = f->width[i];
    if (w == 'p')
      strbuf_printf(b, "\n  selp.b64 %%x1, 1, 0, %s;", regs[i]);
    else
      strbuf_printf(b, "\n  %s %%x1, %s;",
                    w == 'd'   ? "mov.b64"
                    : w == 'r' ? "cvt.u64.u32"
                               : "cvt.u64.u16",
                    regs[i]);
    strbuf_printf(b, "\n  st.global.b64 [%%out+%u], %%x1;", i * 8);
  }
  strbuf_printf(b, "\n  ret;\n}\n");
}

void gen_form_inputs(const struct form *f, u64 seed, u8 *in) {
  u64 rng = seed ^ str_hash(str_of(f->text));
  memset(in, 0, FORM_THREADS * FORM_IN);
  for (u32 t = 0; t < FORM_THREADS; t++)
    for (u32 i = 0; i < f->ins; i++) {
      u32 k = f->outs + i;
      enum value_type type = (enum value_type)f->type[k];
      u64 v = form_value(&rng, f->width[k], type, f->flags);
      if (!(f->flags & SMALL)) form_edge(t, i, f->width[k], type, &v);
      memcpy(in + (size_t)t * FORM_IN + i * 8, &v, 8);
    }
}
