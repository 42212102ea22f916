/* 46_aggregate: rows of different length, one for each thread; the numbers of the items above a
 * limit are packed in any order. Atomic operations at most two for each trip that a warp makes:
 * one for each group that meets, and groups that are made of whoever is there may be split. One
 * more for each warp, which may find that it has nothing to draw. */
#include "puzzle/puzzle.h"

#define WARP 32

static const struct {
  int rows, threads, blocks, longest, percent; /* so many of 100 items are above the limit */
} cases[] = {
    {1, 32, 1, 3, 100},  {31, 32, 1, 5, 50},    {32, 32, 1, 6, 100},     {33, 64, 1, 7, 70},
    {100, 32, 4, 5, 60}, {60, 96, 1, 4, 0},     {64, 64, 1, 5, 100},     {255, 96, 3, 6, 30},
    {256, 64, 4, 9, 80}, {1000, 160, 7, 9, 50}, {3001, 256, 12, 20, 40},
};

/* The list that is right and nearest to got: what got lists for the first time and rightly stays
 * where it is, the other places get what is left over, in ascending order. */
static void nearest(const bool *heavy, int n, const int32_t *got, int32_t *want, int found,
                    bool *taken) {
  for (int k = 0; k < found; k++) {
    int32_t i = got[k];
    bool ok = i >= 0 && i < n && heavy[i] && !taken[i];
    want[k] = ok ? i : -1;
    if (ok) taken[i] = true;
  }
  int left = 0;
  for (int k = 0; k < found; k++) {
    if (want[k] >= 0) continue;
    while (!heavy[left] || taken[left]) left++;
    want[k] = left++;
  }
}

static int32_t *row_begins(struct pz *pz, int c) {
  int32_t *begin = pz_host(pz, ((size_t)cases[c].rows + 1) * sizeof *begin);
  unsigned longest = (unsigned)cases[c].longest;
  for (int r = 0; r < cases[c].rows; r++) {
    /* Many short rows, some long ones; some empty. At least one item in all. */
    unsigned length = pz_random(pz, 2) ? pz_random(pz, longest + 1) : pz_random(pz, 3);
    begin[r + 1] = begin[r] + (int32_t)length + (r == 0);
  }
  return begin;
}

/* Trips of the loop over a row, added up over the warps: the longest row of each. */
static uint64_t trips(const int32_t *begin, int rows) {
  uint64_t sum = 0;
  for (int first = 0; first < rows; first += WARP) {
    int32_t most = 0;
    for (int r = first; r < first + WARP && r < rows; r++)
      if (begin[r + 1] - begin[r] > most) most = begin[r + 1] - begin[r];
    sum += (uint64_t)most;
  }
  return sum;
}

static void run(struct pz *pz, int c) {
  int rows = cases[c].rows, threads = cases[c].threads, blocks = cases[c].blocks;
  const int32_t *begin = row_begins(pz, c);
  int n = begin[rows];
  size_t count = (size_t)n;
  pz_shape(pz, "rows=%d items=%d threads=%d blocks=%d", rows, n, threads, blocks);

  int32_t limit = 50, want_found = 0;
  int32_t *weight = pz_random_i32(pz, count, 1, limit);
  bool *heavy = pz_host(pz, count * sizeof *heavy);
  int32_t *want_busy = pz_host(pz, (size_t)blocks * sizeof *want_busy);
  for (int r = 0; r < rows; r++) {
    bool busy = false;
    for (int i = begin[r]; i < begin[r + 1]; i++) {
      heavy[i] = (int)pz_random(pz, 100) < cases[c].percent;
      if (heavy[i]) weight[i] += limit;
      want_found += heavy[i];
      busy = busy || heavy[i];
    }
    want_busy[r / threads] += busy;
  }

  struct pz_buf *from = pz_in(pz, "begin", PZ_I32, (size_t)rows + 1, begin);
  struct pz_buf *in = pz_in(pz, "weight", PZ_I32, count, weight);
  struct pz_buf *where = pz_out(pz, "where", PZ_I32, count);
  struct pz_buf *found = pz_zero(pz, "found", PZ_I32, 1);
  struct pz_buf *busy = pz_out(pz, "busy", PZ_I32, (size_t)blocks);
  pz_launch(pz, "list_heavy", pz_dim((unsigned)blocks), pz_dim((unsigned)threads), 0, PZ_BUF(from),
            PZ_BUF(in), PZ_BUF(where), PZ_BUF(found), PZ_BUF(busy), PZ_I(rows), PZ_I(limit),
            PZ_END);

  pz_expect_i32(pz, found, &want_found);
  pz_expect_i32(pz, busy, want_busy);
  if (want_found > 0) {
    int32_t *got = pz_host(pz, count * sizeof *got);
    int32_t *want = pz_host(pz, count * sizeof *want);
    bool *taken = pz_host(pz, count * sizeof *taken);
    pz_get(pz, where, got);
    nearest(heavy, n, got, want, want_found, taken);
    pz_expect_i32(pz, pz_part(pz, where, 0, (size_t)want_found), want);
  }

  uint64_t warps = (uint64_t)(blocks * threads / WARP);
  pz_rule_max(pz, PZ_GLOBAL_ATOMICS, 2 * trips(begin, rows) + warps,
              "lanes that are here together need one atomic operation for all of them; two for "
              "each trip of a warp's loop are allowed, in case that they come in two groups, and "
              "one for each warp");
}

PZ_PUZZLE(.title = "Aggregate", .cases = sizeof cases / sizeof *cases, .run = run, .small_cases = 9,
          .learned =
              "Where every group of lanes, however it came about, may draw for itself, "
              "__activemask() is enough: one lane draws for all who are here. Keep that one mask "
              "for everything that follows.")
