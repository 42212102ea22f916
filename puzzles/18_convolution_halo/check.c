/* check.c - 18 Convolution with a halo: a tent-shaped filter of radius 0 to 8; each block reads
 * each number that it needs at most twice from global memory. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block, radius;
};
static const struct shape shapes[] = {{1, 32, 2},    {31, 32, 1},  {32, 32, 8},    {33, 32, 8},
                                      {100, 40, 3},  {100, 3, 8},  {255, 96, 5},   {256, 256, 8},
                                      {100, 100, 0}, {40, 250, 7}, {1000, 250, 8}, {6000, 200, 6}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block, radius = shapes[c].radius;
  int blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d radius=%d", n, block, radius);
  const int32_t *data = pz_random_i32(pz, (size_t)n, -1000, 10000);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "smooth", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_I(radius), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int i = 0; i < n; i++)
    for (int d = -radius; d <= radius; d++)
      if (i + d >= 0 && i + d < n) want[i] += (radius + 1 - (d < 0 ? -d : d)) * data[i + d];
  pz_expect_i32(pz, out, want);

  uint64_t needed = 0; /* numbers that exist, over the tiles of all blocks */
  for (int first = 0; first < n; first += block) {
    int from = first - radius, to = first + block + radius;
    needed += (uint64_t)((to < n ? to : n) - (from > 0 ? from : 0));
  }
  pz_rule_max(pz, PZ_GLOBAL_LOADS, 2 * needed,
              "each block reads each number that it needs at most twice from global memory");
}

PZ_PUZZLE(.title = "Convolution with a halo", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned =
              "A tile may be larger than the block: share the cells out in a loop over cells, and "
              "decide at the edge of the data what a cell holds there.")
