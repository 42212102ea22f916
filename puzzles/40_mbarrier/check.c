/* 40_mbarrier: a kitchen warp and any number of guest threads over a ring of three places. Up to 8
 * laps, so that parities come round; blocks of 33, 48 and 100 threads, since an mbarrier counts any
 * number of threads; one block without a serving. */
#include "puzzle/puzzle.h"

enum { SERVING = 64 };
static const struct {
  int n, threads, blocks;
} cases[] = {{1, 33, 1},   {31, 64, 2},  {100, 48, 1}, {200, 33, 1},  {255, 100, 1},
             {256, 64, 1}, {500, 40, 1}, {450, 64, 2}, {600, 160, 3}, {1500, 36, 1}};

static void run(struct pz *pz, int c) {
  int n = cases[c].n, blocks = cases[c].blocks, guests = cases[c].threads - 32;
  size_t all = (size_t)(blocks * guests);
  pz_shape(pz, "n=%d threads=%d blocks=%d", n, cases[c].threads, blocks);

  const int32_t *price = pz_random_i32(pz, (size_t)n, -500, 3000);
  const int32_t *limit = pz_random_i32(pz, all, -600, 3100);
  struct pz_buf *in = pz_in(pz, "price", PZ_I32, (size_t)n, price);
  struct pz_buf *by = pz_in(pz, "limit", PZ_I32, all, limit);
  struct pz_buf *count = pz_out(pz, "count", PZ_I32, all);
  pz_launch(pz, "count_below", pz_dim((unsigned)blocks), pz_dim((unsigned)cases[c].threads), 0,
            PZ_BUF(in), PZ_BUF(by), PZ_BUF(count), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, all * sizeof *want);
  for (size_t g = 0; g < all; g++)
    for (int i = 0; i < n; i++) {
      bool here = i / SERVING % blocks == (int)g / guests;
      want[g] += here && price[i] < limit[g];
    }
  pz_expect_i32(pz, count, want);

  pz_rule_max(pz, PZ_FULL_BARRIERS, 2,
              "once the mbarriers are initialised the block need not meet; kitchen and guests wait "
              "for a place of the belt, not for everybody");
  uint64_t looks = (uint64_t)guests * (uint64_t)n; /* four prices in one load at best */
  pz_rule_min(pz, PZ_SHARED_LOADS, looks / 4, "the guests look at the prices on the belt");
}

PZ_PUZZLE(.title = "mbarrier", .cases = sizeof cases / sizeof *cases, .run = run, .small_cases = 8,
          .learned = "An mbarrier counts arrivals in phases, for any number of threads, and who "
                     "waits names the phase by its parity: the same lap for the reader, the one "
                     "before for the writer.")
