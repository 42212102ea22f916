/* check.c - 13 Block argmax: largest and smallest item of each block with their indices, ties to
 * the lowest index. Narrow ranges of values make ties; one case has nothing but INT32_MIN and
 * one nothing but INT32_MAX: a filler for missing items must not win against them. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block;
  int32_t lo, hi;
};
static const struct shape shapes[] = {{1, 1, -9, 9},
                                      {31, 31, -1000, -1},
                                      {32, 32, 0, 1},
                                      {33, 64, 1, 1000},
                                      {100, 7, -2, 2},
                                      {255, 96, -3, 3},
                                      {256, 256, 5, 6},
                                      {100, 70, INT32_MIN, INT32_MIN},
                                      {90, 40, INT32_MAX, INT32_MAX},
                                      {1000, 250, -20, 20},
                                      {5000, 255, INT32_MIN, INT32_MAX}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  size_t count = (size_t)blocks;
  pz_shape(pz, "n=%d block=%d", n, block);
  const int32_t *data = pz_random_i32(pz, (size_t)n, shapes[c].lo, shapes[c].hi);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *max_value = pz_out(pz, "max_value", PZ_I32, count);
  struct pz_buf *max_index = pz_out(pz, "max_index", PZ_I32, count);
  struct pz_buf *min_value = pz_out(pz, "min_value", PZ_I32, count);
  struct pz_buf *min_index = pz_out(pz, "min_index", PZ_I32, count);
  pz_launch(pz, "block_extremes", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_I(n), PZ_BUF(max_value), PZ_BUF(max_index), PZ_BUF(min_value), PZ_BUF(min_index),
            PZ_END);

  int32_t *high = pz_host(pz, count * sizeof *high), *high_at = pz_host(pz, count * sizeof *high);
  int32_t *low = pz_host(pz, count * sizeof *low), *low_at = pz_host(pz, count * sizeof *low);
  for (int i = 0; i < n; i++) {
    int b = i / block;
    if (i % block == 0 || data[i] > high[b]) high[b] = data[i], high_at[b] = i;
    if (i % block == 0 || data[i] < low[b]) low[b] = data[i], low_at[b] = i;
  }
  pz_expect_i32(pz, max_value, high);
  pz_expect_i32(pz, max_index, high_at);
  pz_expect_i32(pz, min_value, low);
  pz_expect_i32(pz, min_index, low_at);
  pz_rule_shared_out(pz, (uint64_t)n, "the threads of the block compare side by side");
}

PZ_PUZZLE(.title = "Block argmax", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned =
              "What belongs together moves together: compare and move value and index as one item. "
              "A tree mixes the order, so ties need a rule of their own.")
