/* check.c - 22 Shuffle up: differences at a distance within each warp, without memory. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block, offset;
};
static const struct shape shapes[] = {{1, 32, 1},    {31, 32, 3},    {32, 32, 31},
                                      {33, 64, 2},   {100, 96, 30},  {255, 160, 16},
                                      {256, 256, 1}, {1000, 96, 27}, {6000, 224, 13}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  int offset = shapes[c].offset;
  pz_shape(pz, "n=%d block=%d offset=%d", n, block, offset);
  const int32_t *data = pz_random_i32(pz, (size_t)n, 1, 999); /* no 0: own or none shows */
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "difference", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_I(offset), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int i = 0; i < n; i++) want[i] = i % 32 < offset ? data[i] : data[i] - data[i - offset];
  pz_expect_i32(pz, out, want);
  pz_rule_max(pz, PZ_SHARED_BYTES, 0, "a shuffle needs no memory between the lanes");
  pz_rule_max(pz, PZ_GLOBAL_LOADS, (uint64_t)n,
              "the number of the other lane is already in a register of that lane: let a shuffle "
              "fetch it from there");
}

PZ_PUZZLE(.title = "Shuffle up", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned = "A shuffle passes values from register to register. All lanes of its mask run "
                     "it; a lane with nobody that far before it gets its own value back.")
