/* matrix.c - fragments and the product. Each element of the result is the sum, in double precision
 * and in the order of k, of the accumulator and the exact products; it is rounded once, at the end,
 * to the result's type (the hardware may round in between: results can differ in the last place).
 * Integers wrap, or saturate with .satfinite; f64 is accumulated by fused multiply-adds in the
 * order of k. */
#include "vm/matrix.h"
#include "vm/lanes.h"
#include <math.h>

void vm_frag_at(const struct vm_frag *f, u32 lane, u32 reg, u32 sub, u32 *row, u32 *col) {
  u32 group = lane >> 2, in_group = lane & 3, p = f->per_reg;
  if (f->in_order) {
    u32 cap = f->regs * p, at = (lane * cap + reg * p + sub) % (f->rows * f->cols);
    *row = at / f->cols;
    *col = at % f->cols;
    return;
  }
  if (f->name ==
      'a') { /* rows of 8, then columns; with 8 registers of f16x2 everything is there twice */
    u32 tall = f->rows > 8;
    *row = group + (tall ? (reg & 1) * 8 : 0);
    *col = (in_group * p + sub + (tall ? reg >> 1 : reg) * 4 * p) % f->cols;
  } else if (f->name == 'b') { /* a tile of 8 columns holds rows / (4 p) registers */
    u32 in_tile = f->rows / (4 * p), tile = reg / in_tile;
    *row = in_group * p + sub + reg % in_tile * 4 * p;
    *col = (group + tile * 8) % f->cols;
  } else {
    u32 e = reg * p + sub, in_tile = f->rows > 8 ? 4 : 2;
    *row = group + (e % in_tile >> 1) * 8;
    *col = in_group * 2 + (e & 1) + e / in_tile * 8;
  }
}

bool vm_frag_pick(struct vm_pick *p, struct vm_frag *f, u32 operand, bool is_dst) {
  if (operand >= p->in->operand_count) return vm_no(p, "an operand is missing");
  const struct ptx_operand *o = &p->in->operands[operand];
  u32 n = o->kind == OPD_VEC ? o->item_count : 1, bits = ptx_type_bits(f->type);
  f->reg_bytes = bits == 64 ? 8 : 4;
  f->per_reg = f->reg_bytes * 8 / bits;
  f->regs = n;
  u32 have = n * f->per_reg * VM_LANES, need = f->rows * f->cols;
  if (n > FRAG_REGS || have % need || have < need)
    return vm_no(p, "a fragment does not have the number of registers that its shape needs");
  for (u32 i = 0; i < n; i++) {
    u32 w;
    const struct ptx_operand *item = o->kind == OPD_VEC ? &o->items[i] : o;
    if (!vm_item(p, item,
                 f->reg_bytes == 8     ? T_F64
                 : vm_is_half(f->type) ? T_B32
                                       : T_F32,
                 is_dst, &f->ref[i], &w))
      return false;
    if (w != f->reg_bytes || f->ref[i] == -1)
      return vm_no(p, "a fragment's register has the wrong width");
  }
  return true;
}

/* A result is undefined where its row of a, its column of b or its own element of c is. */
struct undefined {
  u32 rows, cols;  /* bits */
  u32 element[32]; /* of c, by row: a bit a column */
};
static bool any_undefined(const struct vm_exec *x, const struct vm_frag *f) {
  u32 valid = VM_FULL;
  for (u32 i = 0; i < f->regs; i++) valid &= vm_valid(x, f->ref[i]);
  return valid != VM_FULL;
}
static void note_undefined(const struct vm_exec *x, const struct vm_frag *f, struct undefined *u) {
  if (!any_undefined(x, f)) return;
  for (u32 r = 0; r < f->regs; r++)
    for (u32 l = 0; l < VM_LANES; l++)
      for (u32 s = 0; s < f->per_reg; s++) {
        u32 row, col;
        if (vm_valid(x, f->ref[r]) >> l & 1) continue;
        vm_frag_at(f, l, r, s, &row, &col);
        if (f->name == 'a')
          u->rows |= 1u << row;
        else if (f->name == 'b')
          u->cols |= 1u << col;
        else
          u->element[row] |= 1u << col;
      }
}

