/* check.c - 19 Transpose: through shared memory, whole rows in and out, no bank conflicts. */
#include "puzzle/puzzle.h"

#define TILE 32

struct shape {
  int rows, cols;
};
/* A block of 1024 threads is a lot to run under every schedule: few tiles in the small cases. */
static const struct shape shapes[] = {{1, 1},   {32, 32}, {31, 33}, {33, 1},
                                      {1, 100}, {64, 24}, {33, 40}, {130, 100}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static int tiles(int size) { return (size + TILE - 1) / TILE; }
static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* A row of a tile is 128 bytes: 4 sectors, or 5 if it does not begin at one. A pass through the
 * banks moves 128 bytes: one for each row of each tile; whoever needs more requests (narrower
 * accesses) may have as many passes as requests. */
static void rules(struct pz *pz, int rows, int cols) {
  uint64_t rows_in = (uint64_t)rows * (uint64_t)tiles(cols);
  uint64_t rows_out = (uint64_t)cols * (uint64_t)tiles(rows);
  uint64_t passes = (uint64_t)TILE * (uint64_t)tiles(rows) * (uint64_t)tiles(cols);
  pz_rule_max(pz, PZ_GLOBAL_LOAD_SECTORS, 5 * rows_in,
              "a warp that reads part of a row of in needs 4 or 5 sectors; one that reads down a "
              "column needs up to 32");
  pz_rule_max(pz, PZ_GLOBAL_STORE_SECTORS, 5 * rows_out,
              "a warp that writes part of a row of out needs 4 or 5 sectors; one that writes down "
              "a column needs up to 32");
  pz_rule_max(pz, PZ_SHARED_LOAD_WAVEFRONTS, larger(passes, pz_count(pz, PZ_SHARED_LOAD_REQUESTS)),
              "one pass a request: the 32 words that a warp reads should lie in 32 banks");
  pz_rule_max(pz, PZ_SHARED_STORE_WAVEFRONTS,
              larger(passes, pz_count(pz, PZ_SHARED_STORE_REQUESTS)),
              "one pass a request: the 32 words that a warp writes should lie in 32 banks");
}

static void run(struct pz *pz, int c) {
  int rows = pz_vary(pz, shapes[c].rows, 1, 90), cols = pz_vary(pz, shapes[c].cols, 1, 90);
  size_t count = (size_t)rows * (size_t)cols;
  pz_shape(pz, "rows=%d cols=%d", rows, cols);
  const float *data = pz_random_f32(pz, count, -1000.0f, 1000.0f);
  struct pz_buf *in = pz_in(pz, "in", PZ_F32, count, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_F32, count);
  pz_launch(pz, "transpose", pz_dim2((unsigned)tiles(cols), (unsigned)tiles(rows)),
            pz_dim2(TILE, TILE), 0, PZ_BUF(in), PZ_BUF(out), PZ_I(rows), PZ_I(cols), PZ_END);

  float *want = pz_host(pz, count * sizeof *want);
  for (int r = 0; r < rows; r++)
    for (int q = 0; q < cols; q++) want[q * rows + r] = data[r * cols + q];
  pz_expect_f32(pz, out, want, 0, 0); /* moved, not computed */
  rules(pz, rows, cols);
}

PZ_PUZZLE(.title = "Transpose", .cases = CASES, .small_cases = 4, .run = run,
          .learned =
              "Warps should meet global memory in rows. Turn the data in shared memory, and pad "
              "its rows by one word so that a column lies in 32 different banks.")
