/* check.c - 01 Lost update: one counter, many threads. Values only; no rule. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 32},   {31, 32},   {32, 32},   {33, 48},   {100, 64},
                                      {255, 96}, {256, 256}, {1000, 96}, {5000, 256}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d", n, block);
  const int32_t *reading = pz_random_i32(pz, (size_t)n, -100, 100);
  int limit = (int)pz_random(pz, 60) - 40; /* between three in ten and seven in ten lie above */
  struct pz_buf *in = pz_in(pz, "reading", PZ_I32, (size_t)n, reading);
  struct pz_buf *count = pz_zero(pz, "count", PZ_I32, 1);
  pz_launch(pz, "count_above", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_I(n), PZ_I(limit), PZ_BUF(count), PZ_END);

  int32_t want = 0;
  for (int i = 0; i < n; i++) want += reading[i] > limit;
  pz_expect_i32(pz, count, &want);
  pz_rule_shared_out(pz, (uint64_t)n, "every thread looks at one reading");
}

PZ_PUZZLE(.title = "Lost update", .cases = CASES, .small_cases = CASES - 1, .run = run,
          .learned =
              "x += 1 is a read, an addition and a write, and another thread fits in between. "
              "An atomic makes them one step.")
