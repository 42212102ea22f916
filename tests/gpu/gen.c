/* gen.c - makes random programs: which statements, on which registers. How they are written down is
 * gen_print.c's business.
 *
 * One final memory: a thread writes memory of its own; memory shared by threads changes through
 * atomics that commute, whose results nobody uses, or is exchanged between two barriers;
 * collectives and barriers stand where all threads pass. NaNs whose bits are unspecified are made
 * canonical before anybody sees them. */
#include <stdlib.h>
#include <string.h>
#include "gpu/gen.h"

enum { STMTS_MAX = 200, DEPTH_MAX = 3 };

struct maker {
  struct arena *keep;
  const struct gen *g;
  struct program *p;
  u64 rng;
};

static u32 below(struct maker *m, u32 n) { return rng_below(&m->rng, n); }

static u32 add(struct maker *m, enum stmt_kind kind, const char *text) {
  if (m->p->count == STMTS_MAX) BUG("a program of more than %d statements", STMTS_MAX);
  m->p->stmts[m->p->count] = (struct stmt){.kind = kind, .text = text};
  return m->p->count++;
}

static u32 registers(char width) { return width == 'r' ? 12 : width == 'p' ? 6 : 8; }
static const char *reg(struct maker *m, char width) {
  return arena_printf(m->keep, "%%%c%u", width, below(m, registers(width)));
}

/* ---- single instructions ---- */
static void canonical_nan(struct strbuf *b, const struct form *f, u32 i, const char *r) {
  switch ((enum value_type)f->type[i]) {
  case V_F32:
  case V_TF32:
    strbuf_printf(b, " testp.notanumber.f32 %%q0, %s; selp.b32 %s, 0x7fffffff, %s, %%q0;", r, r, r);
    break;
  case V_F64:
    strbuf_printf(b, " testp.notanumber.f64 %%q0, %s; selp.b64 %s, 0x7ff8000000000000, %s, %%q0;",
                  r, r, r);
    break;
  case V_F16:
    strbuf_printf(b, " setp.nan.f16 %%q0, %s, %s; selp.b16 %s, 0x7fff, %s, %%q0;", r, r, r, r);
    break;
  case V_BF16:
    strbuf_printf(b, " setp.nan.bf16 %%q0, %s, %s; selp.b16 %s, 0x7fff, %s, %%q0;", r, r, r, r);
    break;
  default: break;
  }
}
static bool fits(const struct gen *g, u32 i) {
  const struct form *f = &g->forms[i];
  if ((f->flags & (APPROX | ALONE)) || (g->excluded && g->excluded[i])) return false;
  return !(f->flags & NANS) || (f->type[0] != V_F16X2 && f->type[0] != V_BF16X2);
}
static void make_form(struct maker *m) {
  u32 i = below(m, m->g->form_count);
  while (!fits(m->g, i)) i = below(m, m->g->form_count);
  const struct form *f = &m->g->forms[i];
  const char *regs[FORM_OPERANDS];
  for (u32 k = 0; k < f->outs + f->ins; k++) {
    bool again = true;
    while (again) { /* two outputs are two registers */
      regs[k] = reg(m, f->width[k]);
      again = false;
      for (u32 j = 0; k < f->outs && j < k; j++) again |= strcmp(regs[j], regs[k]) == 0;
    }
  }
  struct strbuf b = {0};
  form_print(&b, f, regs);
  for (u32 k = 0; (f->flags & NANS) && k < f->outs; k++) canonical_nan(&b, f, k, regs[k]);
  add(m, STMT_TEXT, str_copy(m->keep, (str){b.p, b.n}).p);
  strbuf_free(&b);
}

