/* check.c - 28 Warp reduce: sum, largest and smallest of each warp; the last warp is ragged, and
 * warps after it are empty. */
#include "puzzle/puzzle.h"

#define WARP 32

struct shape {
  int n, block, sign; /* sign: -1 all numbers negative, 1 all positive, 0 mixed */
};
static const struct shape shapes[] = {{1, 32, -1},  {1, 64, 1},    {31, 32, -1},  {32, 32, 0},
                                      {33, 96, 1},  {100, 96, -1}, {255, 160, 1}, {256, 256, -1},
                                      {257, 96, 0}, {300, 64, 1},  {1000, 96, 0}, {6001, 224, 0}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void reference(const int32_t *in, int n, int32_t *sum, int32_t *high, int32_t *low) {
  for (int i = 0; i < n; i++) {
    int w = i / WARP;
    if (i % WARP == 0) sum[w] = 0, high[w] = low[w] = in[i];
    sum[w] += in[i];
    if (in[i] > high[w]) high[w] = in[i];
    if (in[i] < low[w]) low[w] = in[i];
  }
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  int sign = shapes[c].sign, warps = (n + WARP - 1) / WARP;
  pz_shape(pz, "n=%d block=%d%s", n, block,
           sign < 0   ? " all negative"
           : sign > 0 ? " all positive"
                      : "");
  int32_t *data = pz_random_i32(pz, (size_t)n, sign > 0 ? 1 : -1000000, sign < 0 ? -1 : 1000000);
  /* A last warp with one number: an extreme one, beyond any "large enough" start value. */
  if (n % WARP == 1 && sign != 0) data[n - 1] = sign * 2147483647;

  size_t count = (size_t)warps;
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *sum = pz_out(pz, "sum", PZ_I32, count);
  struct pz_buf *largest = pz_out(pz, "largest", PZ_I32, count);
  struct pz_buf *smallest = pz_out(pz, "smallest", PZ_I32, count);
  pz_launch(pz, "reduce", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(sum), PZ_BUF(largest), PZ_BUF(smallest), PZ_I(n), PZ_END);

  int32_t *want_sum = pz_host(pz, count * sizeof *want_sum);
  int32_t *want_high = pz_host(pz, count * sizeof *want_high);
  int32_t *want_low = pz_host(pz, count * sizeof *want_low);
  reference(data, n, want_sum, want_high, want_low);
  pz_expect_i32(pz, sum, want_sum);
  pz_expect_i32(pz, largest, want_high);
  pz_expect_i32(pz, smallest, want_low);

  pz_rule_max(pz, PZ_SHARED_BYTES, 0, "shuffles pass values between registers, without memory");
  /* Three, not one: who writes in[i] three times is right as well. */
  pz_rule_max(pz, PZ_GLOBAL_LOAD_REQUESTS, (uint64_t)(3 * blocks * block / WARP),
              "each lane reads its own number, all lanes at once; the others' come by shuffles");
  pz_rule_max(pz, PZ_MAX_WARP_SHUFFLES, 15,
              "three values, 32 lanes halved five times: five shuffles for each value");
}

PZ_PUZZLE(.title = "Warp reduce", .cases = CASES, .small_cases = CASES - 3, .run = run,
          .learned = "Lanes without data take part with the neutral element: 0 for a sum, the "
                     "lowest int for the largest, the highest int for the smallest.")
