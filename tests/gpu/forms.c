/* forms.c - expands the table of forms_table.h and compares values by their types. */
#include <math.h>
#include <string.h>
#include "gpu/forms.h"
#include "gpu/forms_edges.h"
#include "gpu/forms_table.h"

/* ---- types named in a form ---- */
static const struct type_row {
  const char *text;
  char width;
  enum value_type type;
} types[] = {{".f16x2", 'r', V_F16X2}, {".bf16x2", 'r', V_BF16X2}, {".bf16", 'h', V_BF16},
             {".tf32", 'r', V_TF32},   {".f16", 'h', V_F16},       {".f32", 'r', V_F32},
             {".f64", 'd', V_F64},     {".u8", 'r', V_INT},        {".s8", 'r', V_INT},
             {".u16", 'h', V_INT},     {".s16", 'h', V_INT},       {".b16", 'h', V_INT},
             {".u32", 'r', V_INT},     {".s32", 'r', V_INT},       {".b32", 'r', V_INT},
             {".u64", 'd', V_INT},     {".s64", 'd', V_INT},       {".b64", 'd', V_INT}};

static const struct type_row *type_at(const char *p) {
  for (size_t i = 0; i < COUNT_OF(types); i++)
    if (strncmp(p, types[i].text, strlen(types[i].text)) == 0) return &types[i];
  return NULL;
}
/* The first and the last type of the opcode. */
static void types_of(const char *text, const struct type_row **first,
                     const struct type_row **last) {
  *first = *last = NULL;
  for (const char *p = text; *p && *p != ' '; p++) {
    const struct type_row *t = *p == '.' ? type_at(p) : NULL;
    if (t && !*first) *first = t;
    if (t) *last = t;
  }
}

static void set_operand(struct form *f, u32 i, char letter, const struct type_row *v,
                        const struct type_row *w) {
  static const struct type_row plain = {"", 'r', V_INT};
  const struct type_row *t = letter == 'v' ? v : letter == 'w' || letter == '2' ? w : &plain;
  if (!t) BUG("form %s has no type", f->text);
  f->width[i] = t->width;
  f->type[i] = (u8)t->type;
  if (letter == '2') f->width[i] = t->width == 'h' ? 'r' : 'd';
  if (strchr("hrdp", letter)) f->width[i] = letter;
  if (letter == 'f') f->type[i] = V_F32;
  if (letter == 'k') f->width[i] = 'h', f->type[i] = V_F16;
  if (letter == 'b') f->width[i] = 'h', f->type[i] = V_BF16;
  if (letter == 'x') f->width[i] = 'r', f->type[i] = V_F16X2;
  if (letter == 'y') f->width[i] = 'r', f->type[i] = V_BF16X2;
  if (letter == 'g') f->width[i] = 'd', f->type[i] = V_F64;
}

/* add, sub and mul of floats without a rounding may be fused with their neighbours (PTX ISA, mul):
 * inside of a program their last bit is open. */
static bool may_fuse(const char *text, const struct type_row *t) {
  if (!t || t->type == V_INT) return false;
  if (strncmp(text, "add.", 4) != 0 && strncmp(text, "sub.", 4) != 0 &&
      strncmp(text, "mul.", 4) != 0)
    return false;
  return !strstr(text, ".rn") && !strstr(text, ".rz") && !strstr(text, ".rm") &&
         !strstr(text, ".rp");
}

static void finish(struct arena *keep, struct form *f, const struct row *row, const char *text) {
  const struct type_row *first, *last;
  u32 n = 0;
  *f = (struct form){.text = text, .flags = row->flags, .ulps = row->ulps, .error = row->error};
  types_of(text, &first, &last);
  if (may_fuse(text, last)) f->flags |= FUSES;
  for (const char *s = row->signature; *s; s++) {
    if (*s == '<')
      f->outs = n;
    else
      set_operand(f, n++, *s, first, last);
  }
  f->ins = n - f->outs;
  if (strchr(text, '$')) return;
  struct strbuf b = {0};
  strbuf_printf(&b, "%s", text);
  for (u32 i = 0; i < n; i++) strbuf_printf(&b, "%s$%u", i ? ", " : " ", i);
  strbuf_printf(&b, ";");
  f->text = str_copy(keep, (str){b.p, b.n}).p;
  strbuf_free(&b);
}

