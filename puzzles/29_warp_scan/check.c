/* 29_warp_scan: inclusive and exclusive prefix sums of floats in each warp. All items are positive,
 * so that a prefix sum is well conditioned and a relative tolerance is enough; one item in each
 * warp is so large that subtracting it again loses everything else. */
#include "puzzle/puzzle.h"

#define WARP      32
#define HUGE_ITEM 1e9f

static const struct {
  int n, threads;
} cases[] = {{1, 32},   {31, 32},  {32, 32},   {33, 64},   {100, 32},
             {255, 96}, {256, 64}, {1000, 96}, {3001, 160}};

static void reference(const float *in, float *inclusive, float *exclusive, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % WARP == 0) sum = 0;
    exclusive[i] = (float)sum;
    sum += (double)in[i];
    inclusive[i] = (float)sum;
  }
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, cases[c].n, 1, 700), threads = cases[c].threads;
  int blocks = (n + threads - 1) / threads;
  size_t count = (size_t)n;
  pz_shape(pz, "n=%d threads=%d blocks=%d", n, threads, blocks);

  float *in = pz_random_f32(pz, count, 0.5f, 9.5f);
  for (int first = 0; first < n; first += WARP) {
    /* Not in lane 0, where nothing comes before it that could be lost. */
    int length = n - first < WARP ? n - first : WARP;
    if (length > 1) in[first + 1 + (int)pz_random(pz, (uint32_t)length - 1)] = HUGE_ITEM;
  }

  struct pz_buf *from = pz_in(pz, "in", PZ_F32, count, in);
  struct pz_buf *inclusive = pz_out(pz, "inclusive", PZ_F32, count);
  struct pz_buf *exclusive = pz_out(pz, "exclusive", PZ_F32, count);
  pz_launch(pz, "running_totals", pz_dim((unsigned)blocks), pz_dim((unsigned)threads), 0,
            PZ_BUF(from), PZ_BUF(inclusive), PZ_BUF(exclusive), PZ_I(n), PZ_END);

  float *want_inclusive = pz_host(pz, count * sizeof *want_inclusive);
  float *want_exclusive = pz_host(pz, count * sizeof *want_exclusive);
  reference(in, want_inclusive, want_exclusive, n);
  double tolerance = pz_sum_tolerance_f32(WARP, 1.0); /* of a sum of positive items: relative */
  pz_expect_f32(pz, inclusive, want_inclusive, tolerance, 0);
  pz_expect_f32(pz, exclusive, want_exclusive, tolerance, 0);

  pz_rule_max(pz, PZ_SHARED_BYTES, 0, "shuffles pass values between registers, without memory");
  pz_rule_max(pz, PZ_MAX_WARP_SHUFFLES, 6,
              "each step doubles how far a lane sees: five steps, and one for the exclusive total");
  pz_rule_max(pz, PZ_GLOBAL_LOAD_REQUESTS, (uint64_t)(2 * blocks * threads / WARP),
              "each lane reads its own item, all lanes at once; the others' come by shuffles");
}

PZ_PUZZLE(.title = "Warp scan", .cases = sizeof cases / sizeof *cases, .run = run, .small_cases = 7,
          .learned =
              "A scan doubles its reach in each step: five shuffles for 32 lanes. Every lane "
              "runs the shuffle, only lanes with somebody that far below use it.")
