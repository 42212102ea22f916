/* check.c - 23 Shuffle down: averages over a window that ends with the warp and with the data. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block, width;
};
static const struct shape shapes[] = {{1, 32, 4},    {31, 32, 3},   {32, 32, 8},   {33, 64, 2},
                                      {100, 96, 5},  {255, 160, 7}, {256, 256, 1}, {300, 96, 6},
                                      {1000, 96, 8}, {5000, 224, 3}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static int32_t average(const int32_t *data, int n, int i, int width) {
  int32_t sum = 0, count = 0;
  for (int k = 0; k < width && i % 32 + k < 32 && i + k < n; k++) {
    sum += data[i + k];
    count++;
  }
  return sum / count;
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  int width = shapes[c].width, limit = 550;
  pz_shape(pz, "n=%d block=%d width=%d", n, block, width);
  const int32_t *data = pz_random_i32(pz, (size_t)n, 100, 999);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  struct pz_buf *high = pz_out(pz, "high", PZ_I32, (size_t)blocks);
  pz_launch(pz, "smooth", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_BUF(high), PZ_I(n), PZ_I(width), PZ_I(limit), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  int32_t *want_high = pz_host(pz, (size_t)blocks * sizeof *want_high);
  for (int i = 0; i < n; i++) {
    want[i] = average(data, n, i, width);
    want_high[i / block] += want[i] > limit;
  }
  pz_expect_i32(pz, out, want);
  pz_expect_i32(pz, high, want_high);
  pz_rule_max(pz, PZ_SHARED_BYTES, 0, "a shuffle needs no memory between the lanes");
  pz_rule_max(pz, PZ_GLOBAL_LOADS, (uint64_t)n,
              "the other readings are in registers of the warp already: let shuffles fetch them");
  pz_rule_max(pz, PZ_MAX_WARP_SHUFFLES, (uint64_t)width,
              "one shuffle serves all 32 lanes: a window of `width` readings needs no more than "
              "`width` of them");
}

PZ_PUZZLE(.title = "Shuffle down", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned =
              "All lanes shuffle, and then each lane decides what it may use. At the edge of "
              "the warp a shuffle returns the own value, not nothing.")
