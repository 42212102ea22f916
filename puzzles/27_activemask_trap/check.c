/* check.c - 27 The activemask trap: hits of each warp, and all of them in one counter, with one
 * atomic operation a warp. */
#include "puzzle/puzzle.h"

#define WARP 32

struct shape {
  int n, block, percent; /* how many of a hundred numbers are hits, about */
};
static const struct shape shapes[] = {{1, 32, 100},   {31, 32, 50},   {32, 32, 100}, {33, 64, 30},
                                      {100, 96, 10},  {255, 96, 70},  {256, 256, 0}, {300, 160, 3},
                                      {1000, 96, 40}, {6000, 224, 60}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  int limit = 99 - shapes[c].percent;
  pz_shape(pz, "n=%d block=%d hits=%d%%", n, block, shapes[c].percent);
  int32_t *data = pz_random_i32(pz, (size_t)n, 0, 99);
  if (shapes[c].percent < 100 && n > WARP) /* lane 0 of a warp with hits has none itself */
    data[0] = 0, data[1] = data[7] = shapes[c].percent > 0 ? 99 : 0;

  int32_t total = 0;
  int32_t *hits = pz_host(pz, (size_t)(n / WARP + 1) * sizeof *hits);
  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int i = 0; i < n; i++)
    if (data[i] > limit) hits[i / WARP]++, total++;
  for (int i = 0; i < n; i++) want[i] = data[i] > limit ? hits[i / WARP] : 0;

  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *crowd = pz_out(pz, "crowd", PZ_I32, (size_t)n);
  struct pz_buf *sum = pz_zero(pz, "total", PZ_I32, 1);
  pz_launch(pz, "count_hits", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(crowd), PZ_BUF(sum), PZ_I(n), PZ_I(limit), PZ_END);
  pz_expect_i32(pz, crowd, want);
  pz_expect_i32(pz, sum, &total);
  pz_rule_max(pz, PZ_GLOBAL_ATOMICS, (uint64_t)(blocks * block / WARP),
              "one lane adds for all hits of its warp: at most one atomic operation for each warp");
}

PZ_PUZZLE(.title = "The activemask trap", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned = "__activemask() reports who happens to be here. Who ought to be here is found "
                     "out by a vote, __ballot_sync(), in front of the branch.")
