/* 51_balance: jobs of uneven length on persistent warps, three sizes of GPU. Every job once; the
 * makespan is compared with equal work for all warps, whose cost two calibration launches give. */
#include "puzzle/puzzle.h"

#define WARP 32

enum shape { ANY, RISING, FALLING, SAWTOOTH };
enum { JITTER = 2, BOOK_PAGES = 96, TRIPS = 48, PAGE_FEW = 8, PAGE_MANY = 40 };
static const char *const shape_name[] = {"any", "rising", "falling", "sawtooth"};

/* mean: pages of a job. Without a shape the case is there for the values alone. */
static const struct {
  int jobs, threads, blocks, sms;
  enum shape shape;
  int mean;
} cases[] = {
    {1, 32, 1, 1, ANY, 3},       {31, 64, 2, 2, ANY, 3},     {33, 32, 1, 1, ANY, 3},
    {100, 96, 2, 2, ANY, 3},     {110, 160, 3, 3, ANY, 2},   {1013, 32, 10, 5, RISING, 14},
    {913, 96, 3, 3, RISING, 14}, {613, 64, 2, 2, RISING, 8}, {913, 96, 3, 3, SAWTOOTH, 14},
    {613, 64, 2, 2, FALLING, 8},
};

static int warps_of(int c) { return cases[c].threads / WARP * cases[c].blocks; }

/* From 1 to about twice the mean. A tooth is as long as there are warps: whoever takes every
 * warps-th job always gets the same height. */
static int32_t *lengths(struct pz *pz, int c) {
  int jobs = cases[c].jobs, top = 2 * cases[c].mean, warps = warps_of(c);
  int32_t *pages = pz_random_i32(pz, (size_t)jobs, 0, JITTER);
  for (int j = 0; j < jobs; j++) switch (cases[c].shape) {
    case RISING: pages[j] += top * j / jobs; break;
    case FALLING: pages[j] += top - top * j / jobs; break;
    case SAWTOOTH: pages[j] += top * (j % warps) / warps; break;
    default: pages[j] = (int32_t)pz_random(pz, (uint32_t)(top + 1)); break;
    }
  return pages;
}

/* Cycles of the cost model for one job of that many pages, alone on a GPU. */
static double alone(struct pz *pz, struct pz_buf *book, int pages) {
  const int32_t from = 0;
  struct pz_buf *f = pz_in(pz, "from", PZ_I32, 1, &from);
  struct pz_buf *p = pz_in(pz, "pages", PZ_I32, 1, &pages);
  struct pz_buf *total = pz_out(pz, "total", PZ_I32, 1);
  struct pz_buf *runs = pz_zero(pz, "runs", PZ_I32, 1);
  pz_launch(pz, "one_job", pz_dim(1), pz_dim(WARP), 0, PZ_BUF(book), PZ_BUF(f), PZ_BUF(p),
            PZ_BUF(total), PZ_BUF(runs), PZ_END);
  return (double)pz_count(pz, PZ_MAKESPAN);
}

/* Equal work for all warps, in cycles. The price of a page and of a job comes from one_job, so that
 * waste in serve does not raise it; and it is never more than what serve's warps worked on average,
 * so that a slow one_job does not either. */
static double ideal(struct pz *pz, int c, const int32_t *pages, double few, double many) {
  double page = (many - few) / (PAGE_MANY - PAGE_FEW), job = few - PAGE_FEW * page, sum = 0;
  double worked = (double)pz_count(pz, PZ_WORKED_WARP_CYCLES) / warps_of(c);
  for (int j = 0; j < cases[c].jobs; j++) sum += job + page * pages[j];
  sum /= warps_of(c);
  return worked < sum ? worked : sum;
}

/* Each job exactly once: names the first that was not. */
static void expect_once(struct pz *pz, struct pz_buf *runs, int jobs) {
  int32_t *got = pz_host(pz, (size_t)jobs * sizeof *got);
  pz_get(pz, runs, got);
  int bad = 0;
  while (bad < jobs && got[bad] == 1) bad++;
  if (bad == jobs) return;
  pz_expect(pz, false, "job %d was done %d times; each job must be done exactly once", bad,
            (int)got[bad]);
}

static void run(struct pz *pz, int c) {
  int jobs = cases[c].jobs, blocks = cases[c].blocks;
  size_t n = (size_t)jobs;
  pz_shape(pz, "jobs=%d (%s) warps=%d SMs=%d", jobs, shape_name[cases[c].shape], warps_of(c),
           cases[c].sms);
  const int32_t *words = pz_random_i32(pz, BOOK_PAGES * WARP, -1000, 5000);
  int32_t *from = pz_random_i32(pz, n, 0, BOOK_PAGES - PAGE_MANY - 1), *pages = lengths(pz, c);
  struct pz_buf *book = pz_in(pz, "book", PZ_I32, BOOK_PAGES * WARP, words);
  pz_gpu(pz, (unsigned)cases[c].sms, (unsigned)(blocks / cases[c].sms));
  double few = alone(pz, book, PAGE_FEW), many = alone(pz, book, PAGE_MANY);

  struct pz_buf *f = pz_in(pz, "from", PZ_I32, n, from), *p = pz_in(pz, "pages", PZ_I32, n, pages);
  struct pz_buf *total = pz_out(pz, "total", PZ_I32, n), *runs = pz_zero(pz, "runs", PZ_I32, n);
  struct pz_buf *next = pz_zero(pz, "next", PZ_I32, 1);
  pz_launch(pz, "serve", pz_dim((unsigned)blocks), pz_dim((unsigned)cases[c].threads), 0,
            PZ_BUF(book), PZ_BUF(f), PZ_BUF(p), PZ_BUF(total), PZ_BUF(runs), PZ_BUF(next),
            PZ_I(jobs), PZ_END);

  expect_once(pz, runs, jobs);
  int32_t *want = pz_host(pz, n * sizeof *want);
  for (int j = 0; j < jobs; j++)
    for (int w = 0; w < pages[j] * WARP; w++) want[j] += words[from[j] * WARP + w];
  pz_expect_i32(pz, total, want);

  if (cases[c].shape == ANY) return; /* too few jobs to balance */
  pz_rule_max(pz, PZ_GLOBAL_ATOMICS, (uint64_t)(TRIPS * warps_of(c)),
              "48 trips to the counter for each warp, where each lane that calls atomicAdd counts: "
              "take larger portions");
  pz_rule_min(
      pz, PZ_GLOBAL_ATOMICS, (uint64_t)blocks,
      "jobs are drawn from the counter: each warp, or at least each block, has to go there to "
      "find out that none are left");
  if (pz_count(pz, PZ_MAKESPAN))
    pz_rule_makespan(pz, ideal(pz, c, pages, few, many), 1.1,
                     "ideal is equal work for all warps and no trips to the counter. What is above "
                     "it is warps that were done early, or trips");
}

PZ_PUZZLE(.title = "Balance", .cases = sizeof cases / sizeof *cases, .run = run, .small_cases = 5,
          .timed = true, .max_steps = 20000000, /* lanes one by one */
          .learned = "A queue balances as finely as its portions. Size them by the share of a "
                     "worker: too large and all wait for the last one, too small and all queue at "
                     "the counter.")
