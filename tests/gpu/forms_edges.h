/* forms_edges.h - operands that single forms must be tried on, whatever the random ones are:
 * results just below the smallest normal number, NaNs with little payload, positions and lengths
 * out of range. Row k is what operands 0, 1, 2 of thread k get; both halves of a pair get the same.
 */
enum { EDGE_ROWS = 16, EDGE_OPERANDS = 3 };
static const u32 f32_edges[EDGE_ROWS][EDGE_OPERANDS] = {
    {0x3f7ffff0, 0x00800008, 0}, /* (1 - 2^-20)(1 + 2^-20) 2^-126: 24 bits would round up */
    {0xbf7ffff0, 0x00800008, 0x80000000}, /* the same below zero */
    {0x3f7fffff, 0x00800000, 0},          /* (1 - 2^-24) 2^-126: a tie */
    {0x3f000000, 0x00ffffff, 0},          /* the same product */
    {0x00ffffff, 0x40000000, 0},          /* ... as a quotient */
    {0x80ffffff, 0x40000000, 0},
    {0x80800000, 0x0d800000, 0x00800000}, /* 2^-126 less a trifle; fma only */
    {0x00800000, 0x0d800000, 0x80800000},
    {0x00800000, 0x0d800000, 0x00800000}, /* and a trifle: not below */
    {0x7e800001, 0x7e800001, 0x7f801000}, /* its reciprocal lies just below 2^-126 */
    {0xfe800001, 0x3f800000, 0x7f800fff},
    {0x7e800000, 0x3f800000, 0x7f802000},
    {0x7f801000, 0x3f800000, 0},
    {0xff801fff, 0x3f800000, 0},
    {0x7f803000, 0x00800000, 0x007fffff},
    {0x7ffff000, 0x7f800001, 0x7f800001}};
static const u16 f16_edges[EDGE_ROWS][EDGE_OPERANDS] = {
    {0x3bf8, 0x0404, 0},      {0xbbf8, 0x0404, 0x8000}, {0x3bff, 0x0400, 0},
    {0x3800, 0x07ff, 0},      {0x3bff, 0x8400, 0x8000}, {0x8400, 0x1400, 0x0400},
    {0x0400, 0x1400, 0x8400}, {0x0400, 0x1400, 0x0400}, {0x7c01, 0x3c00, 0},
    {0xfc01, 0x3c00, 0},      {0x7e00, 0xfe00, 0x7c01}, {0x7c01, 0x7c01, 0x7c01},
    {0x0001, 0x3c00, 0},      {0x03ff, 0x0001, 0},      {0x8001, 0x0001, 0},
    {0xfc00, 0x7c00, 0x7c00}};
static const u16 bf16_edges[EDGE_ROWS][EDGE_OPERANDS] = {
    {0xc2fc, 0x0080, 0}, {0xc2fd, 0x0080, 0}, {0xc2fe, 0x3f7f, 0},      {0xc2fb, 0x3f80, 0},
    {0xc300, 0x3f80, 0}, {0x3f7f, 0x0080, 0}, {0x8080, 0x0d80, 0x0080}, {0x0080, 0x0d80, 0x8080},
    {0x7f81, 0x3f80, 0}, {0xff81, 0x3f80, 0}, {0x7fc0, 0xffc0, 0x7f81}, {0x7f81, 0x7f81, 0x7f81},
    {0x0001, 0x3f80, 0}, {0x007f, 0x0001, 0}, {0x8001, 0x0001, 0},      {0xff80, 0x7f80, 0x7f80}};
static const u64 f64_edges[EDGE_ROWS][EDGE_OPERANDS] = {
    {0x380fffffffffffff, 1, 0},                  /* just below 2^-126 */
    {0xb80fffffffffffff, 1ull << 63, 0},         /* ... below zero */
    {0x380ffffff0000000, 0x3ff0000000000000, 0}, /* 25 bits: a tie */
    {0x380fffffefffffff, 0x3ff0000000000000, 0},
    {0x3f0fffffffffffff, 0x3ff0000000000000, 0}, /* 2^-14, for f16 */
    {0x3f0ffc0000000000, 0x3ff0000000000000, 0},
    {0x7ff0000000000001, 0x3ff0000000000000, 0}, /* NaNs */
    {0xfff0000000000001, 0x7ff0000000000001, 0},
    {0x7ff0040000000000, 0x3ff0000000000000, 0},
    {0x7ff3ffffffffffff, 0x3ff0000000000000, 0},
    {0xfffc000000000000, 0x3ff0000000000000, 0},
    {0x7ff0000100000000, 0x3ff0000000000000, 0},
    {0x0008000000000000, 0x3ff0000000000000, 0},
    {0x8008000000000000, 0x3ff0000000000000, 0},
    {0x0000000100000000, 0x3ff0000000000000, 0},
    {0x7fe0000000000000, 0x3ff0000000000000, 0}};
/* Operand 0 is a value, the others positions, lengths, counts. */
static const u64 int_edges[EDGE_ROWS][EDGE_OPERANDS] = {
    {0x123456789abcdef0, 0xffffffff, 2},    {0xfedcba9876543210, 0xffffffff, 2},
    {0xfedcba9876543210, 0xfffffff0, 0x20}, {0xfedcba9876543210, 0xffffffff, 0xffffffff},
    {0xfedcba9876543210, 63, 0xffffffff},   {0xfedcba9876543210, 4, 0xffffffff},
    {0xfedcba9876543210, 0x100, 1},         {0xfedcba9876543210, 8, 0x100},
    {0xfedcba9876543210, 8, 0x108},         {0xfedcba9876543210, 0x40, 0},
    {0xfedcba9876543210, 0x20, 0x80000000}, {0x00000000ffff0001, 0, 0x80000000},
    {0x00000000ffff0001, 0x20, 1},          {0x00000000ffff0001, 5, 0},
    {0x00000000ffff0001, 0x1f, 0xffffffff}, {0, 0, 0x80000000}};
