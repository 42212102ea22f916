/* 34_hybrid_scan: inclusive and exclusive scan and the total of each block, for any block size. */
#include "puzzle/puzzle.h"

static const struct {
  int n, threads;
} cases[] = {{1, 1},     {31, 31},   {32, 32},  {33, 33},    {100, 7},     {100, 64},
             {255, 100}, {256, 256}, {300, 97}, {1000, 255}, {1000, 1000}, {5000, 1024}};

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, cases[c].n, 1, 700), threads = cases[c].threads;
  int blocks = (n + threads - 1) / threads;
  size_t count = (size_t)n;
  pz_shape(pz, "n=%d threads=%d blocks=%d", n, threads, blocks);

  const int32_t *in = pz_random_i32(pz, count, -1000, 100000);
  struct pz_buf *from = pz_in(pz, "in", PZ_I32, count, in);
  struct pz_buf *inclusive = pz_out(pz, "inclusive", PZ_I32, count);
  struct pz_buf *exclusive = pz_out(pz, "exclusive", PZ_I32, count);
  struct pz_buf *totals = pz_out(pz, "totals", PZ_I32, (size_t)blocks);
  pz_launch(pz, "block_scan", pz_dim((unsigned)blocks), pz_dim((unsigned)threads), 0, PZ_BUF(from),
            PZ_BUF(inclusive), PZ_BUF(exclusive), PZ_BUF(totals), PZ_I(n), PZ_END);

  int32_t *want_inclusive = pz_host(pz, count * sizeof *want_inclusive);
  int32_t *want_exclusive = pz_host(pz, count * sizeof *want_exclusive);
  int32_t *want_totals = pz_host(pz, (size_t)blocks * sizeof *want_totals);
  for (int i = 0; i < n; i++) {
    int32_t *sum = &want_totals[i / threads];
    want_exclusive[i] = *sum;
    *sum += in[i];
    want_inclusive[i] = *sum;
  }
  pz_expect_i32(pz, inclusive, want_inclusive);
  pz_expect_i32(pz, exclusive, want_exclusive);
  pz_expect_i32(pz, totals, want_totals);

  pz_rule_max(pz, PZ_BARRIERS, 3,
              "the warps scan without barriers; only their totals pass through shared memory");
  pz_rule_shared_out(pz, (uint64_t)n, "every thread finds the totals of one item");
}

PZ_PUZZLE(.title = "Hybrid scan", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 9,
          .learned =
              "Scan the warps, scan their totals, add what comes before. Whoever speaks for a "
              "warp must exist: the last warp of a block may be short.")
