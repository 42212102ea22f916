/* check.c - 02 Read before write: tiles reversed through shared memory, with one barrier. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 32},    {31, 32},   {32, 32},    {33, 64},   {100, 96},
                                      {255, 100}, {256, 256}, {1000, 192}, {6000, 250}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d", n, block);
  const int32_t *data = pz_random_i32(pz, (size_t)n, -1000000, 1000000);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "reverse_tiles", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int first = 0; first < n; first += block) {
    int length = n - first < block ? n - first : block;
    for (int t = 0; t < length; t++) want[first + t] = data[first + length - 1 - t];
  }
  pz_expect_i32(pz, out, want);
  pz_rule_max(pz, PZ_BARRIERS, 1,
              "filling and reading the tile are two steps, and one barrier parts them");
  pz_rule_shared_out(pz, (uint64_t)n, "every thread moves one number of its block");
}

PZ_PUZZLE(.title = "Read before write", .cases = CASES, .small_cases = CASES - 1, .run = run,
          .learned =
              "Who reads what another thread wrote needs a barrier in between. The order of the "
              "lines in the file orders nothing between threads.")
