/* check.c - 07 Barrier in a branch: fold each block's stretch and add the pairs. No rule on
 * counters. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 32},   {31, 32},   {32, 64},    {33, 48},   {100, 96},
                                      {255, 96}, {256, 256}, {1000, 200}, {5000, 250}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d", n, block);
  const int32_t *data = pz_random_i32(pz, (size_t)n, -100000, 100000);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "fold", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int first = 0; first < n; first += block) {
    int length = n - first < block ? n - first : block;
    for (int t = 0; t < length; t++) {
      int other = length - 1 - t;
      want[first + t] = data[first + t] + (other != t ? data[first + other] : 0);
    }
  }
  pz_expect_i32(pz, out, want);
  pz_rule_shared_out(pz, (uint64_t)n, "the threads of the block fold and write side by side");
}

PZ_PUZZLE(.title = "Barrier in a branch", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned =
              "A barrier is for all threads of the block or for none. Put the work into the branch "
              "and the waiting outside.")