/* ---- alternatives: an operand list in braces has no bar ---- */
struct expansion {
  struct arena *keep;
  struct form *out;
  u32 cap, count;
  const struct row *row;
};
static const char *choice_start(const char *p) {
  for (; *p; p++) {
    const char *end = *p == '{' ? strchr(p, '}') : NULL, *bar = end ? strchr(p, '|') : NULL;
    if (bar && bar < end) return p;
  }
  return NULL;
}
static void expand(struct expansion *x, const char *text) {
  const char *open = choice_start(text);
  if (!open) {
    if (x->count == x->cap) BUG("more than %u forms", x->cap);
    finish(x->keep, &x->out[x->count++], x->row, text);
    return;
  }
  const char *close = strchr(open, '}');
  for (const char *p = open + 1; p <= close;) {
    size_t n = strcspn(p, "|}");
    expand(x, arena_printf(x->keep, "%.*s%.*s%s", (int)(open - text), text, (int)n, p, close + 1));
    p += n + 1;
  }
}
u32 forms_expand(struct arena *keep, struct form *out, u32 cap) {
  struct expansion x = {.keep = keep, .out = out, .cap = cap};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    x.row = &rows[i];
    expand(&x, rows[i].text);
  }
  return x.count;
}

void form_print(struct strbuf *b, const struct form *f, const char *const *reg) {
  for (const char *p = f->text; *p; p++) {
    if (*p == '$')
      strbuf_printf(b, "%s", reg[*++p - '0']);
    else
      strbuf_add(b, p, 1);
  }
}

/* ---- values ---- */
static const u64 whole[] = {0,
                            1,
                            2,
                            3,
                            7,
                            8,
                            15,
                            16,
                            31,
                            32,
                            33,
                            63,
                            64,
                            65,
                            127,
                            128,
                            255,
                            256,
                            0x7fff,
                            0x8000,
                            0xffff,
                            0x10000,
                            0x7fffff,
                            0x800000,
                            0xffffff,
                            0x7fffffff,
                            0x80000000,
                            0xffffffff,
                            0x100000000,
                            0x7fffffffffffffff,
                            0x8000000000000000,
                            ~0ull,
                            ~1ull,
                            0x5555555555555555,
                            0xaaaaaaaaaaaaaaaa,
                            0x0123456789abcdef,
                            0xfedcba9876543210};
static const u32 f32s[] = {
    0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x807fffff, 0x800000,
    0x80800000, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0xbf000000,
    0x3fc00000, 0xbfc00000, 0x40200000, 0x40000000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7fffffff, 0xffc00000, 0x7f800001, 0xffa00000, 0x4b000000, 0x4b800001,
    0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000,
    0x42fe8000, 0x437f8000, 0xc3008000, 0x477fff80, 0xc7000040, 0x477fe000, 0x477ff000,
    0x33000000, 0x33000001, 0x387fc000, 0x38800000, 0x3f808000, 0x3f801000, 0x3f803000};
static const u16 f16s[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x83ff, 0x400,
                           0x8400, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3800, 0xb800,
                           0x3e00, 0xbe00, 0x4100, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                           0x7fff, 0x7e00, 0xfe01, 0x7c01, 0x57f8, 0x5bf8, 0x7800};
