/* 32_match_groups: sums by key; counts atomic operations against the different keys of each warp.
 */
#include "puzzle/puzzle.h"

#define WARP     32
#define MAX_KEYS 64

static const struct {
  int n, threads, keys;
} cases[] = {{1, 32, 1},    {31, 32, 1},  {32, 32, 3},   {33, 64, 5},    {100, 32, 40},
             {255, 96, 10}, {256, 64, 2}, {1000, 96, 7}, {3001, 160, 64}};

/* What the rule allows: one for each different key of a warp, and one more where lanes have none,
 * for a kernel that gives those a key of another item and adds 0. */
static uint64_t groups(const int32_t *key, int n, int lanes) {
  uint64_t sum = 0;
  for (int first = 0; first < lanes; first += WARP) {
    bool seen[MAX_KEYS] = {false};
    for (int i = first; i < first + WARP && i < n; i++) {
      sum += !seen[key[i]];
      seen[key[i]] = true;
    }
    sum += first + WARP > n;
  }
  return sum;
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, cases[c].n, 1, 700), threads = cases[c].threads, keys = cases[c].keys;
  int blocks = (n + threads - 1) / threads;
  size_t count = (size_t)n;
  pz_shape(pz, "n=%d threads=%d blocks=%d keys=%d", n, threads, blocks, keys);

  int32_t *key = pz_host(pz, count * sizeof *key);
  for (int i = 0; i < n; i++) { /* small keys are common, large ones rare */
    uint32_t limit = 1 + pz_random(pz, (uint32_t)keys);
    key[i] = (int32_t)pz_random(pz, limit);
  }
  const int32_t *amount = pz_random_i32(pz, count, -1000, 100000);

  struct pz_buf *key_in = pz_in(pz, "key", PZ_I32, count, key);
  struct pz_buf *amount_in = pz_in(pz, "amount", PZ_I32, count, amount);
  struct pz_buf *sums = pz_zero(pz, "sums", PZ_I32, (size_t)keys);
  pz_launch(pz, "book", pz_dim((unsigned)blocks), pz_dim((unsigned)threads), 0, PZ_BUF(key_in),
            PZ_BUF(amount_in), PZ_BUF(sums), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)keys * sizeof *want);
  for (int i = 0; i < n; i++) want[key[i]] += amount[i];
  pz_expect_i32(pz, sums, want);

  pz_rule_max(pz, PZ_GLOBAL_ATOMICS, groups(key, n, blocks * threads),
              "lanes of a warp with the same key can send one of them");
  pz_rule_shared_out(pz, (uint64_t)n, "every thread has one item");
}

PZ_PUZZLE(.title = "Match groups", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 7,
          .learned =
              "A match tells every lane who has the same key. What it returns is a mask: each "
              "group can go on with collectives of its own, and send one lane to report.")
