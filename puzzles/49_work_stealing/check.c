/* 49_work_stealing: tasks of uneven length in deques of uneven size. Each task once; how long it
 * takes is judged on three virtual GPUs, how many atomics an undisturbed owner needs on one block.
 */
#include "puzzle/puzzle.h"

#define CELLS 257

static const struct {
  int tasks, sms, per_sm, threads, shortest, longest, rounds; /* rounds 0: timed */
} cases[] = {
    {1, 4, 1, 32, 0, 3, 2},      {12, 2, 2, 1, 0, 0, 12},    {31, 4, 2, 1, 0, 1, 7},
    {32, 3, 1, 33, 0, 2, 1},     {33, 2, 1, 50, 0, 3, 1},    {50, 4, 1, 5, 0, 2, 1},
    {255, 2, 2, 1, 0, 2, 1},     {256, 3, 1, 64, 0, 2, 1},   {200, 4, 2, 32, 0, 2, 1},
    {24, 2, 1, 33, 150, 450, 0}, {60, 4, 1, 5, 150, 450, 0}, {90, 3, 2, 2, 150, 450, 0},
};

struct job {
  int blocks, threads, tasks;
  const int32_t *first, *order, *length, *link;
  struct pz_buf *end, *runs;
};

/* Shares the tasks out: one block in three gets nothing, and one has more than half, or all: then
 * there is one deque to steal from, and thieves get into each other's way. */
static int32_t *shares(struct pz *pz, int blocks, int tasks, bool all_to_one) {
  int32_t *first = pz_host(pz, (size_t)(blocks + 1) * sizeof *first);
  uint32_t sum = 0, upto = 0, *share = pz_host(pz, (size_t)blocks * sizeof *share);
  uint32_t rich = (uint32_t)blocks / 2 + pz_random(pz, (uint32_t)(blocks + 1) / 2);
  for (int b = 0; b < blocks; b++) {
    share[b] = b % 3 == 0 || all_to_one ? 0 : 1 + pz_random(pz, 100);
    sum += share[b];
  }
  if (rich >= (uint32_t)blocks) rich = (uint32_t)blocks - 1;
  share[rich] += sum + 100;
  sum += sum + 100;
  for (int b = 0; b < blocks; b++) {
    upto += share[b];
    first[b + 1] = (int32_t)((uint64_t)upto * (uint64_t)tasks / sum);
  }
  return first;
}

static int32_t *shuffled(struct pz *pz, int n) {
  int32_t *p = pz_host(pz, (size_t)n * sizeof *p);
  for (int i = 0; i < n; i++) {
    int j = (int)pz_random(pz, (uint32_t)i + 1);
    p[i] = p[j];
    p[j] = i;
  }
  return p;
}

static void launch(struct pz *pz, struct job *j) {
  size_t tasks = (size_t)j->tasks, blocks = (size_t)j->blocks;
  const int32_t left = j->tasks;
  j->end = pz_out(pz, "end", PZ_I32, tasks * (size_t)j->threads);
  j->runs = pz_zero(pz, "runs", PZ_I32, tasks);
  pz_launch(pz, "serve", pz_dim((unsigned)j->blocks), pz_dim((unsigned)j->threads), 0,
            PZ_BUF(pz_in(pz, "first", PZ_I32, blocks + 1, j->first)),
            PZ_BUF(pz_in(pz, "order", PZ_I32, tasks, j->order)),
            PZ_BUF(pz_in(pz, "length", PZ_I32, tasks, j->length)),
            PZ_BUF(pz_in(pz, "link", PZ_I32, CELLS, j->link)), PZ_I(CELLS),
            PZ_BUF(pz_zero(pz, "top", PZ_I32, blocks)),
            PZ_BUF(pz_zero(pz, "bottom", PZ_I32, blocks)),
            PZ_BUF(pz_out(pz, "slot", PZ_I32, tasks)), PZ_BUF(pz_in(pz, "left", PZ_I32, 1, &left)),
            PZ_BUF(j->end), PZ_BUF(j->runs), PZ_END);
}

