/* 52_claims: four kernels, static or with a queue, the price inside the loop or before it. Counters
 * say whether each differs from its neighbours in one thing only; the cycles of the four, under the
 * cost model, say which conclusion is right. */
#include <inttypes.h>
#include "puzzle/puzzle.h"

/* price() is PRICE instructions or more in either compiler's optimised build, a trip of a loop
 * without it at most TRIP; an item, or a thread that finds none, has at most ITEM around its loop.
 */
enum { PRICE = 10, TRIP = 6, ITEM = 100 };
/* What a conclusion can be: a sum of what made it faster. */
enum { QUEUE = 1, HOISTING = 2 };

static const struct {
  int n, period, threads, sms, blocks_per_sm;
} cases[] = {
    {1, 8, 32, 1, 1},   {31, 8, 64, 1, 2},   {33, 8, 32, 2, 1},
    {100, 5, 96, 1, 1}, {255, 3, 160, 2, 1}, {5000, 160, 160, 1, 8},
};
enum { CASES = sizeof cases / sizeof *cases, COMPARED = CASES - 1 };

static const char *const names[2][2] = {{"static_inside", "static_outside"},
                                        {"queue_inside", "queue_outside"}};

struct lab {
  int n, threads, resident; /* resident: blocks */
  unsigned period;
  double trips; /* of all items */
  struct pz_buf *input;
  float *want;
  uint64_t cycles[2][2]; /* [queue][outside] */
  bool ok;               /* each kernel is what its name says */
};

/* The series of price() in doubles. */
static float total(double x, int trips) {
  double q = x * x;
  double s = x * (1 + q * (-1.0 / 6 + q * (1.0 / 120 - q / 5040)));
  double c = 1 + q * (-1.0 / 2 + q * (1.0 / 24 - q / 720));
  return (float)(trips * s * c);
}

static void rule_price(struct pz *pz, struct lab *lab, const char *name, bool outside) {
  double did = (double)pz_count(pz, PZ_THREAD_INSTRUCTIONS);
  double around = (double)ITEM * (lab->n + lab->threads * lab->resident);
  double in_loop = PRICE * lab->trips, most = TRIP * lab->trips + around;
  bool ok = outside ? did <= most : did >= in_loop;
  if (did <= 0) return; /* not judged in this run */
  lab->ok = lab->ok && ok;
  if (outside)
    pz_rule(
        pz, ok,
        "%s executes %.0f thread instructions, where one price for each of the %d items makes at "
        "most %.0f: the price is still worked out in the loop.",
        name, did, lab->n, most);
  else
    pz_rule(pz, ok,
            "%s executes %.0f thread instructions, where a price in each of %.0f trips alone makes "
            "%.0f: the price has left the loop, which is the other change.",
            name, did, lab->trips, in_loop);
}

/* A counter far beyond the items was moved on in huge portions: the first warp got them all. */
static void rule_queue(struct pz *pz, struct lab *lab, const char *name, bool queue, int drawn) {
  uint64_t atomics = pz_count(pz, PZ_GLOBAL_ATOMICS);
  bool ok = queue ? drawn >= lab->n && drawn <= 2 * lab->n : atomics == 0;
  if (!pz_count(pz, PZ_THREAD_INSTRUCTIONS)) return;
  lab->ok = lab->ok && ok;
  if (!queue)
    pz_rule(pz, ok,
            "%s makes %" PRIu64 " atomic operations, where none are allowed: its items are settled "
            "beforehand. A queue would be the other change.",
            name, atomics);
  else
    pz_rule(pz, atomics >= (uint64_t)lab->resident,
            "%s makes %" PRIu64 " atomic operations with %d blocks: a block that draws its items "
            "from the queue goes there at least once.",
            name, atomics, lab->resident);
  if (queue)
    pz_rule(
        pz, ok,
        "%s leaves the counter at %d; with %d items, drawn in portions of which every warp gets "
        "some, it ends between %d and %d.",
        name, drawn, lab->n, lab->n, 2 * lab->n);
}

