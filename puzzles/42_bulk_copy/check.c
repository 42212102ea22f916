/* 42_bulk_copy: tiles of two arrays, a product across the tile. The last tile is ragged in most
 * cases, and not a multiple of what a bulk copy moves; blocks have one tile, several, or none. */
#include "puzzle/puzzle.h"

#define TILE 128 /* the skeleton's */

static const struct {
  int n, threads, blocks;
} cases[] = {
    {1, 32, 1},   {31, 32, 1},  {32, 64, 2},   {33, 50, 1},  {100, 96, 1},   {255, 32, 1},
    {256, 64, 1}, {390, 96, 2}, {1000, 33, 3}, {640, 96, 2}, {5003, 128, 7},
};

static void run(struct pz *pz, int c) {
  int n = cases[c].n;
  size_t count = (size_t)n, room = (count + 3) / 4 * 4; /* whole pieces of 16 bytes */
  pz_shape(pz, "n=%d threads=%d blocks=%d", n, cases[c].threads, cases[c].blocks);

  const int32_t *a = pz_random_i32(pz, room, -30000, 30000);
  const int32_t *b = pz_random_i32(pz, room, -30000, 30000);
  struct pz_buf *in_a = pz_in(pz, "a", PZ_I32, room, a);
  struct pz_buf *in_b = pz_in(pz, "b", PZ_I32, room, b);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, count);
  pz_launch(pz, "fold", pz_dim((unsigned)cases[c].blocks), pz_dim((unsigned)cases[c].threads), 0,
            PZ_BUF(in_a), PZ_BUF(in_b), PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, count * sizeof *want);
  for (int first = 0; first < n; first += TILE) {
    int items = n - first < TILE ? n - first : TILE;
    for (int k = 0; k < items; k++) want[first + k] = a[first + k] * b[first + items - 1 - k];
  }
  pz_expect_i32(pz, out, want);
  pz_rule_max(pz, PZ_GLOBAL_LOADS, 0,
              "both arrays come by bulk copies; no thread reads them from global memory");
}

PZ_PUZZLE(.title = "Bulk copy", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 10,
          .learned =
              "One thread starts a copy of any size and goes on. Who announces the bytes tells the "
              "mbarrier what to wait for, to the byte; who wants the data waits there.")