/* Each task exactly once: names the first that was not. Then where the chains end. */
static void expect_done(struct pz *pz, const struct job *j) {
  int32_t *got = pz_host(pz, (size_t)j->tasks * sizeof *got);
  pz_get(pz, j->runs, got);
  for (int t = 0; t < j->tasks; t++)
    if (got[t] != 1) {
      pz_expect(pz, false, "task %d was done %d times; each task must be done exactly once", t,
                (int)got[t]);
      break;
    }
  int32_t *want = pz_host(pz, (size_t)j->tasks * (size_t)j->threads * sizeof *want);
  for (int t = 0; t < j->tasks; t++)
    for (int i = 0; i < j->threads; i++) {
      int at = (t + i) % CELLS;
      for (int32_t n = 0; n < j->length[t]; n++) at = j->link[at];
      want[t * j->threads + i] = at;
    }
  pz_expect_i32(pz, j->end, want);
}

/* Cycles of the whole launch, with one block and `count` tasks of one length. */
static double alone(struct pz *pz, const struct job *j, int count, int32_t length) {
  int32_t *lengths = pz_host(pz, (size_t)count * sizeof *lengths);
  for (int t = 0; t < count; t++) lengths[t] = length;
  const int32_t first[2] = {0, count};
  struct job one = *j;
  one.blocks = 1;
  one.tasks = count;
  one.first = first;
  one.order = shuffled(pz, count);
  one.length = lengths;
  launch(pz, &one);
  expect_done(pz, &one);
  return (double)pz_count(pz, PZ_MAKESPAN);
}

/* A block alone neither steals nor waits, so that what a longer task adds is the price of its
 * links. Nobody can be faster than all links shared out evenly, or the longest chain. */
static double ideal(struct pz *pz, const struct job *j) {
  const int a = 100, b = 400;
  double short_one = alone(pz, j, 1, a), long_one = alone(pz, j, 1, b);
  double link = (long_one - short_one) / (b - a), sum = 0, longest = 0;
  for (int t = 0; t < j->tasks; t++) {
    sum += j->length[t];
    if (j->length[t] > longest) longest = j->length[t];
  }
  /* A load takes 400 cycles in the cost model, the instructions around it a few, the sectors of all
   * lanes a few more. */
  bool fair = link >= 400 && link <= 800;
  pz_rule(pz, fair,
          "One link of a chain takes %.0f cycles, measured with one block and one task of %d and "
          "%d links; as `work` is given it is one load, between 400 and 800. Leave `work` as it is",
          link, a, b);
  double share = sum / j->blocks;
  return fair ? link * (share > longest ? share : longest) : 0;
}

static void deal(struct pz *pz, struct job *j, int shortest, int longest, bool all_to_one) {
  j->first = shares(pz, j->blocks, j->tasks, all_to_one);
  j->order = shuffled(pz, j->tasks);
  j->length = pz_random_i32(pz, (size_t)j->tasks, shortest, longest);
}

static void run(struct pz *pz, int c) {
  struct job j = {.blocks = cases[c].sms * cases[c].per_sm,
                  .threads = cases[c].threads,
                  .tasks = cases[c].tasks};
  bool is_timed = cases[c].rounds == 0;
  pz_shape(pz, "tasks=%d blocks=%d threads=%d%s", j.tasks, j.blocks, j.threads,
           is_timed ? " timed" : "");
  pz_gpu(pz, (unsigned)cases[c].sms, (unsigned)cases[c].per_sm);
  j.link = shuffled(pz, CELLS);
  for (int round = 0, n = pz_rounds(pz, cases[c].rounds); round < n; round++) {
    deal(pz, &j, cases[c].shortest, cases[c].longest, false);
    launch(pz, &j);
    expect_done(pz, &j);
  }
  if (!is_timed) return;

  const int few = 20;
  bool is_judged = alone(pz, &j, few, 1) > 0;
  pz_rule_max(pz, PZ_GLOBAL_ATOMICS, 2 * few + 4,
              "one block with 20 tasks, and no thieves: each task costs the two that were there "
              "(left, runs), and pop needs one for the last task only");
  /* Long chains are for the clock: what goes wrong without it, goes wrong with short ones. */
  int part = is_judged ? 1 : 10;
  deal(pz, &j, cases[c].shortest / part, cases[c].longest / part, cases[c].sms == 4);
  double best = is_judged ? ideal(pz, &j) : 0;
  launch(pz, &j);
  expect_done(pz, &j);
  if (best > 0)
    pz_rule_makespan(pz, best, 1.2,
                     "a block with nothing left steals from those that have, until nothing is left "
                     "anywhere");
}

PZ_PUZZLE(.title = "Work stealing", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 6, .max_steps = 8000000, .timed = true,
          .learned = "Owner and thieves work at two ends and meet only at the last task: there a "
                     "compare-and-swap decides. Store, fence, look: without the fence both see "
                     "the past.")