/* Atomics that commute: the cell's final value has no order. The bound of inc is one for all. */
static void make_atomic(struct maker *m) {
  static const struct {
    const char *op, *value;
    char width;
  } kinds[CELL_KINDS] = {{"add.u32", NULL, 'r'}, {"add.u64", NULL, 'd'}, {"min.s32", NULL, 'r'},
                         {"max.u32", NULL, 'r'}, {"and.b32", NULL, 'r'}, {"or.b64", NULL, 'd'},
                         {"xor.b32", NULL, 'r'}, {"max.s64", NULL, 'd'}, {"inc.u32", "1000", 'r'}};
  const char *cell = reg(m, 'r'), *text;
  if (below(m, 4) == 0) { /* four cells for each of four operations */
    static const char *const ops[] = {"add.u32", "min.s32", "or.b32", "xor.b32"};
    u32 k = below(m, 4);
    text = arena_printf(
        m->keep,
        "and.b32 %%t0, %s, 3; mad.lo.u32 %%t0, %%t0, 4, %%sc; red.shared.%s [%%t0+%u], %s;", cell,
        ops[k], k * 16, reg(m, 'r'));
  } else {
    u32 k = below(m, CELL_KINDS);
    const char *value = kinds[k].value ? kinds[k].value : reg(m, kinds[k].width);
    bool returns = below(m, 2);
    text = arena_printf(m->keep,
                        "and.b32 %%t0, %s, 15; mad.wide.u32 %%x0, %%t0, 8, %%cells; %s.global.%s "
                        "%s%s[%%x0+%u], %s;",
                        cell, returns ? "atom" : "red", kinds[k].op,
                        returns ? (kinds[k].width == 'd' ? "%x1" : "%t1") : "", returns ? ", " : "",
                        k * 128, value);
  }
  add(m, STMT_TEXT, text);
}

/* ---- where all threads pass ---- */
static void make_shuffle(struct maker *m) {
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  static const u32 segments[] = {0, 0x10, 0x18, 0x1c, 0x1e};
  u32 mode = below(m, 4), c = segments[below(m, 5)] << 8 | (mode == 0 ? 0 : 31);
  const char *lane = below(m, 2) ? reg(m, 'r') : arena_printf(m->keep, "%u", below(m, 34));
  add(m, STMT_TEXT,
      arena_printf(m->keep, "shfl.sync.%s.b32 %s|%s, %s, %s, %u, -1;", modes[mode], reg(m, 'r'),
                   reg(m, 'p'), reg(m, 'r'), lane, c));
}
static void make_vote(struct maker *m) {
  static const char *const redux[] = {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                                      "max.s32", "and.b32", "or.b32",  "xor.b32"};
  const char *text;
  switch (below(m, 8)) {
  case 0:
    text = arena_printf(m->keep, "vote.sync.ballot.b32 %s, %s, -1;", reg(m, 'r'), reg(m, 'p'));
    break;
  case 1:
    text = arena_printf(m->keep, "vote.sync.%s.pred %s, %s%s, -1;",
                        below(m, 2)   ? "all"
                        : below(m, 2) ? "any"
                                      : "uni",
                        reg(m, 'p'), below(m, 2) ? "!" : "", reg(m, 'p'));
    break;
  case 2:
    text =
        arena_printf(m->keep, "match.any.sync.b%s -1;",
                     below(m, 2) ? arena_printf(m->keep, "32 %s, %s,", reg(m, 'r'), reg(m, 'r'))
                                 : arena_printf(m->keep, "64 %s, %s,", reg(m, 'r'), reg(m, 'd')));
    break;
  case 3:
    text = arena_printf(m->keep, "match.all.sync.b32 %s|%s, %s, -1;", reg(m, 'r'), reg(m, 'p'),
                        reg(m, 'r'));
    break;
  case 4:
    text = arena_printf(m->keep, "bar.red.popc.u32 %s, 0, %s%s;", reg(m, 'r'),
                        below(m, 2) ? "!" : "", reg(m, 'p'));
    break;
  case 5:
    text = arena_printf(m->keep, "bar.red.%s.pred %s, 0, %s;", below(m, 2) ? "and" : "or",
                        reg(m, 'p'), reg(m, 'p'));
    break;
  default:
    text = arena_printf(m->keep, "redux.sync.%s %s, %s, -1;", redux[below(m, COUNT_OF(redux))],
                        reg(m, 'r'), reg(m, 'r'));
    break;
  }
  add(m, STMT_TEXT, text);
}
static void make_exchange(struct maker *m) {
  add(m, STMT_TEXT,
      arena_printf(m->keep,
                   "st.shared.b64 [%%ex], %s; bar.sync 0; add.u32 %%t0, %%me, %u; rem.u32 %%t0, "
                   "%%t0, %%count; "
                   "mad.lo.u32 %%t0, %%t0, 8, %%ex0; ld.shared.b64 %s, [%%t0]; bar.sync 0;",
                   reg(m, 'd'), 1 + below(m, 40), reg(m, 'd')));
}

