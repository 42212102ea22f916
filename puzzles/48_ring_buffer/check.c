/* 48_ring_buffer: producers and consumers in different blocks, a ring that is mostly far too small,
 * two launches on the same ring. Each item comes out once, whole, and in the order of its producer
 * as far as one consumer can tell; tail and head count pushes and pops. */
#include "puzzle/puzzle.h"

#define LAUNCHES 2

static const struct {
  int n, size, threads, producers, consumers;
} cases[] = {
    {1, 1, 32, 1, 1},   {31, 4, 24, 1, 1},    {12, 1, 3, 1, 2}, {33, 8, 33, 1, 1},
    {30, 5, 7, 2, 1},   {40, 64, 50, 1, 1},   {25, 3, 1, 3, 2}, {40, 7, 6, 2, 2},
    {80, 32, 40, 2, 2}, {200, 100, 70, 2, 3},
};

struct ring {
  struct pz_buf *tail, *head, *turn, *cell;
};

/* What came out, pair by pair: number and value. Consumer thread i has the pairs i, i + consumers,
 * and so on; the items of producer thread p are p, p + producers, and so on. false: said why not.
 */
static bool expect_once(struct pz *pz, const int32_t *got, int n, int producers, int consumers) {
  int *times = pz_host(pz, (size_t)n * sizeof *times);
  for (int i = 0; i < n; i++) {
    int number = (int)got[2 * i];
    bool is_item = number >= 0 && number < n;
    pz_expect(pz, is_item, "pop %d of %d brought item %d, but items are numbered from 0 to %d", i,
              n, number, n - 1);
    if (!is_item) return false;
    times[number]++;
  }
  for (int i = 0; i < n; i++)
    if (times[i] != 1) {
      pz_expect(pz, false, "item %d of %d came out %d times; each must come out once", i, n,
                times[i]);
      return false;
    }
  int *latest = pz_host(pz, (size_t)producers * sizeof *latest);
  for (int c = 0; c < consumers; c++) {
    for (int p = 0; p < producers; p++) latest[p] = -1;
    for (int i = c; i < n; i += consumers) {
      int number = (int)got[2 * i], from = number % producers;
      if (number < latest[from]) {
        pz_expect(
            pz, false,
            "one thread pushed item %d and then %d; one thread popped %d and then %d. First in, "
            "first out",
            number, latest[from], latest[from], number);
        return false;
      }
      latest[from] = number;
    }
  }
  return true;
}

/* The items of this launch went through the ring: the latest push to a cell is still there. */
static void expect_passed_through(struct pz *pz, const struct ring *r, const int32_t *value, int n,
                                  int size, int pushes) {
  int32_t *cell = pz_host(pz, 2 * (size_t)size * sizeof *cell);
  pz_get(pz, r->cell, cell);
  for (int t = pushes - (n < size ? n : size); t < pushes; t++) {
    int at = t % size, number = (int)cell[2 * at];
    bool is_item = number >= 0 && number < n && cell[2 * at + 1] == value[number];
    pz_expect(pz, is_item, "push %d went to cell %d, but no item of this launch lies there", t, at);
    if (!is_item) return;
  }
}

static void relay(struct pz *pz, const struct ring *r, int c, int launch) {
  int n = cases[c].n, threads = cases[c].threads;
  unsigned blocks = (unsigned)(cases[c].producers + cases[c].consumers);
  const int32_t *value = pz_random_i32(pz, (size_t)n, -1000000, 1000000);
  struct pz_buf *in = pz_in(pz, "value", PZ_I32, (size_t)n, value);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, 2 * (size_t)n);
  pz_launch(pz, "relay", pz_dim(blocks), pz_dim((unsigned)threads), 0, PZ_BUF(in), PZ_I(n),
            PZ_I(cases[c].producers), PZ_BUF(r->tail), PZ_BUF(r->head), PZ_BUF(r->turn),
            PZ_BUF(r->cell), PZ_I(cases[c].size), PZ_BUF(out), PZ_END);

  int32_t *got = pz_host(pz, 2 * (size_t)n * sizeof *got);
  pz_get(pz, out, got);
  if (expect_once(pz, got, n, cases[c].producers * threads, cases[c].consumers * threads)) {
    int32_t *want = pz_host(pz, 2 * (size_t)n * sizeof *want);
    for (int i = 0; i < n; i++) {
      want[2 * i] = got[2 * i];
      want[2 * i + 1] = value[got[2 * i]];
    }
    pz_expect_i32(pz, out, want);
  }
  const int32_t count = launch * n;
  pz_expect_i32(pz, r->tail, &count);
  pz_expect_i32(pz, r->head, &count);
  expect_passed_through(pz, r, value, n, cases[c].size, count);
}

static void run(struct pz *pz, int c) {
  size_t size = (size_t)cases[c].size;
  pz_shape(pz, "n=%d size=%d threads=%d producers=%d consumers=%d", cases[c].n, cases[c].size,
           cases[c].threads, cases[c].producers, cases[c].consumers);
  struct ring r = {pz_zero(pz, "tail", PZ_I32, 1), pz_zero(pz, "head", PZ_I32, 1),
                   pz_zero(pz, "turn", PZ_I32, size), pz_out(pz, "cell", PZ_I32, 2 * size)};
  for (int launch = 1; launch <= LAUNCHES; launch++) relay(pz, &r, c, launch);
}

PZ_PUZZLE(.title = "Ring buffer", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 8, .max_steps = 40000000,
          .learned = "Reserve, wait, write, publish. A number for each cell says whose turn it is, "
                     "and fences around it make the item, and its reading, part of the turn.")
