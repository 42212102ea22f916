/* arith.h - rows of the tables that test_arith.c runs: one instruction, its operands, what must
 * come out. */
#ifndef WL_TEST_ARITH_H
#define WL_TEST_ARITH_H
#include "base/base.h"

struct arith_row {
  const char *op;
  /* One letter an operand, destination first: p predicate, q the pair p|q (want: bit 0 p, bit 1 q),
   * h r d registers of 16, 32, 64 bits, i an immediate, N a negated predicate. */
  const char *regs;
  u64 want, in[5]; /* in[4]: condition code of every lane, before and after: CARRY */
};
#define CARRY(before, after) ((before) | (after) << 1)
#define ARITH_TABLES         A(int) A(bits) A(float) A(half) A(cmp) A(cvt)
#define A(name)                                                                                    \
  extern const struct arith_row arith_##name[];                                                    \
  extern const u32 arith_##name##_count;
ARITH_TABLES
#undef A
#define ARITH_COUNT(name) const u32 arith_##name##_count = COUNT_OF(arith_##name)

/* Bit patterns of f32 and f64. */
#define F_NAN   0x7fffffffu
#define F_INF   0x7f800000u
#define F_MINUS 0x80000000u /* -0, or a sign */
#define F_ONE   0x3f800000u
#define F_TWO   0x40000000u
#define F_MAX   0x7f7fffffu
#define F_SUB   0x00000001u /* the smallest subnormal */
#define F_MIN   0x00800000u /* the smallest normal */
#define D_NAN   0x7ff8000000000000ull
#define D_INF   0x7ff0000000000000ull
#define D_MINUS 0x8000000000000000ull
#define D_ONE   0x3ff0000000000000ull
#define D_TWO   0x4000000000000000ull
#endif