static void run_one(struct pz *pz, struct lab *lab, bool queue, bool outside, bool compared) {
  const char *name = names[queue][outside];
  struct pz_buf *out = pz_out(pz, name, PZ_F32, (size_t)lab->n);
  struct pz_buf *next = pz_zero(pz, "next", PZ_I32, 1);
  struct pz_dim3 block = pz_dim((unsigned)lab->threads);
  int blocks = queue ? lab->resident : (lab->n + lab->threads - 1) / lab->threads;
  int32_t drawn = 0;
  if (queue)
    pz_launch(pz, name, pz_dim((unsigned)blocks), block, 0, PZ_BUF(lab->input), PZ_BUF(out),
              PZ_I(lab->n), PZ_I(lab->period), PZ_BUF(next), PZ_END);
  else
    pz_launch(pz, name, pz_dim((unsigned)blocks), block, 0, PZ_BUF(lab->input), PZ_BUF(out),
              PZ_I(lab->n), PZ_I(lab->period), PZ_END);
  pz_get(pz, next, &drawn);
  /* A handful of roundings in the price, and one for each trip. */
  pz_expect_f32(pz, out, lab->want, (lab->period + 16) * 0x1p-23, 1e-30);
  lab->cycles[queue][outside] = pz_count(pz, PZ_MAKESPAN);
  if (!compared) return;
  rule_queue(pz, lab, name, queue, drawn);
  rule_price(pz, lab, name, outside);
}

/* Does going from a to b make it faster by a tenth or more, in both lines of the table? */
static bool gains(uint64_t a1, uint64_t b1, uint64_t a2, uint64_t b2) {
  return (double)a1 > 1.1 * (double)b1 && (double)a2 > 1.1 * (double)b2;
}

static int32_t ask(struct pz *pz) {
  struct pz_buf *answer = pz_out(pz, "answer", PZ_I32, 1);
  int32_t said = 0;
  pz_launch(pz, "conclusion", pz_dim(1), pz_dim(1), 0, PZ_BUF(answer), PZ_END);
  pz_get(pz, answer, &said);
  return said;
}

static void conclude(struct pz *pz, const struct lab *lab, int said) {
  if (!lab->cycles[0][0] || !lab->ok) return;
  uint64_t si = lab->cycles[0][0], so = lab->cycles[0][1];
  uint64_t qi = lab->cycles[1][0], qo = lab->cycles[1][1];
  int found = (gains(si, qi, so, qo) ? QUEUE : 0) | (gains(si, so, qi, qo) ? HOISTING : 0);
  static const char *const words[] = {"neither change", "the queue", "hoisting", "both changes"};
  pz_rule(pz, said == found,
          "The conclusion is: %s. The cycles say otherwise: static_inside %" PRIu64
          ", queue_inside %" PRIu64 ", static_outside %" PRIu64 ", queue_outside %" PRIu64
          ". Compare two that differ in one thing; a difference of less than a tenth is none.",
          said >= 0 && said < 4 ? words[said] : "none of the four", si, qi, so, qo);
}

static void run(struct pz *pz, int c) {
  struct lab lab = {.n = cases[c].n,
                    .threads = cases[c].threads,
                    .resident = cases[c].sms * cases[c].blocks_per_sm,
                    .period = (unsigned)cases[c].period,
                    .ok = true};
  pz_shape(pz, "n=%d period=%d threads=%d", lab.n, cases[c].period, lab.threads);
  float *data = pz_random_f32(pz, (size_t)lab.n, 0.1f, 0.7f);
  lab.input = pz_in(pz, "input", PZ_F32, (size_t)lab.n, data);
  lab.want = pz_host(pz, (size_t)lab.n * sizeof *lab.want);
  for (int i = 0; i < lab.n; i++) {
    lab.trips += i % cases[c].period;
    lab.want[i] = total(data[i], i % cases[c].period);
  }
  pz_gpu(pz, (unsigned)cases[c].sms, (unsigned)cases[c].blocks_per_sm);
  int said = ask(pz); /* first: the report draws the last launch */
  for (int outside = 0; outside < 2; outside++)
    for (int queue = 0; queue < 2; queue++) run_one(pz, &lab, queue, outside, c == COMPARED);
  if (c == COMPARED) conclude(pz, &lab, said);
}

PZ_PUZZLE(.title = "Claims", .cases = CASES, .run = run, .small_cases = CASES - 1, .timed = true,
          .max_steps = 40000000, /* the large case, lanes one by one */
          .learned = "One figure for two changes says nothing about either: change one thing at a "
                     "time. docs/claims.md has more such claims, measured on an H200.")
