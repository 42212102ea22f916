/* mma_quad.c - mma.m8n8k4 with .f16 sources: one instruction, four products of 8 x 4 by 4 x 8.
 * Lanes 4 q to 4 q + 3 and the same plus 16 compute product q. Layouts: PTX ISA, "Matrix fragments
 * for mma.m8n8k4 with .f16 floating point type". */
#include "vm/lanes.h"
#include "vm/matrix.h"
#include <math.h>

enum { M = 8, K = 4 };
struct product {
  double a[M][K], b[K][M], c[M][M];
  bool a_bad[M], b_bad[M], c_bad[M][M]; /* undefined: rows of a, columns of b, elements of c */
};

static void accumulator_at(bool half, u32 lane, u32 i, u32 *row, u32 *col) {
  u32 upper = lane < 16 ? 0 : 4;
  *row = (half ? lane & 3 : (lane & 1) + (i & 2)) + upper;
  *col = half ? i : (i & 4) + (lane & 2) + (i & 1);
}
static double half_of(const struct vm_exec *x, i32 ref, u32 lane, u32 i, u32 format) {
  return vm_widen(vm_u32(x, ref)[lane] >> (i & 1) * 16 & 0xffff, (enum vm_format)format);
}
static bool is_defined(const struct vm_exec *x, i32 ref, u32 lane) {
  return vm_valid(x, ref) >> lane & 1;
}

static void fetch(const struct vm_exec *x, const struct vm_quads *k, u32 lane, struct product *p) {
  u32 line = (lane & 3) + (lane < 16 ? 0 : 4), first = lane < 16 ? 0 : 4;
  for (u32 i = 0; i < K; i++) {
    u32 row = k->a_col ? i + first : line, col = k->a_col ? lane & 3 : i;
    p->a[row][col] = half_of(x, k->a[i / 2], lane, i, k->format);
    p->a_bad[row] |= !is_defined(x, k->a[i / 2], lane);
    row = k->b_col ? i : lane & 3, col = k->b_col ? line : i + first;
    p->b[row][col] = half_of(x, k->b[i / 2], lane, i, k->format);
    p->b_bad[col] |= !is_defined(x, k->b[i / 2], lane);
  }
  for (u32 i = 0; i < M; i++) {
    u32 row, col;
    accumulator_at(k->c_half, lane, i, &row, &col);
    i32 ref = k->c[k->c_half ? i / 2 : i];
    p->c[row][col] =
        k->c_half ? half_of(x, ref, lane, i, VM_FMT_F16) : (double)vm_f32(x, ref)[lane];
    p->c_bad[row][col] = !is_defined(x, ref, lane);
  }
}

static void store(struct vm_exec *x, const struct vm_insn *in, const struct vm_quads *k, u32 lane,
                  const struct product *p) {
  for (u32 i = 0; i < M; i++) {
    u32 row, col, reg = k->d_half ? i / 2 : i;
    accumulator_at(k->d_half, lane, i, &row, &col);
    double v = p->c[row][col];
    u8 *to = vm_data(x, k->d[reg]);
    if (k->d_half)
      ((u16 *)(void *)to)[lane * 2 + (i & 1)] = (u16)vm_narrow(v, VM_FMT_F16, VM_RN);
    else
      ((float *)(void *)to)[lane] = vm_nan32((float)v);
    bool bad = p->a_bad[row] || p->b_bad[col] || p->c_bad[row][col];
    struct vm_slot *h = vm_head(to);
    if (!k->d_half || !(i & 1)) h->valid |= vm_bit(lane);
    if (!bad) continue;
    h->valid &= ~vm_bit(lane);
    h->origin_pos = in->pos_id, h->origin_object = NULL, h->origin_offset = 0, h->partial = NULL;
  }
}

void vm_mma_quads(struct vm_exec *x, const struct vm_insn *in, const struct vm_quads *k) {
  struct product p[4] = {0};
  for (u32 l = 0; l < VM_LANES; l++) fetch(x, k, l, &p[l >> 2 & 3]);
  for (u32 q = 0; q < 4; q++)
    for (u32 i = 0; i < M; i++)
      for (u32 j = 0; j < M; j++)
        for (u32 n = 0; n < K; n++) p[q].c[i][j] += p[q].a[i][n] * p[q].b[n][j];
  for (u32 l = 0; l < VM_LANES; l++) store(x, in, k, l, &p[l >> 2 & 3]);
}

static void act(struct vm_exec *x, const struct vm_insn *in) {
  const struct vm_quads *k = vm_warp_wide(x, in);
  if (k) vm_mma_quads(x, in, k);
}

static bool registers(struct vm_pick *p, u32 operand, u32 count, bool is_dst, i32 *ref) {
  const struct ptx_operand *v = operand < p->in->operand_count ? &p->in->operands[operand] : NULL;
  if (!v || v->kind != OPD_VEC || v->item_count != count)
    return vm_no(p, "a fragment does not have the number of registers that its shape needs");
  for (u32 i = 0; i < count; i++) {
    u32 w;
    if (!vm_item(p, &v->items[i], T_B32, is_dst, &ref[i], &w)) return false;
    if (w != 4 || ref[i] == -1) return vm_no(p, "a fragment's register has the wrong width");
  }
  return true;
}
bool vm_pick_mma_quads(struct vm_pick *p) {
  struct vm_quads *k = NEW(&p->m->arena, struct vm_quads);
  u32 layouts = 0;
  const char *text = p->in->text.p; /* .row and .col are a set: their order is in the text only */
  for (size_t i = 0; i + 4 <= p->in->text.n; i++) {
    bool row = memcmp(text + i, ".row", 4) == 0, col = memcmp(text + i, ".col", 4) == 0;
    if (!row && !col) continue;
    if (layouts++ == 0)
      k->a_col = col;
    else
      k->b_col = col;
  }
  if (layouts != 2) return vm_no(p, "two layouts are needed (.row, .col)");
  k->format = VM_FMT_F16;
  k->d_half = vm_type(p, 0) == T_F16;
  k->c_half = vm_type(p, 3) == T_F16;
  return registers(p, 0, k->d_half ? 4 : 8, true, k->d) && registers(p, 1, 2, false, k->a) &&
         registers(p, 2, 2, false, k->b) && registers(p, 3, k->c_half ? 4 : 8, false, k->c) &&
         vm_pick_warp_wide(p, act, k);
}
