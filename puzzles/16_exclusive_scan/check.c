/* check.c - 16 Exclusive scan: up-sweep and down-sweep over two cells a thread.
 *
 * The rule is about work that grows with the number of cells S and not with S log S. Instructions
 * can't show that: threads without work still take the turns of the loop. Accesses to shared
 * memory can. Up, down and output make at most 2S + 3S + S reads (on the way down the right cell of
 * a group may be read twice); fill, up and down make S + S + 2S writes. So 7S and 5S leave some
 * room. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 1},    {31, 16},    {32, 16},    {33, 16},
                                      {100, 8},  {100, 64},   {255, 32},   {256, 128},
                                      {300, 64}, {1000, 128}, {1000, 512}, {5000, 256}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block, size = 2 * block,
      blocks = (n + size - 1) / size;
  pz_shape(pz, "n=%d block=%d", n, block);
  const int32_t *data = pz_random_i32(pz, (size_t)n, -1000, 100000);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "exclusive_scan", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int i = 0; i < n; i++) want[i] = i % size ? want[i - 1] + data[i - 1] : 0;
  pz_expect_i32(pz, out, want);

  uint64_t cells = (uint64_t)blocks * (uint64_t)size;
  pz_rule_max(pz, PZ_SHARED_LOADS, 7 * cells,
              "7 reads of shared memory for each cell; in each step only one thread for each group "
              "has work");
  pz_rule_max(pz, PZ_SHARED_STORES, 5 * cells,
              "5 writes of shared memory for each cell; in each step only one thread for each "
              "group has work");
  pz_rule_shared_out(pz, (uint64_t)(n + 1) / 2, "each thread takes care of two items");
  pz_rule_max(pz, PZ_GLOBAL_LOADS, 2 * (uint64_t)n,
              "each item is read from global memory once; the sums are in shared memory");
}

PZ_PUZZLE(.title = "Exclusive scan", .cases = CASES, .small_cases = CASES - 3, .run = run,
          .learned =
              "Up with sums, down with what lies before: two trees, 2 log n steps and about 2 n "
              "additions instead of n log n.")
