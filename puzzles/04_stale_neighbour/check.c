/* check.c - 04 Stale neighbour: a three-point stencil, several steps, each block for itself. Values
 * only; no rule, since one and two barriers a step are both good answers. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block, steps;
};
static const struct shape shapes[] = {{1, 32, 2},    {31, 32, 1},     {32, 32, 3},   {33, 64, 4},
                                      {100, 96, 2},  {255, 100, 5},   {256, 256, 3}, {40, 50, 0},
                                      {1000, 90, 4}, {1000, 1000, 2}, {5000, 250, 6}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

/* One step over a stretch of `length` cells, old to new. */
static void step(const int32_t *old, int32_t *new, int length) {
  for (int t = 0; t < length; t++) {
    int32_t left = old[t > 0 ? t - 1 : 0], right = old[t + 1 < length ? t + 1 : t];
    new[t] = (left + 2 * old[t] + right) / 4;
  }
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  int steps = shapes[c].steps;
  pz_shape(pz, "n=%d block=%d steps=%d", n, block, steps);
  const int32_t *data = pz_random_i32(pz, (size_t)n, -100000000, 100000000);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "smooth", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_I(steps), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  int32_t *other = pz_host(pz, (size_t)n * sizeof *other);
  for (int i = 0; i < n; i++) want[i] = data[i];
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++) other[i] = want[i];
    for (int first = 0; first < n; first += block)
      step(other + first, want + first, n - first < block ? n - first : block);
  }
  pz_expect_i32(pz, out, want);
  pz_rule_shared_out(pz, (uint64_t)n, "every thread has one cell of the stretch");
}

PZ_PUZZLE(.title = "Stale neighbour", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned =
              "Whoever changes an array in place must part reading from writing: everybody reads, "
              "barrier, everybody writes, barrier. Two arrays in turn save one of the two.")
