/* check.c - 03 Write during read: a table taken in tiles, two barriers a turn. */
#include "puzzle/puzzle.h"

/* n numbers of our own, m in the table; a tile has as many as the block has threads. */
struct shape {
  int n, m, block;
};
static const struct shape shapes[] = {{1, 1, 32},     {31, 31, 32},  {33, 32, 32},  {20, 33, 32},
                                      {70, 100, 48},  {60, 255, 60}, {64, 256, 64}, {100, 150, 112},
                                      {32, 1000, 32}, {90, 2000, 48}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 300), m = pz_vary(pz, shapes[c].m, 1, 60),
      block = shapes[c].block, blocks = (n + block - 1) / block;
  int tiles = (m + block - 1) / block;
  pz_shape(pz, "n=%d m=%d block=%d", n, m, block);
  const int32_t *mine = pz_random_i32(pz, (size_t)n, -5000, 5000);
  const int32_t *table = pz_random_i32(pz, (size_t)m, -5000, 5000);
  struct pz_buf *a = pz_in(pz, "mine", PZ_I32, (size_t)n, mine);
  struct pz_buf *b = pz_in(pz, "table", PZ_I32, (size_t)m, table);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "distances", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(a),
            PZ_I(n), PZ_BUF(b), PZ_I(m), PZ_BUF(out), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      want[i] += mine[i] > table[k] ? mine[i] - table[k] : table[k] - mine[i];
  pz_expect_i32(pz, out, want);
  pz_rule_max(pz, PZ_BARRIERS, 2 * (uint64_t)tiles,
              "a turn of the loop has two borders, load to use and use to next load");
  pz_rule_shared_out(pz, (uint64_t)n, "every thread finds the distance of its own number");
  pz_rule_max(pz, PZ_GLOBAL_LOADS, 2 * (uint64_t)(n + blocks * m),
              "a block loads each number of the table once, for all of its threads");
}

PZ_PUZZLE(.title = "Write during read", .cases = CASES, .small_cases = CASES - 2, .run = run,
          .max_steps = 12000000, /* whoever reads the table from global memory is slow, not lost */
          .learned =
              "A tile that is filled again needs two barriers a turn: one so that nobody reads too "
              "early, one so that nobody overwrites too early.")
