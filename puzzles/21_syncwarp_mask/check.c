/* check.c - 21 Syncwarp with a mask: half of each warp sums in shared memory, the other half works
 * alone. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 32},    {31, 32},   {32, 32},   {33, 64},   {100, 96},
                                      {255, 160}, {256, 256}, {1000, 96}, {6000, 224}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static int32_t digits(int32_t x) {
  int32_t count = 1;
  for (; x >= 10; x /= 10) count++;
  return count;
}

/* Blocks are whole warps: the warp of item i starts at a multiple of 32. */
static int32_t result(const int32_t *data, int n, int i) {
  if (i % 32 >= 16) return digits(data[i]);
  int32_t sum = 0;
  for (int k = i - i % 32; k < i - i % 32 + 16 && k < n; k++) sum += data[k];
  return sum;
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d", n, block);
  int32_t *data = pz_random_i32(pz, (size_t)n, 0, 999999);
  for (int i = 0; i < n; i++) /* so that the numbers have from one to six digits */
    for (uint32_t k = pz_random(pz, 6); k > 0; k--) data[i] /= 10;
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  struct pz_buf *even = pz_out(pz, "even", PZ_I32, (size_t)blocks);
  pz_launch(pz, "two_crews", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_BUF(even), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  int32_t *want_even = pz_host(pz, (size_t)blocks * sizeof *want_even);
  for (int i = 0; i < n; i++) {
    want[i] = result(data, n, i);
    want_even[i / block] += want[i] % 2 == 0;
  }
  pz_expect_i32(pz, out, want);
  pz_expect_i32(pz, even, want_even);
  pz_rule_max(pz, PZ_BARRIERS, 1, "only the count at the end concerns the whole block");
}

PZ_PUZZLE(.title = "Syncwarp with a mask", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .learned = "The mask of __syncwarp says who meets: every lane that it names has to come, "
                     "whoever calls it has to be named, and nobody else is kept waiting.")
