/* 31_ballot_compact: numbers of the items above 0, packed; ascending within a warp, any order of
 * the warps. */
#include "puzzle/puzzle.h"

#define WARP 32

static const struct {
  int n, threads;
} cases[] = {{1, 32},   {31, 32}, {32, 32}, {33, 64},   {100, 32},  {255, 96},
             {256, 64}, {96, 96}, {64, 64}, {1000, 96}, {3001, 160}};

/* Of ten items, this many ring in case c. */
static unsigned density(int c) {
  if (c == 7) return 10; /* everyone */
  if (c == 8) return 0;  /* nobody */
  return c % 3 == 0 ? 7 : c % 3 == 1 ? 4 : 2;
}

/* The list that is right and nearest to got: each warp's numbers ascend, and the places that a warp
 * has taken in got are left to it. Places with a number that cannot be get what is left over. */
static void nearest(const int32_t *in, int n, const int32_t *got, int32_t *want, int found,
                    int32_t *next) {
  for (int w = 0; w * WARP < n; w++) next[w] = w * WARP;
  for (int k = 0; k < found; k++) {
    want[k] = -1;
    if (got[k] < 0 || got[k] >= n) continue;
    int w = got[k] / WARP, i = next[w];
    while (i < n && i / WARP == w && in[i] <= 0) i++;
    if (i >= n || i / WARP != w) continue; /* more numbers of this warp than it has */
    want[k] = i;
    next[w] = i + 1;
  }
  int w = 0;
  for (int k = 0; k < found; k++) {
    while (want[k] < 0) {
      int i = next[w];
      while (i < n && i / WARP == w && in[i] <= 0) i++;
      if (i < n && i / WARP == w) {
        want[k] = i;
        next[w] = i + 1;
      } else {
        w++;
      }
    }
  }
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, cases[c].n, 1, 700), threads = cases[c].threads;
  int blocks = (n + threads - 1) / threads;
  size_t count = (size_t)n;
  pz_shape(pz, "n=%d threads=%d blocks=%d", n, threads, blocks);

  int32_t *in = pz_random_i32(pz, count, -1000, 0);
  int32_t want_found = 0;
  for (int i = 0; i < n; i++)
    if (n == 1 || pz_random(pz, 10) < density(c)) in[i] = 1 + (int32_t)pz_random(pz, 1000);
  for (int i = 0; i < n; i++) want_found += in[i] > 0;

  struct pz_buf *from = pz_in(pz, "in", PZ_I32, count, in);
  struct pz_buf *where = pz_out(pz, "where", PZ_I32, count);
  struct pz_buf *found = pz_zero(pz, "found", PZ_I32, 1);
  pz_launch(pz, "list_alarms", pz_dim((unsigned)blocks), pz_dim((unsigned)threads), 0, PZ_BUF(from),
            PZ_BUF(where), PZ_BUF(found), PZ_I(n), PZ_END);

  pz_expect_i32(pz, found, &want_found);
  if (want_found > 0) {
    int32_t *got = pz_host(pz, count * sizeof *got);
    int32_t *want = pz_host(pz, count * sizeof *want);
    int32_t *next = pz_host(pz, (count / WARP + 1) * sizeof *next);
    pz_get(pz, where, got);
    nearest(in, n, got, want, want_found, next);
    pz_expect_i32(pz, pz_part(pz, where, 0, (size_t)want_found), want);
  }

  pz_rule_max(pz, PZ_GLOBAL_ATOMICS, (uint64_t)(blocks * threads / WARP),
              "one lane can draw the places of its whole warp at once");
  pz_rule_shared_out(pz, (uint64_t)n, "every thread looks at one sensor");
}

PZ_PUZZLE(.title = "Ballot and compact", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 9,
          .learned =
              "A ballot tells every lane what all the others answered. Counting the ones below "
              "your own gives you a place of your own, in order, without asking anybody.")