static const u16 bf16s[] = {0,      0x8000, 1,      0x8001, 0x7f,   0x807f, 0x80,   0x8080, 0x3f80,
                            0xbf80, 0x3f81, 0x3f7f, 0x3f00, 0xbf00, 0x3fc0, 0x4020, 0x7f7f, 0xff7f,
                            0x7f80, 0xff80, 0x7fff, 0x7fc0, 0xffc1, 0x7f81, 0x4f00, 0x5f00, 0x4b00};
static const u64 f64s[] = {0,
                           1ull << 63,
                           1,
                           0x8000000000000001,
                           0xfffffffffffff,
                           0x10000000000000,
                           0x3ff0000000000000,
                           0xbff0000000000000,
                           0x3ff0000000000001,
                           0x3fefffffffffffff,
                           0x3fe0000000000000,
                           0xbfe0000000000000,
                           0x3ff8000000000000,
                           0x4004000000000000,
                           0x7fefffffffffffff,
                           0xffefffffffffffff,
                           0x7ff0000000000000,
                           0xfff0000000000000,
                           0x7ff8000000000000,
                           0xffffffffffffffff,
                           0x7ff0000000000001,
                           0x4330000000000000,
                           0x41dfffffffe00000,
                           0x41e0000000000000,
                           0xc1e0000000200000,
                           0x41f0000000000000,
                           0x43e0000000000000,
                           0xc3e0000000000000,
                           0x43f0000000000000,
                           0x47efffffe0000000,
                           0x47effffff0000000,
                           0x3690000000000000,
                           0x36a0000000000000,
                           0x3690000000000001,
                           0x380fffffe0000000,
                           0x3810000000000000,
                           0x40efffe000000000,
                           0x40effc0000000000,
                           0x40effe0000000000,
                           0x3ff0000010000000,
                           0x3ff0000030000000,
                           0x3ff0020000000000};

static u64 f32_value(u64 r, u64 s, u32 flags) {
  u32 bits = (u32)s;
  if (flags & SMALL)
    bits = (bits & 0x807fffff) | (u32)(100 + s / 7 % 29) << 23; /* below 4: inside -2 pi to 2 pi */
  else if (r % 3 == 0)
    return f32s[s % COUNT_OF(f32s)];
  else if (r % 3 == 1)
    bits = (bits & 0x807fffff) | (u32)(127 - 12 + s / 7 % 40) << 23;
  return bits;
}
static u64 half_value(u64 r, u64 s, const u16 *special, u64 count, u32 bias, u32 shift) {
  if (r % 3 == 0) return special[s % count];
  u32 bits = (u32)s & 0xffff, stored = (1u << shift) - 1;
  if (r % 3 == 1) bits = (bits & (0x8000 | stored)) | (u32)(bias - 4 + s / 7 % 12) << shift;
  return bits;
}
u64 form_value(u64 *rng, char width, enum value_type t, u32 flags) {
  u64 r = rng_next(rng), s = rng_next(rng) >> 3;
  u64 mask = width == 'h' ? 0xffff : width == 'r' ? 0xffffffff : width == 'p' ? 1 : ~0ull;
  switch (t) {
  case V_F32:
  case V_TF32: return f32_value(r, s, flags);
  case V_F16: return half_value(r, s, f16s, COUNT_OF(f16s), 15, 10);
  case V_BF16: return half_value(r, s, bf16s, COUNT_OF(bf16s), 127, 7);
  case V_F16X2:
    return half_value(r, s, f16s, COUNT_OF(f16s), 15, 10) |
           half_value(r >> 8, s >> 20, f16s, COUNT_OF(f16s), 15, 10) << 16;
  case V_BF16X2:
    return half_value(r, s, bf16s, COUNT_OF(bf16s), 127, 7) |
           half_value(r >> 8, s >> 20, bf16s, COUNT_OF(bf16s), 127, 7) << 16;
  case V_F64:
    if (r % 3 == 0) return f64s[s % COUNT_OF(f64s)];
    s = rng_next(rng);
    return r % 3 == 1 ? (s & 0x800fffffffffffff) | (1023 - 20 + s / 7 % 60) << 52 : s;
  default:
    if (r % 2) return whole[s % COUNT_OF(whole)] & mask;
    return rng_next(rng) >> (r / 2 % 4 == 0 ? s % 64 : 0) & mask; /* small ones too */
  }
}

