/* 09_uneven_trips: totals of the boxes of a carousel. Sizes leave the last round full, ragged
 * within a warp, and without items for whole warps. */
#include "puzzle/puzzle.h"

static const struct {
  int n, workers, rows;
} cases[] = {
    {1, 32, 1},   {31, 32, 1},  {32, 32, 2},   {33, 32, 1}, {100, 96, 2},
    {255, 50, 1}, {256, 64, 3}, {1000, 96, 1}, {1, 256, 1}, {5000, 224, 3},
};

static void reference(const int32_t *item, int32_t *total, int n, int workers) {
  for (int i = 0; i < n; i++) {
    int round = i / workers, worker = i % workers;
    total[(worker + round) % workers] += item[i];
  }
}

static void run(struct pz *pz, int c) {
  int n = cases[c].n, workers = cases[c].workers, rows = cases[c].rows;
  pz_shape(pz, "items=%d workers=%d blocks=%d", n, workers, rows);

  const int32_t *item = pz_random_i32(pz, (size_t)(rows * n), -1000, 1000);
  struct pz_buf *in = pz_in(pz, "item", PZ_I32, (size_t)(rows * n), item);
  struct pz_buf *out = pz_out(pz, "total", PZ_I32, (size_t)(rows * workers));
  pz_launch(pz, "carousel", pz_dim((unsigned)rows), pz_dim((unsigned)workers), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)(rows * workers) * sizeof *want);
  for (int r = 0; r < rows; r++) reference(item + r * n, want + r * workers, n, workers);
  pz_expect_i32(pz, out, want);
  int each = n < workers ? n : workers;
  pz_rule_shared_out(pz, (uint64_t)(rows * each), "every worker has a box of its own");
}

PZ_PUZZLE(.title = "Uneven trips", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 9,
          .learned = "A barrier may depend on what the whole block knows, never on what one thread "
                     "knows: loop to a common bound and guard the work.")
