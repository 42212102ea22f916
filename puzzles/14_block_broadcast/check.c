/* check.c - 14 Block broadcast: several broadcasts in a row, each from another thread; at most
 * 8 bytes of shared memory. */
#include "puzzle/puzzle.h"

struct shape {
  int n, block, rounds;
};
static const struct shape shapes[] = {{1, 32, 1},     {31, 31, 2},     {32, 32, 2},   {33, 33, 3},
                                      {100, 96, 2},   {255, 100, 3},   {256, 256, 2}, {100, 7, 4},
                                      {1000, 250, 3}, {1000, 1000, 2}, {6000, 512, 5}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

/* One block: x holds a number for each thread, also for those without an item. */
static void reference(int32_t *x, int block, const int32_t *speaker, int rounds) {
  for (int r = 0; r < rounds; r++) {
    int32_t told = x[speaker[r]];
    for (int t = 0; t < block; t++) x[t] += told;
  }
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block, rounds = shapes[c].rounds;
  int blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d rounds=%d", n, block, rounds);
  const int32_t *data = pz_random_i32(pz, (size_t)n, 1, 1000000);
  int32_t *speaker = pz_random_i32(pz, (size_t)rounds, 0, block - 1);
  speaker[rounds - 1] = block - 1; /* never thread 0 alone; with a short last block, one without
                                    * an item */
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *who = pz_in(pz, "speaker", PZ_I32, (size_t)rounds, speaker);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "rounds_of_speakers", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0,
            PZ_BUF(in), PZ_BUF(out), PZ_I(n), PZ_BUF(who), PZ_I(rounds), PZ_END);

  int32_t *want = pz_host(pz, (size_t)(blocks * block) * sizeof *want);
  for (int i = 0; i < n; i++) want[i] = data[i];
  for (int b = 0; b < blocks; b++) reference(want + b * block, block, speaker, rounds);
  pz_expect_i32(pz, out, want);
  pz_rule_max(pz, PZ_SHARED_BYTES, 8,
              "one thread has something to say, so one slot is enough for the block");
  pz_rule_shared_out(pz, (uint64_t)n, "every thread has a number of its own");
}

PZ_PUZZLE(.title = "Block broadcast", .cases = CASES, .small_cases = CASES - 3, .run = run,
          .learned =
              "A collective function that uses shared memory must part its calls from each other: "
              "a barrier after the write, and one after the reads, before the next call writes.")
