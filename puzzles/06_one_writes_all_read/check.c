/* check.c - 06 One writes, all read: rows moved to the left by an offset that one thread finds.
 * Values only; no rule, since two offsets in turn save a barrier and are as good. */
#include "puzzle/puzzle.h"

struct shape {
  int rows, width, block, blocks;
};
static const struct shape shapes[] = {
    {1, 1, 32, 1},   {3, 31, 32, 1},   {4, 32, 32, 2},  {5, 33, 48, 1},    {7, 100, 64, 3},
    {3, 255, 96, 1}, {4, 256, 128, 4}, {6, 20, 100, 2}, {3, 1000, 256, 2}, {40, 300, 160, 3}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int rows = shapes[c].rows, width = shapes[c].width;
  pz_shape(pz, "rows=%d width=%d block=%d blocks=%d", rows, width, shapes[c].block,
           shapes[c].blocks);

  size_t count = (size_t)(rows * width);
  int32_t *data = pz_random_i32(pz, count, -9, 9); /* zeros further on, too: they stay */
  int32_t *want = pz_host(pz, count * sizeof *want);
  for (int r = 0; r < rows; r++) {
    /* Every fourth row is all zeros; the others have at most 60, which thread 0 skips one by one.
     */
    int most = width < 60 ? width : 60;
    int zeros = r % 4 == 3 && width < 300 ? width : (int)pz_random(pz, (uint32_t)most);
    int32_t *row = data + r * width;
    for (int k = 0; k < zeros; k++) row[k] = 0;
    int start = 0;
    while (start < width && row[start] == 0) start++;
    for (int k = start; k < width; k++) want[r * width + k - start] = row[k];
  }

  struct pz_buf *in = pz_in(pz, "in", PZ_I32, count, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, count);
  pz_launch(pz, "align_left", pz_dim((unsigned)shapes[c].blocks), pz_dim((unsigned)shapes[c].block),
            0, PZ_BUF(in), PZ_BUF(out), PZ_I(rows), PZ_I(width), PZ_END);
  pz_expect_i32(pz, out, want);
  /* Blocks of 50 threads need one for 25 numbers. */
  pz_rule_max(pz, PZ_GLOBAL_STORE_REQUESTS, (uint64_t)(rows * (width / 8 + 4)),
              "the whole block moves a row, so that the lanes of a warp write side by side");
}

PZ_PUZZLE(.title = "One writes, all read", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned =
              "A shared variable with one writer needs a barrier before the others read it, and "
              "one more before it is written again.")
