/* 33_hybrid_reduce: two block sums in a row through the same helper; whole warps (34 has the
 * others). Most blocks have fewer than 32 warps, so that slots which no warp fills are there to be
 * read. */
#include "puzzle/puzzle.h"

static const struct {
  int n, threads;
} cases[] = {{1, 32},    {31, 32},  {32, 64},   {33, 96},    {100, 32},
             {255, 160}, {256, 96}, {1000, 96}, {1000, 256}, {5000, 1024}};

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, cases[c].n, 1, 700), threads = cases[c].threads;
  int blocks = (n + threads - 1) / threads;
  pz_shape(pz, "n=%d threads=%d blocks=%d", n, threads, blocks);

  const int32_t *in = pz_random_i32(pz, (size_t)n, -30000, 100000);
  struct pz_buf *from = pz_in(pz, "in", PZ_I32, (size_t)n, in);
  struct pz_buf *sum = pz_out(pz, "sum", PZ_I32, (size_t)blocks);
  struct pz_buf *below = pz_out(pz, "below", PZ_I32, (size_t)blocks);
  pz_launch(pz, "block_sums", pz_dim((unsigned)blocks), pz_dim((unsigned)threads), 0, PZ_BUF(from),
            PZ_BUF(sum), PZ_BUF(below), PZ_I(n), PZ_END);

  int32_t *want_sum = pz_host(pz, (size_t)blocks * sizeof *want_sum);
  int32_t *want_below = pz_host(pz, (size_t)blocks * sizeof *want_below);
  for (int i = 0; i < n; i++) {
    want_sum[i / threads] += in[i];
    want_below[i / threads] += in[i] < 0;
  }
  pz_expect_i32(pz, sum, want_sum);
  pz_expect_i32(pz, below, want_below);

  pz_rule_max(pz, PZ_BARRIERS, 4,
              "two sums, and for each one barrier before the slots are read and one after");
  pz_rule_shared_out(pz, (uint64_t)n, "the threads of the block add side by side");
}

PZ_PUZZLE(.title = "Hybrid reduce", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 8,
          .learned = "Shuffles inside the warps, one stage through shared memory between them: one "
                     "barrier instead of ten. A second one, if the slots are used again.")