/* ---- elements as numbers ---- */
enum { ELEMENTS_MAX = 16 * 256 }; /* single bits: m16n8k256 */
struct numbers {
  double f[ELEMENTS_MAX];
  i64 i[ELEMENTS_MAX];
};
static bool is_integer(u32 type) {
  return type == T_S8 || type == T_U8 || type == T_S32 || type == T_S4 || type == T_U4 ||
         type == T_B1;
}
static i64 integer_of(u32 type, u64 v) {
  switch (type) {
  case T_S4: return (i64)(v ^ 8) - 8;
  case T_S8: return (i64)(v ^ 0x80) - 0x80;
  case T_S32: return (i32)v;
  default: return (i64)v;
  }
}
static double float_of(u32 type, u64 v, bool contained) {
  enum vm_format fmt = VM_FMT_F32;
  if (type == T_F64) return vm_double(v);
  if (type == T_TF32) return (double)vm_float((u32)v & 0xffffe000u); /* 10 bits of mantissa count */
  vm_format_of((enum ptx_type)type, &fmt);
  if (contained && type == T_E2M1) v >>= 2;
  u32 used = type == T_E2M1 ? 0xf : type == T_E3M2 || type == T_E2M3 ? 0x3f : VM_FULL;
  return vm_widen((u32)v & used, fmt);
}

static void fetch(const struct vm_exec *x, const struct vm_frag *f, bool contained,
                  struct numbers *out) {
  u32 bits = ptx_type_bits(f->type);
  u64 mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
  for (u32 r = 0; r < f->regs; r++)
    for (u32 l = 0; l < VM_LANES; l++)
      for (u32 s = 0; s < f->per_reg; s++) {
        u32 row, col;
        vm_frag_at(f, l, r, s, &row, &col);
        u64 v = 0;
        memcpy(&v, vm_data(x, f->ref[r]) + (size_t)l * f->reg_bytes, f->reg_bytes);
        v = v >> s * bits & mask;
        u32 at = row * f->cols + col;
        if (is_integer(f->type))
          out->i[at] = integer_of(f->type, v);
        else
          out->f[at] = float_of(f->type, v, contained);
      }
}

static u64 result_bits(u32 type, const struct numbers *n, u32 at, bool satfinite) {
  enum vm_format fmt;
  if (type == T_S32) {
    i64 v = n->i[at];
    if (satfinite) v = v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v;
    return (u32)v;
  }
  if (type == T_F64) return vm_bits64(n->f[at]);
  if (type == T_F32) return vm_bits32(vm_nan32((float)n->f[at]));
  return vm_format_of(type, &fmt) ? vm_narrow(n->f[at], fmt, VM_RN) : 0;
}

void vm_mma(struct vm_exec *x, const struct vm_insn *in, const struct vm_mma *k) {
  static struct numbers a, b, c; /* large, and nothing here is entered twice */
  struct undefined u = {0};
  note_undefined(x, &k->a, &u);
  note_undefined(x, &k->b, &u);
  note_undefined(x, &k->c, &u);
  fetch(x, &k->a, k->contained, &a);
  fetch(x, &k->b, k->contained, &b);
  fetch(x, &k->c, false, &c);
  for (u32 i = 0; i < k->m; i++)
    for (u32 j = 0; j < k->n; j++) {
      u32 at = i * k->n + j;
      for (u32 q = 0; q < k->k; q++) {
        u32 p = i * k->k + q, r = q * k->n + j;
        if (k->bits)
          c.i[at] += k->bits == MOD_AND ? a.i[p] & b.i[r] : a.i[p] ^ b.i[r];
        else if (is_integer(k->a.type))
          c.i[at] += a.i[p] * b.i[r];
        else if (k->a.type == T_F64)
          c.f[at] = fma(a.f[p], b.f[r], c.f[at]);
        else
          c.f[at] += a.f[p] * b.f[r];
      }
    }
  const struct vm_frag *d = &k->d;
  u32 bytes = ptx_type_bytes(d->type);
  for (u32 r = 0; r < d->regs; r++) {
    u8 *to = vm_data(x, d->ref[r]);
    u32 valid = VM_FULL;
    for (u32 l = 0; l < VM_LANES; l++)
      for (u32 s = 0; s < d->per_reg; s++) {
        u32 row, col;
        vm_frag_at(d, l, r, s, &row, &col);
        u64 v = result_bits(d->type, &c, row * k->n + col, k->satfinite);
        memcpy(to + (size_t)l * d->reg_bytes + s * bytes, &v, bytes);
        if (u.rows >> row & 1 || (u.cols | u.element[row]) >> col & 1) valid &= ~vm_bit(l);
      }
    struct vm_slot *h = vm_head(to);
    h->valid = valid;
    if (valid != VM_FULL)
      h->origin_pos = in->pos_id, h->origin_object = NULL, h->origin_offset = 0, h->partial = NULL;
  }
}
