/* ops_matrix.c - mma.sync and movmatrix; wmma is in ops_wmma.c, the product itself in matrix.c. */
#include "vm/matrix.h"
#include "vm/place.h"
#include "vm/lanes.h"

/* ---- mma.sync ---- */
static void act_mma(struct vm_exec *x, const struct vm_insn *in) {
  const struct vm_mma *k = vm_warp_wide(x, in);
  if (k) vm_mma(x, in, k);
}

static bool shape(const struct ptx_insn *in, u32 *m, u32 *n, u32 *k) {
  static const struct {
    u8 mod, m, n, k;
  } shapes[] = {{MOD_M16N8K16, 16, 8, 16},   {MOD_M16N8K8, 16, 8, 8},   {MOD_M16N8K32, 16, 8, 32},
                {MOD_M16N8K4, 16, 8, 4},     {MOD_M8N8K4, 8, 8, 4},     {MOD_M8N8K16, 8, 8, 16},
                {MOD_M8N8K32, 8, 8, 32},     {MOD_M16N8K64, 16, 8, 64}, {MOD_M8N8K128, 8, 8, 128},
                {MOD_M16N8K128, 16, 8, 128}, {MOD_M16N8K256, 16, 8, 0}}; /* 256 */
  for (u32 i = 0; i < COUNT_OF(shapes); i++)
    if (ptx_has(in, shapes[i].mod))
      return *m = shapes[i].m, *n = shapes[i].n, *k = shapes[i].k ? shapes[i].k : 256, true;
  return false;
}

/* Depths that go with a type, as bits: PTX ISA, mma, "Syntax". */
static u32 bits_of_k(enum ptx_type a, u32 m) {
  switch (a) {
  case T_F16: return m == 16 ? 8 | 16 : 4;
  case T_BF16: return m == 16 ? 8 | 16 : 0;
  case T_TF32: return m == 16 ? 4 | 8 : 0;
  case T_F64: return m == 16 ? 4 | 8 | 16 : 4;
  case T_S8:
  case T_U8: return m == 16 ? 16 | 32 : 16;
  case T_S4:
  case T_U4: return m == 16 ? 32 | 64 : 32;
  case T_B1: return m == 16 ? 128 | 256 : 128;
  case T_E4M3:
  case T_E5M2: return m == 16 ? 16 | 32 : 0;
  default: return m == 16 ? 32 : 0; /* the formats of .kind::f8f6f4 */
  }
}

static bool is_small(enum ptx_type t) { return t >= T_E4M3 && t <= T_E2M1; }

static bool types_fit(enum ptx_type d, enum ptx_type a, enum ptx_type b, enum ptx_type c,
                      bool contained) {
  bool byte_a = a == T_S8 || a == T_U8, byte_b = b == T_S8 || b == T_U8,
       nibble_a = a == T_S4 || a == T_U4, nibble_b = b == T_S4 || b == T_U4;
  if (byte_a || nibble_a)
    return byte_a == byte_b && nibble_a == nibble_b && d == T_S32 && c == T_S32;
  if (is_small(a) && is_small(b))
    return (contained || (a <= T_E5M2 && b <= T_E5M2)) && d == c && (d == T_F16 || d == T_F32);
  if (a != b || contained) return false;
  if (a == T_B1) return d == T_S32 && c == T_S32;
  if (a == T_F16) return (d == T_F16 || d == T_F32) && (c == T_F16 || c == T_F32);
  if (a == T_BF16 || a == T_TF32) return d == T_F32 && c == T_F32;
  return a == T_F64 && d == T_F64 && c == T_F64;
}

bool vm_pick_mma(struct vm_pick *p) {
  const struct ptx_insn *in = p->in;
  struct vm_mma *k = NEW(&p->m->arena, struct vm_mma);
  if (!ptx_has(in, MOD_SYNC) || !shape(in, &k->m, &k->n, &k->k))
    return vm_no(p, "this shape is not supported");
  k->contained = ptx_has(in, MOD_KIND_F8F6F4);
  if (in->type_count != 4 ||
      !types_fit((enum ptx_type)in->types[0], (enum ptx_type)in->types[1],
                 (enum ptx_type)in->types[2], (enum ptx_type)in->types[3], k->contained))
    return vm_no(p, "these types are not supported");
  if (!(bits_of_k((enum ptx_type)in->types[1], k->m) & k->k))
    return vm_no(p, "this shape does not exist for these types");
  if (in->types[1] == T_F16 && k->m == 8) return vm_pick_mma_quads(p);
  if (in->types[1] == T_B1) {
    k->bits = ptx_has(in, MOD_XOR) ? MOD_XOR : ptx_has(in, MOD_AND) ? MOD_AND : 0;
    if (!k->bits || !ptx_has(in, MOD_POPC)) return vm_no(p, ".and.popc or .xor.popc is needed");
  }
  k->satfinite = ptx_has(in, MOD_SATFINITE);
  k->d = (struct vm_frag){.name = 'c', .type = in->types[0], .rows = k->m, .cols = k->n};
  k->a = (struct vm_frag){.name = 'a', .type = in->types[1], .rows = k->m, .cols = k->k};
  k->b = (struct vm_frag){.name = 'b', .type = in->types[2], .rows = k->k, .cols = k->n};
  k->c = (struct vm_frag){.name = 'c', .type = in->types[3], .rows = k->m, .cols = k->n};
  return vm_frag_pick(p, &k->d, 0, true) && vm_frag_pick(p, &k->a, 1, false) &&
         vm_frag_pick(p, &k->b, 2, false) && vm_frag_pick(p, &k->c, 3, false) &&
         vm_pick_warp_wide(p, act_mma, k);
}

/* ---- movmatrix: transposes an 8 x 8 matrix held in one register a lane ---- */
static void act_movmatrix(struct vm_exec *x, const struct vm_insn *in) {
  if (!vm_warp_wide(x, in)) return;
  const u32 *a = vm_u32(x, in->src[0]);
  u32 out[VM_LANES], from = vm_valid(x, in->src[0]), valid = 0;
  for (u32 l = 0; l < VM_LANES; l++) {
    u32 row = l >> 2, col = (l & 3) * 2; /* of the result: elements (row, col) and (row, col + 1) */
    u32 l0 = col * 4 + row / 2, l1 = (col + 1) * 4 + row / 2, shift = (row & 1) * 16;
    out[l] = (a[l0] >> shift & 0xffff) | (a[l1] >> shift & 0xffff) << 16;
    valid |= (from >> l0 & from >> l1 & 1) << l;
  }
  u8 *d = vm_data(x, in->dst);
  vm_result(x, in, d, valid, 1);
  memcpy(d, out, sizeof out);
}
bool vm_pick_movmatrix(struct vm_pick *p) {
  if (!ptx_has(p->in, MOD_TRANS) || vm_type(p, 0) != T_B16)
    return vm_no(p, "only .trans with .b16 exists");
  return vm_dst(p, 0, T_B32) && vm_src(p, 0, 1, T_B32) &&
         vm_pick_warp_wide(p, act_movmatrix, p->out);
}
