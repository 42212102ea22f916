/* table.c - the words of PTX: opcodes, modifiers, types, special registers. One hash table, filled
 * from the .def files for each parse (some microseconds, and no global state). Knows no syntax. */
#include "ptx/parse.h"
#include <string.h>

const struct ptx_op_info ptx_ops[OP_COUNT] = {
    [OP_unknown] = {"unknown", 0},
#define O(name, text, flags) [OP_##name] = {text, flags},
#include "ptx/ops.def"
#undef O
};

const char *const ptx_mod_text[MOD_COUNT] = {
#define M(name, text) [MOD_##name] = text,
#include "ptx/mods.def"
#undef M
};
_Static_assert(MOD_COUNT <= 256, "struct ptx_insn.mods has 256 bits");

const char *const ptx_sreg_text[SREG_COUNT] = {
#define S(name, text) [SREG_##name] = text,
#include "ptx/sregs.def"
#undef S
};

static const struct {
  const char *text;
  u32 bytes;
} types[T_COUNT] = {
    [T_NONE] = {"", 0},
    [T_PRED] = {"pred", 0},
    [T_B8] = {"b8", 1},
    [T_U8] = {"u8", 1},
    [T_S8] = {"s8", 1},
    [T_B16] = {"b16", 2},
    [T_U16] = {"u16", 2},
    [T_S16] = {"s16", 2},
    [T_F16] = {"f16", 2},
    [T_BF16] = {"bf16", 2},
    [T_B32] = {"b32", 4},
    [T_U32] = {"u32", 4},
    [T_S32] = {"s32", 4},
    [T_F32] = {"f32", 4},
    [T_TF32] = {"tf32", 4},
    [T_F16X2] = {"f16x2", 4},
    [T_BF16X2] = {"bf16x2", 4},
    [T_B64] = {"b64", 8},
    [T_U64] = {"u64", 8},
    [T_S64] = {"s64", 8},
    [T_F64] = {"f64", 8},
    [T_F32X2] = {"f32x2", 8},
    [T_B128] = {"b128", 16},
    [T_U16X2] = {"u16x2", 4},
    [T_S16X2] = {"s16x2", 4},
    [T_E4M3X2] = {"e4m3x2", 2},
    [T_E5M2X2] = {"e5m2x2", 2},
    [T_E3M2X2] = {"e3m2x2", 2},
    [T_E2M3X2] = {"e2m3x2", 2},
    [T_E2M1X2] = {"e2m1x2", 1},
    [T_UE8M0X2] = {"ue8m0x2", 2},
    [T_E4M3X4] = {"e4m3x4", 4},
    [T_E5M2X4] = {"e5m2x4", 4},
    [T_E3M2X4] = {"e3m2x4", 4},
    [T_E2M3X4] = {"e2m3x4", 4},
    [T_E2M1X4] = {"e2m1x4", 2},
    [T_E4M3] = {"e4m3", 1},
    [T_E5M2] = {"e5m2", 1},
    [T_E3M2] = {"e3m2", 1},
    [T_E2M3] = {"e2m3", 1},
    [T_E2M1] = {"e2m1", 1},
    [T_UE8M0] = {"ue8m0", 1},
    [T_UE4M3] = {"ue4m3", 1},
    [T_B1] = {"b1", 1},
    [T_U2] = {"u2", 1},
    [T_S2] = {"s2", 1},
    [T_U4] = {"u4", 1},
    [T_S4] = {"s4", 1},
    [T_B8X16] = {"b8x16", 16},
    [T_B6X16_P32] = {"b6x16_p32", 16},
    [T_B4X16_P64] = {"b4x16_p64", 16},
};

u32 ptx_type_bytes(enum ptx_type t) { return (u32)t < T_COUNT ? types[t].bytes : 0; }

u32 ptx_type_bits(enum ptx_type t) {
  switch (t) {
  case T_B1: return 1;
  case T_U2:
  case T_S2: return 2;
  case T_U4:
  case T_S4: return 4;
  default: return ptx_type_bytes(t) * 8;
  }
}

const char *ptx_type_text(enum ptx_type t) { return (u32)t < T_COUNT ? types[t].text : ""; }

bool ptx_has(const struct ptx_insn *in, enum ptx_mod mod) {
  return (u32)mod < MOD_COUNT && (in->mods[mod / 64] >> (mod % 64) & 1) != 0;
}

