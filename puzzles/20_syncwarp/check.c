/* check.c - 20 Syncwarp: each warp exchanges values crosswise, without a block barrier. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 32},   {31, 32},   {32, 32},    {33, 64},   {100, 96},
                                      {255, 96}, {256, 256}, {1000, 160}, {6000, 224}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

/* What the lane of item i prepares. Warps start at multiples of 32, also across blocks. */
static int32_t prepared(const int32_t *data, int n, int i) {
  if (i >= n) return 0;
  return i % 32 < 16 ? 2 * data[i] : -data[i];
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d", n, block);
  const int32_t *data = pz_random_i32(pz, (size_t)n, -1000000, 1000000);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "cross", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int i = 0; i < n; i++) want[i] = prepared(data, n, i - i % 32 + 31 - i % 32);
  pz_expect_i32(pz, out, want);
  pz_rule_max(pz, PZ_BARRIERS, 0, "the lanes of one warp need not wait for the other warps");
}

PZ_PUZZLE(.title = "Syncwarp", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned =
              "Lanes that parted need __syncwarp() before they read each other's memory. It is a "
              "barrier with memory order for the lanes in its mask; a vote or a look at who is "
              "active is not.")
