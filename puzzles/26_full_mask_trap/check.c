/* 26_full_mask_trap: readings with gaps, filled from the partner lane. Odd sizes end with a gap
 * whose partner lies past the data, so that a mask which lacks that lane shows. */
#include "puzzle/puzzle.h"

#define GAP (-1)

static const struct {
  int n, threads;
} cases[] = {{1, 32},   {31, 32},  {32, 32},  {33, 64},   {100, 32},
             {255, 96}, {256, 64}, {257, 96}, {1000, 96}, {3001, 160}};

static void reference(const int32_t *in, int32_t *out, int32_t *gaps, int n, int threads) {
  for (int i = 0; i < n; i++) {
    int partner = i ^ 1;
    out[i] = in[i];
    if (in[i] == GAP && partner < n) out[i] = in[partner];
    if (out[i] == GAP) gaps[i / threads]++;
  }
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, cases[c].n, 1, 700), threads = cases[c].threads;
  int blocks = (n + threads - 1) / threads;
  pz_shape(pz, "n=%d threads=%d blocks=%d", n, threads, blocks);

  int32_t *in = pz_random_i32(pz, (size_t)n, 0, 999);
  for (int i = 0; i < n; i++)
    if (pz_random(pz, 5) < 2) in[i] = GAP;
  if (n % 2 == 1) in[n - 1] = GAP;
  if (n > 7) { /* in every case: a pair of each kind */
    in[0] = 17, in[1] = GAP;
    in[2] = GAP, in[3] = 23;
    in[4] = GAP, in[5] = GAP;
    in[6] = 31, in[7] = 37;
  }

  struct pz_buf *from = pz_in(pz, "in", PZ_I32, (size_t)n, in);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  struct pz_buf *gaps = pz_out(pz, "gaps", PZ_I32, (size_t)blocks);
  pz_launch(pz, "fill_gaps", pz_dim((unsigned)blocks), pz_dim((unsigned)threads), 0, PZ_BUF(from),
            PZ_BUF(out), PZ_BUF(gaps), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  int32_t *want_gaps = pz_host(pz, (size_t)blocks * sizeof *want_gaps);
  reference(in, want, want_gaps, n, threads);
  pz_expect_i32(pz, out, want);
  pz_expect_i32(pz, gaps, want_gaps);
  pz_rule_max(pz, PZ_GLOBAL_LOADS, (uint64_t)n,
              "the partner's reading is in a register of the warp already: let a shuffle fetch it");
}

PZ_PUZZLE(.title = "The full mask trap", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 8,
          .learned =
              "The mask of a warp collective is a promise that all these lanes run it. Exchange "
              "where everyone passes by, then decide who uses the result.")