static u32 slot_of(enum ptx_word_class class, str text) {
  return (ptx_word_hash(text) ^ (u32) class * 0x9e3779b9u) % PTX_WORD_SLOTS;
}

static struct ptx_word *place(struct ptx_words *w, enum ptx_word_class class, str text) {
  u32 i = slot_of(class, text);
  for (;; i = (i + 1) % PTX_WORD_SLOTS) {
    struct ptx_word *x = &w->slot[i];
    if (!x->text) return x;
    if (x->class == class && x->len == text.n && memcmp(x->text, text.p, text.n) == 0) return x;
  }
}

static void add(struct ptx_words *w, enum ptx_word_class class, const char *text, u32 index) {
  size_t n = strlen(text);
  struct ptx_word *x = place(w, class, (str){text, n});
  *x = (struct ptx_word){text, (u16)index, (u8)n, (u8) class, x->spans};
  const char *dot = strchr(text, '.');
  if (!dot) return;
  str first = {text, (size_t)(dot - text)};
  struct ptx_word *f = place(w, class, first);
  if (!f->text) *f = (struct ptx_word){text, MOD_COUNT, (u8)first.n, (u8) class, true};
  f->spans = true;
}

void ptx_words_init(struct ptx_words *w) {
  memset(w, 0, sizeof *w);
  for (u32 i = 1; i < OP_COUNT; i++) add(w, WORD_OP, ptx_ops[i].text, i);
  for (u32 i = 0; i < MOD_COUNT; i++) add(w, WORD_MOD, ptx_mod_text[i], i);
  for (u32 i = 1; i < T_COUNT; i++) add(w, WORD_TYPE, types[i].text, i);
  for (u32 i = 0; i < SREG_COUNT; i++) add(w, WORD_SREG, ptx_sreg_text[i], i);
}

const struct ptx_word *ptx_word_find(const struct ptx_words *w, enum ptx_word_class class,
                                     str text) {
  for (u32 i = slot_of(class, text);; i = (i + 1) % PTX_WORD_SLOTS) {
    const struct ptx_word *x = &w->slot[i];
    if (!x->text) return NULL;
    if (x->class == class && x->len == text.n && memcmp(x->text, text.p, text.n) == 0) return x;
  }
}

/* The next component behind a dot: rest starts behind it. */
static str component(str rest) {
  const char *dot = memchr(rest.p, '.', rest.n);
  return (str){rest.p, dot ? (size_t)(dot - rest.p) : rest.n};
}

/* Longest match: xorsign.abs before xorsign. False: not a word of the language. */
static bool take_modifier(const struct ptx_words *w, struct ptx_opcode *o, str *rest) {
  str c = component(*rest);
  const struct ptx_word *t = ptx_word_find(w, WORD_TYPE, c);
  const struct ptx_word *m = t ? NULL : ptx_word_find(w, WORD_MOD, c);
  if (m && m->spans && c.n < rest->n) {
    str second = component((str){c.p + c.n + 1, rest->n - c.n - 1});
    str both = {c.p, c.n + 1 + second.n};
    const struct ptx_word *longer = ptx_word_find(w, WORD_MOD, both);
    if (longer) m = longer, c = both;
  }
  if (t) {
    if (o->type_count == COUNT_OF(o->types)) return false;
    o->types[o->type_count++] = (u8)t->index;
  } else if (m && m->index < MOD_COUNT) {
    o->mods[m->index / 64] |= (u64)1 << (m->index % 64);
  } else {
    return false;
  }
  size_t eaten = c.n < rest->n ? c.n + 1 : c.n;
  rest->p += eaten;
  rest->n -= eaten;
  return true;
}

static struct ptx_opcode take_apart(const struct ptx_words *w, str text) {
  struct ptx_opcode o = {.text = text};
  str c = component(text);
  const struct ptx_word *op = ptx_word_find(w, WORD_OP, c);
  if (!op) return o;
  str rest = {text.p + c.n, text.n - c.n};
  if (rest.n) rest.p++, rest.n--;
  while (rest.n)
    if (!take_modifier(w, &o, &rest)) return o;
  o.op = op->index;
  return o;
}

const struct ptx_opcode *ptx_opcode_find(struct ptx_words *w, str text, u32 hash) {
  struct ptx_opcode *seen = &w->seen[(hash ^ hash >> 8) % PTX_OPCODE_SLOTS];
  if (!seen->text.p || !str_eq(seen->text, text)) *seen = take_apart(w, text);
  return seen;
}