bool form_edge(u32 row, u32 operand, char width, enum value_type t, u64 *out) {
  if (row >= EDGE_ROWS) return false;
  operand %= EDGE_OPERANDS;
  switch (t) {
  case V_F32:
  case V_TF32: *out = f32_edges[row][operand]; break;
  case V_F64: *out = f64_edges[row][operand]; break;
  case V_F16: *out = f16_edges[row][operand]; break;
  case V_BF16: *out = bf16_edges[row][operand]; break;
  case V_F16X2: *out = (u64)f16_edges[row][operand] * 0x10001; break;
  case V_BF16X2: *out = (u64)bf16_edges[row][operand] * 0x10001; break;
  case V_INT: *out = int_edges[row][operand]; break;
  }
  *out &= width == 'p' ? 1 : width == 'h' ? 0xffff : width == 'r' ? 0xffffffff : ~0ull;
  return true;
}

/* ---- equality ---- */
static double as_double(enum value_type t, u64 v) {
  float f;
  double d;
  u32 b = (u32)v;
  switch (t) {
  case V_BF16: b <<= 16; /* fall through */
  case V_TF32:
  case V_F32: memcpy(&f, &b, 4); return (double)f;
  case V_F64: memcpy(&d, &v, 8); return d;
  default: break;
  }
  double m = (double)(b & 0x3ff), sign = b & 0x8000 ? -1 : 1;
  int e = (int)(b >> 10 & 31);
  if (e == 31) return b & 0x3ff ? (double)NAN : sign * HUGE_VAL;
  return sign * (e ? ldexp(m + 1024, e - 25) : ldexp(m, -24));
}
/* Bits in the order of the numbers. */
static double rank(u64 v, u32 bits) {
  u64 sign = 1ull << (bits - 1), magnitude = v & (sign - 1);
  return v & sign ? -(double)magnitude : (double)magnitude;
}
static bool same_scalar(const struct form *f, enum value_type t, u32 bits, u64 a, u64 b,
                        double *ulps) {
  if (a == b) return true;
  if (t == V_INT) return false;
  double x = as_double(t, a), y = as_double(t, b);
  if (isnan(x) || isnan(y)) return isnan(x) && isnan(y) && (f->flags & (NANS | APPROX));
  if (!(f->flags & APPROX)) return false;
  double distance = fabs(rank(a, bits) - rank(b, bits));
  bool near = isfinite(x) && isfinite(y) && fabs(x - y) <= f->error;
  if (!near && distance > *ulps) *ulps = distance;
  return near || distance <= f->ulps;
}
bool form_same(const struct form *f, u32 operand, u64 a, u64 b, double *ulps) {
  enum value_type t = (enum value_type)f->type[operand];
  char w = f->width[operand];
  if (t == V_F16X2 || t == V_BF16X2) {
    t = t == V_F16X2 ? V_F16 : V_BF16;
    bool low = same_scalar(f, t, 16, a & 0xffff, b & 0xffff, ulps);
    return same_scalar(f, t, 16, a >> 16, b >> 16, ulps) && low;
  }
  return same_scalar(f, t, w == 'h' ? 16 : w == 'd' ? 64 : 32, a, b, ulps);
}
const char *value_text(struct arena *a, char width, enum value_type t, u64 v) {
  int digits = width == 'h' ? 4 : width == 'r' ? 8 : width == 'p' ? 1 : 16;
  if (t == V_INT || t == V_F16X2 || t == V_BF16X2)
    return arena_printf(a, "0x%0*llx", digits, (unsigned long long)v);
  return arena_printf(a, "0x%0*llx (%.9g)", digits, (unsigned long long)v, as_double(t, v));
}
