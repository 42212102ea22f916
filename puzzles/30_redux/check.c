/* 30_redux: sum, largest and union of bits over all items, combined by warp. The payments are large
 * enough for the sum of a warp to pass 2^24, where a float drops odd numbers. */
#include "puzzle/puzzle.h"

#define WARP 32

static const struct {
  int n, threads;
} cases[] = {{1, 32},   {31, 32},  {32, 32},   {33, 64},   {100, 32},
             {255, 96}, {256, 64}, {1000, 96}, {3001, 160}};

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, cases[c].n, 1, 700), threads = cases[c].threads;
  int blocks = (n + threads - 1) / threads;
  size_t count = (size_t)n;
  pz_shape(pz, "n=%d threads=%d blocks=%d", n, threads, blocks);

  int32_t *in = pz_random_i32(pz, count, 300000, 700000); /* 3001 of them stay below 2^31 */
  uint32_t *flags = pz_host(pz, count * sizeof *flags);
  for (int i = 0; i < n; i++) /* most buy nothing of note: each bit is rare, and some never come */
    if (pz_random(pz, 4) == 0) flags[i] = 1u << pz_random(pz, 32);

  struct pz_buf *from = pz_in(pz, "in", PZ_I32, count, in);
  struct pz_buf *bits = pz_in(pz, "flags", PZ_U32, count, flags);
  struct pz_buf *total = pz_zero(pz, "total", PZ_I32, 1);
  struct pz_buf *largest = pz_zero(pz, "largest", PZ_I32, 1);
  struct pz_buf *kinds = pz_zero(pz, "kinds", PZ_U32, 1);
  pz_launch(pz, "till", pz_dim((unsigned)blocks), pz_dim((unsigned)threads), 0, PZ_BUF(from),
            PZ_BUF(bits), PZ_BUF(total), PZ_BUF(largest), PZ_BUF(kinds), PZ_I(n), PZ_END);

  int32_t want_total = 0, want_largest = 0;
  uint32_t want_kinds = 0;
  for (int i = 0; i < n; i++) {
    want_total += in[i];
    if (in[i] > want_largest) want_largest = in[i];
    want_kinds |= flags[i];
  }
  pz_expect_i32(pz, total, &want_total);
  pz_expect_i32(pz, largest, &want_largest);
  pz_expect_u32(pz, kinds, &want_kinds);

  uint64_t warps = (uint64_t)(blocks * threads / WARP);
  pz_rule_max(pz, PZ_GLOBAL_ATOMICS, 3 * warps,
              "the lanes can combine what they have first: three results for each warp");
  pz_rule_shared_out(pz, (uint64_t)n, "every thread has one payment");
}

PZ_PUZZLE(.title = "Redux", .cases = sizeof cases / sizeof *cases, .run = run, .small_cases = 7,
          .learned =
              "For integers one instruction combines a whole warp and tells every lane. Then "
              "a single lane can speak for 32.")