/* ---- structure ---- */
static void make_block(struct maker *m, u32 depth, u32 count);

static void make_condition(struct maker *m, char *predicate, size_t size) {
  static const char *const forms[] = {"setp.lt.s32 %%q1, %s, %s;", "setp.ne.u32 %%q1, %s, %s;",
                                      "setp.geu.f32 %%q1, %s, %s;"};
  if (below(m, 2)) {
    snprintf(predicate, size, "%s", reg(m, 'p'));
    return;
  }
  u32 k = below(m, 4);
  const char *a = reg(m, 'r'), *b = reg(m, 'r'),
             *text = k == 3   ? arena_printf(m->keep,
                                             "and.b32 %%t0, %s, 1; setp.eq.u32 %%q1, %%t0, 0;", a)
                     : k == 0 ? arena_printf(m->keep, forms[0], a, b)
                     : k == 1 ? arena_printf(m->keep, forms[1], a, b)
                              : arena_printf(m->keep, forms[2], a, b);
  add(m, STMT_TEXT, text);
  snprintf(predicate, size, "%%q1");
}
static void make_if(struct maker *m, u32 depth) {
  char predicate[16];
  make_condition(m, predicate, sizeof predicate);
  u32 open = add(m, STMT_IF, arena_printf(m->keep, "%s", predicate));
  make_block(m, depth + 1, 1 + below(m, 5));
  if (below(m, 2)) {
    u32 middle = add(m, STMT_ELSE, "");
    m->p->stmts[open].end = middle;
    make_block(m, depth + 1, 1 + below(m, 5));
    open = middle;
  }
  m->p->stmts[open].end = add(m, STMT_END, "");
}
static void make_loop(struct maker *m, u32 depth) {
  u32 open = add(m, STMT_LOOP, reg(m, 'r'));
  m->p->stmts[open].depth = depth;
  make_block(m, depth + 1, 1 + below(m, 4));
  m->p->stmts[open].end = add(m, STMT_END, "");
}
static void make_block(struct maker *m, u32 depth, u32 count) {
  for (u32 i = 0; i < count && m->p->count < STMTS_MAX - 40; i++) {
    u32 k = below(m, 100);
    if (k < 8 && depth < DEPTH_MAX)
      make_if(m, depth);
    else if (k < 13 && depth < DEPTH_MAX)
      make_loop(m, depth);
    else if (k < 20)
      make_atomic(m);
    else if (k < 25 && depth == 0)
      make_shuffle(m);
    else if (k < 29 && depth == 0)
      make_vote(m);
    else if (k < 32 && depth == 0)
      make_exchange(m);
    else
      make_form(m);
  }
}

void gen_program(struct arena *keep, const struct gen *g, u64 seed, struct program *out) {
  u64 scrambled = seed ^ 0x6a09e667f3bcc909; /* neighbours must not share a stream */
  struct maker m = {.keep = keep, .g = g, .p = out, .rng = rng_next(&scrambled)};
  *out = (struct program){.seed = seed, .grid = 1 + below(&m, 2), .block = 32 * (1 + below(&m, 3))};
  out->stmts = NEWN(keep, struct stmt, STMTS_MAX);
  make_block(&m, 0, 15 + below(&m, 35));
}
