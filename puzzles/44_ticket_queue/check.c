/* 44_ticket_queue: tasks of uneven length from one counter, in two rounds on the same counter. Each
 * task once, every ticket from the counter. */
#include "puzzle/puzzle.h"

static const struct {
  int tasks, threads, blocks;
} cases[] = {
    {1, 32, 1},   {31, 32, 1},  {32, 33, 1}, {33, 1, 1},    {100, 50, 2},
    {255, 32, 3}, {256, 96, 2}, {20, 64, 3}, {1000, 96, 2}, {1500, 64, 3},
};

static int32_t collatz(int32_t x) {
  int32_t steps = 0;
  for (; x != 1; steps++) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  return steps;
}

/* Each task exactly once: names the first that was not. */
static void expect_once(struct pz *pz, struct pz_buf *runs, int tasks, int round,
                        const char *when) {
  int32_t *got = pz_host(pz, (size_t)tasks * sizeof *got);
  pz_get(pz, runs, got);
  int bad = 0;
  while (bad < tasks && got[bad] == 1) bad++;
  if (bad == tasks) return;
  pz_expect(pz, false, "round %d: %stask %d was done %d times; each task must be done exactly once",
            round, when, bad, (int)got[bad]);
}

static void serve(struct pz *pz, struct pz_buf *next, int tasks, int round, int c) {
  size_t n = (size_t)tasks;
  const int32_t *number = pz_random_i32(pz, n, 1, 250);
  struct pz_buf *in = pz_in(pz, "number", PZ_I32, n, number);
  struct pz_buf *steps = pz_out(pz, "steps", PZ_I32, n);
  struct pz_buf *runs = pz_zero(pz, "runs", PZ_I32, n);

  pz_launch(pz, "open_queue", pz_dim(1), pz_dim(1), 0, PZ_BUF(next), PZ_END);
  pz_launch(pz, "serve", pz_dim((unsigned)cases[c].blocks), pz_dim((unsigned)cases[c].threads), 0,
            PZ_BUF(in), PZ_BUF(steps), PZ_BUF(runs), PZ_BUF(next), PZ_I(tasks), PZ_END);

  int32_t drawn = 0;
  pz_get(pz, next, &drawn);
  expect_once(pz, runs, tasks, round, "");
  int32_t *want = pz_host(pz, n * sizeof *want);
  for (int t = 0; t < tasks; t++) want[t] = collatz(number[t]);
  pz_expect_i32(pz, steps, want);
  pz_expect(
      pz, drawn >= tasks,
      "round %d: the counter stands at %d, but there are %d tasks: not all tickets came from it",
      round, (int)drawn, tasks);

  /* The queue is empty now: whoever asks it finds nothing to do. */
  pz_launch(pz, "serve", pz_dim((unsigned)cases[c].blocks), pz_dim((unsigned)cases[c].threads), 0,
            PZ_BUF(in), PZ_BUF(steps), PZ_BUF(runs), PZ_BUF(next), PZ_I(tasks), PZ_END);
  expect_once(pz, runs, tasks, round, "once more, with the counter as it was left: ");
}

static void run(struct pz *pz, int c) {
  int tasks = cases[c].tasks, later = tasks / 2 + 1;
  pz_shape(pz, "tasks=%d+%d threads=%d blocks=%d", tasks, later, cases[c].threads, cases[c].blocks);
  struct pz_buf *next = pz_zero(pz, "next", PZ_I32, 1);
  serve(pz, next, tasks, 1, c);
  serve(pz, next, later, 2, c);
}

PZ_PUZZLE(.title = "Ticket queue", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 8,
          .learned = "An atomic counter is a queue: who is free draws the next number, and uneven "
                     "work balances itself.")
