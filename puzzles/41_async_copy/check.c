/* 41_async_copy: rows through two slots of shared memory. The rule counts loads from shared memory
 * while a copy is under way: in a block with k rows, the work on k - 1 of them can be overlapped.
 * Three quarters of that are demanded, so that it does not matter how a learner begins and ends. */
#include "puzzle/puzzle.h"

static const struct {
  int width, rows, blocks;
} cases[] = {{1, 1, 1},   {31, 2, 1}, {32, 3, 1},  {33, 5, 2},   {100, 7, 2},
             {255, 3, 1}, {96, 1, 2}, {256, 8, 2}, {160, 13, 3}, {100, 50, 4}};

static void run(struct pz *pz, int c) {
  int width = cases[c].width, rows = cases[c].rows, blocks = cases[c].blocks;
  size_t n = (size_t)(width * rows);
  pz_shape(pz, "width=%d rows=%d blocks=%d", width, rows, blocks);

  const int32_t *in = pz_random_i32(pz, n, -20000, 50000);
  struct pz_buf *from = pz_in(pz, "in", PZ_I32, n, in);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, n);
  pz_launch(pz, "sharpen_rows", pz_dim((unsigned)blocks), pz_dim((unsigned)width), 0, PZ_BUF(from),
            PZ_BUF(out), PZ_I(rows), PZ_END);

  int32_t *want = pz_host(pz, n * sizeof *want);
  for (int r = 0; r < rows; r++)
    for (int t = 0; t < width; t++) {
      const int32_t *row = in + r * width;
      want[r * width + t] = 3 * row[t] - row[(t + width - 1) % width] - row[(t + 1) % width];
    }
  pz_expect_i32(pz, out, want);

  pz_rule_min(pz, PZ_SHARED_LOADS, n, "each pixel is worked on in shared memory");
  uint64_t loads = pz_count(pz, PZ_SHARED_LOADS);
  int last = rows < blocks ? rows : blocks; /* rows that no other row of their block follows */
  pz_rule_min(pz, PZ_OVERLAPPED_SHARED_LOADS,
              loads * (uint64_t)(rows - last) * 3 / (4 * (uint64_t)rows),
              "while a block works on a row, the copy of its next one should be under way: "
              "ordered, and not yet waited for");
}

PZ_PUZZLE(.title = "Async copy", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 8,
          .learned = "Order, commit, work, wait: a copy runs while you compute, if you wait for "
                     "the group before the latest. The wait is for your own copies; a barrier "
                     "behind it makes it everybody's.")
