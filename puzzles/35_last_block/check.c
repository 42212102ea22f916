/* 35_last_block: one sum over all blocks in one launch. The same counter serves several launches,
 * with grids that shrink and grow, so that it has to be back at 0 each time; partial keeps what the
 * launch before has left there. */
#include "puzzle/puzzle.h"

#define ROUNDS     3
#define MAX_BLOCKS 64
#define ONE_BY_ONE                                                                                 \
  1 /* in this case the GPU holds one block at a time: nobody may wait for others */

static const struct {
  int n[ROUNDS], threads;
} cases[] = {
    {{1, 1, 1}, 32},        {{31, 5, 33}, 7},          {{32, 64, 100}, 32}, {{33, 100, 1}, 32},
    {{100, 31, 255}, 24},   {{255, 256, 100}, 100},    {{256, 1, 256}, 64}, {{40, 12, 7}, 1},
    {{1000, 500, 999}, 96}, {{5000, 3333, 5000}, 160},
};

static void run(struct pz *pz, int c) {
  int threads = cases[c].threads;
  const int *n = cases[c].n;
  pz_shape(pz, "n=%d,%d,%d threads=%d", n[0], n[1], n[2], threads);
  if (c == ONE_BY_ONE) pz_gpu(pz, 1, 1);
  struct pz_buf *partial = pz_out(pz, "partial", PZ_I32, MAX_BLOCKS);
  struct pz_buf *done = pz_zero(pz, "done", PZ_I32, 1);

  for (int round = 0; round < ROUNDS; round++) {
    size_t count = (size_t)n[round];
    int blocks = (n[round] + threads - 1) / threads;
    const int32_t *in = pz_random_i32(pz, count, -30000, 100000);
    struct pz_buf *from = pz_in(pz, "in", PZ_I32, count, in);
    struct pz_buf *sum = pz_out(pz, "sum", PZ_I32, 1);
    pz_launch(pz, "total", pz_dim((unsigned)blocks), pz_dim((unsigned)threads), 0, PZ_BUF(from),
              PZ_BUF(partial), PZ_BUF(done), PZ_BUF(sum), PZ_I(n[round]), PZ_END);

    int32_t want = 0, zero = 0;
    for (size_t i = 0; i < count; i++) want += in[i];
    pz_expect_i32(pz, sum, &want);
    pz_expect_i32(pz, done, &zero);
    pz_rule_shared_out(
        pz, count, "each block adds up its own items, and the last one only what all have found");
  }
}

PZ_PUZZLE(.title = "Last block", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 8,
          .learned =
              "Write, fence, count: whoever counts after you may know what you wrote. Count, "
              "fence, read: and now it does. Both fences, and both as wide as the grid.")
