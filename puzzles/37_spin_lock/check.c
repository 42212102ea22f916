/* 37_spin_lock: the best time of each team and who needed it. One lock for all, some, and more
 * teams than runners; times collide, so that the tie counts. Two rounds with the same locks. */
#include "puzzle/puzzle.h"

static const struct {
  int n, threads, teams;
} cases[] = {
    {1, 32, 1},    {31, 32, 1},    {32, 32, 2},     {33, 7, 1},       {40, 64, 8},
    {100, 32, 40}, {255, 96, 100}, {256, 100, 150}, {1000, 96, 1000}, {1200, 160, 1500},
};

static void race(struct pz *pz, struct pz_buf *lock, int round, int c) {
  int n = cases[c].n, teams = cases[c].teams, threads = cases[c].threads;
  size_t count = (size_t)n, groups = (size_t)teams;
  /* Uniform, so that no lock is much more wanted than the others: spinning takes steps. */
  int32_t *team = pz_host(pz, count * sizeof *team);
  for (int i = 0; i < n; i++) team[i] = (int32_t)pz_random(pz, (uint32_t)teams);
  const int32_t *time = pz_random_i32(pz, count, 100, round == 1 ? 120 : 1000000);
  int32_t *best = pz_host(pz, groups * sizeof *best), *who = pz_host(pz, groups * sizeof *who);
  for (int t = 0; t < teams; t++) {
    best[t] = INT32_MAX;
    who[t] = -1;
  }
  struct pz_buf *in_team = pz_in(pz, "team", PZ_I32, count, team);
  struct pz_buf *in_time = pz_in(pz, "time", PZ_I32, count, time);
  struct pz_buf *out_best = pz_in(pz, "best", PZ_I32, groups, best);
  struct pz_buf *out_who = pz_in(pz, "who", PZ_I32, groups, who);

  unsigned blocks = (unsigned)((n + threads - 1) / threads);
  pz_launch(pz, "records", pz_dim(blocks), pz_dim((unsigned)threads), 0, PZ_BUF(in_team),
            PZ_BUF(in_time), PZ_BUF(lock), PZ_BUF(out_best), PZ_BUF(out_who), PZ_I(n), PZ_END);

  for (int i = 0; i < n; i++) {
    if (time[i] >= best[team[i]]) continue;
    best[team[i]] = time[i];
    who[team[i]] = i;
  }
  pz_expect_i32(pz, out_best, best);
  pz_expect_i32(pz, out_who, who);
}

static void run(struct pz *pz, int c) {
  pz_shape(pz, "n=%d threads=%d teams=%d", cases[c].n, cases[c].threads, cases[c].teams);
  struct pz_buf *lock = pz_zero(pz, "lock", PZ_I32, (size_t)cases[c].teams);
  race(pz, lock, 1, c);
  race(pz, lock, 2, c);
}

PZ_PUZZLE(.title = "Spin lock", .cases = sizeof cases / sizeof *cases, .run = run, .small_cases = 6,
          .max_steps = 20000000,
          .learned =
              "A lock is a flag that one thread gets and passes on: compare-and-swap, then a "
              "fence; a fence, then give it back. Without the fences it is only a turnstile "
              "that nobody's work has to pass.")
