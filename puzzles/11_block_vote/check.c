/* check.c - 11 Block vote: a flood in each block's stretch, until a minute changes nothing. Values
 * only; the number of minutes shows whether the block left in time. */
#include "puzzle/puzzle.h"

enum { DRY, WALL, WET };
struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 32},    {31, 32},   {32, 32},   {33, 64},   {100, 96},
                                      {255, 100}, {256, 256}, {1000, 90}, {4000, 250}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

/* Floods bed[0..length) in place, returns the minutes in which something changed. */
static int32_t flood(int32_t *bed, int32_t *old, int length) {
  for (int32_t passed = 0;; passed++) {
    bool changed = false;
    for (int t = 0; t < length; t++) old[t] = bed[t];
    for (int t = 0; t < length; t++) {
      bool near = (t > 0 && old[t - 1] == WET) || (t + 1 < length && old[t + 1] == WET);
      if (old[t] != DRY || !near) continue;
      bed[t] = WET;
      changed = true;
    }
    if (!changed) return passed;
  }
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d", n, block);
  int32_t *bed = pz_host(pz, (size_t)n * sizeof *bed);
  for (int i = 0; i < n; i++) { /* one wall in ten or so, one spring in thirty or so */
    uint32_t draw = pz_random(pz, 60);
    bed[i] = draw < 6 ? WALL : draw < 8 ? WET : DRY;
  }
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, bed);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  struct pz_buf *minutes = pz_out(pz, "minutes", PZ_I32, (size_t)blocks);
  struct pz_buf *wet = pz_out(pz, "wet", PZ_I32, (size_t)blocks);
  pz_launch(pz, "flood", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_BUF(minutes), PZ_BUF(wet), PZ_END);

  int32_t *old = pz_host(pz, (size_t)block * sizeof *old);
  int32_t *want_minutes = pz_host(pz, (size_t)blocks * sizeof *want_minutes);
  int32_t *want_wet = pz_host(pz, (size_t)blocks * sizeof *want_wet);
  for (int b = 0; b < blocks; b++) {
    int first = b * block, length = n - first < block ? n - first : block;
    want_minutes[b] = flood(bed + first, old, length);
    for (int t = 0; t < length; t++) want_wet[b] += bed[first + t] == WET;
  }
  pz_expect_i32(pz, out, bed);
  pz_expect_i32(pz, minutes, want_minutes);
  pz_expect_i32(pz, wet, want_wet);
  pz_rule_shared_out(pz, (uint64_t)n, "every thread looks after one cell of the bed");
}

PZ_PUZZLE(.title = "Block vote", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned =
              "__syncthreads_or, _and and _count are barriers that carry an answer. All threads "
              "get the same one, so all can leave a loop in the same turn.")
