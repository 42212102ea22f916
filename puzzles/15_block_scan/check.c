/* check.c - 15 Block scan: inclusive running totals within each block, any block size. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 1},     {31, 31},    {32, 32},     {33, 33},
                                      {100, 7},   {100, 65},   {255, 96},    {256, 256},
                                      {300, 100}, {1000, 255}, {1000, 1000}, {6000, 768}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d", n, block);
  const int32_t *data = pz_random_i32(pz, (size_t)n, -1000, 100000);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "block_scan", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int i = 0; i < n; i++) want[i] = data[i] + (i % block ? want[i - 1] : 0);
  pz_expect_i32(pz, out, want);
  pz_rule_shared_out(pz, (uint64_t)n, "every thread finds one of the running totals");
}

PZ_PUZZLE(.title = "Block scan", .cases = CASES, .small_cases = CASES - 3, .run = run,
          .learned =
              "Where a step reads cells that the same step writes, the old values must be kept "
              "apart from the new ones: a second buffer, or a barrier between reading and writing.")
