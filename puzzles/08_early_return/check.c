/* check.c - 08 Early return: each block sorts its stretch by counting. The grid may have blocks
 * without any number (`idle`). No rule on counters. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block, idle;
};
/* Counting takes n * block turns in all, so the many numbers go with the small blocks. */
static const struct shape shapes[] = {{1, 32, 0},    {31, 32, 0},   {32, 32, 1},
                                      {33, 64, 0},   {100, 48, 0},  {255, 100, 1},
                                      {256, 144, 0}, {1000, 33, 0}, {2000, 20, 2}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void sort(int32_t *a, int length) {
  for (int i = 1; i < length; i++) {
    int32_t x = a[i];
    int k = i;
    for (; k > 0 && a[k - 1] > x; k--) a[k] = a[k - 1];
    a[k] = x;
  }
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block;
  int blocks = (n + block - 1) / block + shapes[c].idle;
  pz_shape(pz, "n=%d block=%d blocks=%d", n, block, blocks);
  const int32_t *data = pz_random_i32(pz, (size_t)n, -n, n); /* equal ones are likely */
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "sort_stretches", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int i = 0; i < n; i++) want[i] = data[i];
  for (int first = 0; first < n; first += block)
    sort(want + first, n - first < block ? n - first : block);
  pz_expect_i32(pz, out, want);
  pz_rule_shared_out(pz, (uint64_t)n, "every thread finds the place of one number");
}

PZ_PUZZLE(.title = "Early return", .cases = CASES, .small_cases = CASES - 4, .run = run,
          .max_steps = 8000000,
          .learned =
              "In a kernel with barriers nobody goes home early: threads without an item skip the "
              "work and still come to every barrier.")
