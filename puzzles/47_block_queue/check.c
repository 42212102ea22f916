/* 47_block_queue: tasks of uneven length, claimed by blocks in chunks. Each task once, every chunk
 * from the counter, few atomic operations. Chunks smaller and larger than the block, and no
 * multiples of it; one block first, where repeated work is not hidden behind a race. */
#include "puzzle/puzzle.h"

static const struct {
  int tasks, chunk, threads, blocks;
} cases[] = {
    {1, 32, 32, 1},    {100, 40, 32, 1},    {33, 8, 50, 1},      {31, 1, 7, 2},
    {32, 100, 96, 2},  {255, 64, 64, 2},    {256, 50, 33, 3},    {150, 96, 96, 2},
    {1000, 70, 96, 3}, {2000, 256, 128, 4}, {1500, 100, 256, 2},
};

static int32_t collatz(int32_t x) {
  int32_t steps = 0;
  for (; x != 1; steps++) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  return steps;
}

/* Each task exactly once: names the first that was not. */
static void expect_once(struct pz *pz, struct pz_buf *runs, int tasks, const char *when) {
  int32_t *got = pz_host(pz, (size_t)tasks * sizeof *got);
  pz_get(pz, runs, got);
  int bad = 0;
  while (bad < tasks && got[bad] == 1) bad++;
  if (bad == tasks) return;
  pz_expect(pz, false, "%stask %d was done %d times; each task must be done exactly once", when,
            bad, (int)got[bad]);
}

/* Between the tasks and what all claims together can have taken, `chunk` each. */
static void expect_claims(struct pz *pz, struct pz_buf *next, int c) {
  int tasks = cases[c].tasks, chunk = cases[c].chunk;
  int most = (tasks + chunk - 1) / chunk + cases[c].blocks;
  int32_t drawn = 0;
  pz_get(pz, next, &drawn);
  pz_expect(pz, drawn >= tasks,
            "the counter stands at %d, but there are %d tasks: not all chunks came from it",
            (int)drawn, tasks);
  pz_expect(
      pz, drawn <= most * chunk,
      "the counter stands at %d: with %d tasks in chunks of %d and %d block%s, it can be %d at "
      "most. A claim takes one chunk, and only one thread of a block claims",
      (int)drawn, tasks, chunk, cases[c].blocks, cases[c].blocks == 1 ? "" : "s", most * chunk);
  pz_rule_max(pz, PZ_GLOBAL_ATOMICS, (uint64_t)most,
              "one thread claims for the whole block: one atomic operation for each chunk, and one "
              "more for each block, which finds the queue empty");
}

static void run(struct pz *pz, int c) {
  size_t n = (size_t)cases[c].tasks;
  pz_shape(pz, "tasks=%d chunk=%d threads=%d blocks=%d", cases[c].tasks, cases[c].chunk,
           cases[c].threads, cases[c].blocks);
  const int32_t *number = pz_random_i32(pz, n, 1, 250);
  struct pz_buf *in = pz_in(pz, "number", PZ_I32, n, number);
  struct pz_buf *steps = pz_out(pz, "steps", PZ_I32, n);
  struct pz_buf *runs = pz_zero(pz, "runs", PZ_I32, n);
  struct pz_buf *next = pz_zero(pz, "next", PZ_I32, 1);
  pz_launch(pz, "serve", pz_dim((unsigned)cases[c].blocks), pz_dim((unsigned)cases[c].threads), 0,
            PZ_BUF(in), PZ_BUF(steps), PZ_BUF(runs), PZ_BUF(next), PZ_I(cases[c].tasks),
            PZ_I(cases[c].chunk), PZ_END);

  expect_once(pz, runs, cases[c].tasks, "");
  int32_t *want = pz_host(pz, n * sizeof *want);
  for (size_t t = 0; t < n; t++) want[t] = collatz(number[t]);
  pz_expect_i32(pz, steps, want);
  expect_claims(pz, next, c);
  int each = cases[c].chunk < cases[c].threads ? cases[c].chunk : cases[c].threads;
  int all = each * cases[c].blocks;
  pz_rule_shared_out(pz, (uint64_t)(all < cases[c].tasks ? all : cases[c].tasks),
                     "the threads of the block share the chunk out");

  /* The queue is empty now: whoever asks it finds nothing to do. */
  pz_launch(pz, "serve", pz_dim((unsigned)cases[c].blocks), pz_dim((unsigned)cases[c].threads), 0,
            PZ_BUF(in), PZ_BUF(steps), PZ_BUF(runs), PZ_BUF(next), PZ_I(cases[c].tasks),
            PZ_I(cases[c].chunk), PZ_END);
  expect_once(pz, runs, cases[c].tasks, "second launch, with the counter as it was left: ");
}

PZ_PUZZLE(.title = "Block queue", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 8,
          .learned =
              "One thread claims for its block, all meet, all read, all meet again. What the "
              "block decides is the same in every thread; barriers stand only there.")
