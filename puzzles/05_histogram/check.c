/* check.c - 05 Histogram: byte values counted in shared memory first. The rule limits the atomics
 * on global memory; the larger shapes have more bytes than that, so that counting there breaks it.
 */
#include "puzzle/puzzle.h"

enum { BINS = 256 };
struct shape {
  int n, block, blocks;
};
static const struct shape shapes[] = {{1, 32, 1},    {31, 32, 1},   {32, 32, 2},   {33, 48, 1},
                                      {100, 64, 2},  {255, 100, 3}, {256, 256, 2}, {1000, 96, 2},
                                      {700, 288, 1}, {6000, 160, 5}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block, blocks = shapes[c].blocks;
  pz_shape(pz, "n=%d block=%d blocks=%d", n, block, blocks);

  /* Low values are frequent, so that threads do meet in a bin; every third case has all bins. */
  const uint32_t *u = pz_random_u32(pz, (size_t)n, 0, BINS - 1);
  uint8_t *data = pz_host(pz, (size_t)n);
  for (int i = 0; i < n; i++) data[i] = (uint8_t)(c % 3 == 1 ? u[i] : u[i] * u[i] / BINS);
  struct pz_buf *in = pz_in(pz, "data", PZ_U8, (size_t)n, data);
  struct pz_buf *hist = pz_zero(pz, "hist", PZ_I32, BINS);
  pz_launch(pz, "histogram", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_I(n), PZ_BUF(hist), PZ_END);

  int32_t want[BINS] = {0};
  for (int i = 0; i < n; i++) want[data[i]]++;
  pz_expect_i32(pz, hist, want);
  pz_rule_max(pz, PZ_GLOBAL_ATOMICS, (uint64_t)BINS * (uint64_t)blocks,
              "each block adds to each of the 256 bins in global memory once, at the end");
  /* One for 32 bytes, and less than full warps at the ends. */
  pz_rule_max(
      pz, PZ_GLOBAL_LOAD_REQUESTS, (uint64_t)n / 4 + 64,
      "all threads of the grid share the bytes out, so that the lanes of a warp read side by "
      "side");
}

PZ_PUZZLE(.title = "Histogram", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned =
              "Privatise: zero, count, merge, with a barrier between the phases. Counting near by "
              "is cheap, and few trips to global memory remain.")
