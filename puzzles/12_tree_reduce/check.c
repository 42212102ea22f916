/* check.c - 12 Tree reduce: block sums for any block size, barriers at most ceil(log2 B) + 1. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 1},      {31, 31},     {32, 32},   {33, 33},
                                      {100, 7},    {255, 96},    {256, 256}, {300, 100},
                                      {1000, 255}, {1000, 1000}, {9000, 768}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static unsigned ceil_log2(int n) {
  unsigned steps = 0;
  while ((1 << steps) < n) steps++;
  return steps;
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d", n, block);
  const int32_t *data = pz_random_i32(pz, (size_t)n, -1000, 100000);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)blocks);
  pz_launch(pz, "block_sums", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)blocks * sizeof *want);
  for (int i = 0; i < n; i++) want[i / block] += data[i];
  pz_expect_i32(pz, out, want);
  uint64_t steps = block > 1 ? ceil_log2(block) : 1; /* two barriers are always allowed */
  pz_rule_max(pz, PZ_BARRIERS, steps + 1, "one after the fill and one for each step of the tree");
  pz_rule_shared_out(pz, (uint64_t)n, "the threads of the block add side by side");
}

PZ_PUZZLE(
        .title = "Tree reduce", .cases = CASES, .small_cases = CASES - 2, .run = run,
        .learned =
            "A tree adds n numbers in log n steps. Each step reads what other threads wrote in the "
            "one before, so each step ends with a barrier that all threads reach.")
