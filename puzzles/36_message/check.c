/* 36_message: pairs of blocks, a letter and a flag for each. Letters are longer and shorter than
 * the block; the reader of each number is another thread than its writer. */
#include "puzzle/puzzle.h"

static const struct {
  int n, threads, pairs;
} cases[] = {
    {1, 32, 1},   {31, 32, 1},  {32, 32, 2},  {33, 7, 1},    {100, 1, 1},
    {100, 50, 3}, {255, 96, 1}, {256, 33, 2}, {1000, 96, 1}, {1500, 160, 6},
};

/* In this case mail is in: who reads the draft instead of the letter reads what the sender changes.
 */
enum { OVER_THE_DRAFT = 5 };

static void run(struct pz *pz, int c) {
  int n = cases[c].n, pairs = cases[c].pairs;
  size_t count = (size_t)n * (size_t)pairs;
  pz_shape(pz, "n=%d threads=%d blocks=%d", n, cases[c].threads, 2 * pairs);

  const int32_t *in = pz_random_i32(pz, count, -1000000, 1000000);
  struct pz_buf *from = pz_in(pz, "in", PZ_I32, count, in);
  struct pz_buf *mail = c == OVER_THE_DRAFT ? from : pz_out(pz, "mail", PZ_I32, count);
  struct pz_buf *flag = pz_zero(pz, "flag", PZ_I32, (size_t)pairs);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, count);
  pz_launch(pz, "exchange", pz_dim(2 * (unsigned)pairs), pz_dim((unsigned)cases[c].threads), 0,
            PZ_BUF(from), PZ_BUF(mail), PZ_BUF(flag), PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, count * sizeof *want);
  for (int p = 0; p < pairs; p++)
    for (int i = 0; i < n; i++) want[p * n + i] = 2 * in[p * n + n - 1 - i] + 1;
  pz_expect_i32(pz, out, want);
}

PZ_PUZZLE(.title = "Message", .cases = sizeof cases / sizeof *cases, .run = run, .small_cases = 8,
          .learned = "Data, fence, flag on one side; flag, fence, data on the other. A barrier on "
                     "each side lets one thread speak for its block.")
