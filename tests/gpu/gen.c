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
static void canonical_half(struct strbuf *b, const char *type, const char *r) {
  strbuf_printf(b, " setp.nan.%s %%q0, %s, %s; selp.b16 %s, 0x7fff, %s, %%q0;", type, r, r, r, r);
}
static void canonical_nan(struct strbuf *b, const struct form *f, u32 i, const char *r) {
  enum value_type t = (enum value_type)f->type[i];
  const char *half = t == V_F16 || t == V_F16X2 ? "f16" : "bf16";
  switch (t) {
  case V_F32:
  case V_TF32:
    strbuf_printf(b, " testp.notanumber.f32 %%q0, %s; selp.b32 %s, 0x7fffffff, %s, %%q0;", r, r, r);
    break;
  case V_F64:
    strbuf_printf(b, " testp.notanumber.f64 %%q0, %s; selp.b64 %s, 0x7ff8000000000000, %s, %%q0;",
                  r, r, r);
    break;
  case V_F16:
  case V_BF16: canonical_half(b, half, r); break;
  case V_F16X2:
  case V_BF16X2:
    strbuf_printf(b, " mov.b32 {%%h8, %%h9}, %s;", r);
    canonical_half(b, half, "%h8");
    canonical_half(b, half, "%h9");
    strbuf_printf(b, " mov.b32 %s, {%%h8, %%h9};", r);
    break;
  case V_INT: break;
  }
}

/* What keeps the driver's assembler from making another program of ours. Even without optimising it
 * - converts a register that holds a float, as if asked to, where an integer of another width is
 *   wanted: the count of a 64-bit shift, a narrow store.
 * With optimising (not gen.plain) it also
 * - looks through results by value, although the next instruction takes the register's bits as
 *   another type: floats, conversions, 0-or-1 results, narrow loads, abs, neg and .sat of integers;
 *   and sums up mad.hi wrongly in loops. So every result is hidden;
 * - takes min(a, a) for a, also where a is a NaN, which the ISA makes canonical;
 * - takes a predicate that guards a loop for true in all its rounds, though it changes inside;
 * - gets the loop wrong that stands for atom.shared.add of f16x2 when NaNs are looked for after it.
 * Compilers write none of these. The remedy is a zero that the assembler does not know. */
static bool starts(const struct form *f, const char *word) {
  return strncmp(f->text, word, strlen(word)) == 0;
}
static bool converts(const struct form *f) {
  return starts(f, "shl.b64") || starts(f, "shr.") || starts(f, "st.");
}
static bool mistaken(const struct form *f) {
  return strstr(f->text, "atom.shared.add.noftz.f16x2");
}
static void hide(struct strbuf *b, char width, const char *to, const char *from) {
  strbuf_printf(b, "xor.b%s %s, %s, %%z%c;",
                width == 'h'   ? "16"
                : width == 'r' ? "32"
                               : "64",
                to, from, width);
}
/* Divisors are odd: what a division by zero gives is unspecified (PTX ISA, div). */
static void make_odd(struct strbuf *b, const struct form *f, const char *divisor) {
  if ((starts(f, "div.") || starts(f, "rem.")) && f->type[0] == V_INT)
    strbuf_printf(b, "or.b%s %s, %s, 1; ",
                  f->width[0] == 'h'   ? "16"
                  : f->width[0] == 'r' ? "32"
                                       : "64",
                  divisor, divisor);
}
static bool nan_is_open(const struct maker *m, const struct form *f) {
  bool folds = starts(f, "min.") || starts(f, "max.");
  return f->flags & NANS || (folds && !m->g->plain && f->type[0] != V_INT);
}
static bool fits(const struct gen *g, u32 i) {
  u32 never = APPROX | ALONE | (g->plain ? 0 : FUSES);
  if (!g->plain && mistaken(&g->forms[i])) return false;
  return !(g->forms[i].flags & never) && !(g->excluded && g->excluded[i]);
}
static bool taken(const struct form *f, const char *const *regs, u32 k) {
  for (u32 j = 0; k < f->outs && j < k; j++) /* two outputs are two registers */
    if (strcmp(regs[j], regs[k]) == 0) return true;
  return false;
}
static void make_form(struct maker *m) {
  u32 i = below(m, m->g->form_count);
  while (!fits(m->g, i)) i = below(m, m->g->form_count);
  const struct form *f = &m->g->forms[i];
  const char *regs[FORM_OPERANDS];
  for (u32 k = 0; k < f->outs + f->ins; k++) {
    do { regs[k] = reg(m, f->width[k]); } while (taken(f, regs, k));
  }
  struct strbuf b = {0};
  make_odd(&b, f, regs[2]);
  for (u32 k = f->outs; converts(f) && k < f->outs + f->ins; k++) {
    if (f->width[k] == 'p') continue;
    const char *hidden = arena_printf(m->keep, "%%g%c%u", f->width[k], k - f->outs);
    hide(&b, f->width[k], hidden, regs[k]);
    strbuf_printf(&b, " ");
    regs[k] = hidden;
  }
  form_print(&b, f, regs);
  for (u32 k = 0; nan_is_open(m, f) && k < f->outs; k++) canonical_nan(&b, f, k, regs[k]);
  if (f->flags & NANS && strstr(f->text, "[%a]")) /* ... nor may one stay in memory */
    strbuf_printf(&b, " mov.u64 %%x0, 0; st.global.v2.b64 [%%a], {%%x0, %%x0};");
  for (u32 k = 0; !m->g->plain && k < f->outs; k++) {
    if (f->width[k] == 'p') continue;
    strbuf_printf(&b, " ");
    hide(&b, f->width[k], regs[k], regs[k]);
  }
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
    const char *p = reg(m, 'p');
    snprintf(predicate, size, "%s", m->g->plain ? p : "%q1");
    if (!m->g->plain)
      add(m, STMT_TEXT,
          arena_printf(m->keep,
                       "selp.b32 %%t0, 1, 0, %s; xor.b32 %%t0, %%t0, %%zr; setp.ne.u32 %%q1, %%t0, "
                       "0;",
                       p));
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
