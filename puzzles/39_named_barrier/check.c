/* 39_named_barrier: a producer warp and consumer warps over two slots. Blocks of two warps and
 * more, with 1 to 13 chunks each, so that the slots are used again and the last one is ragged; one
 * case has blocks without any chunk. */
#include "puzzle/puzzle.h"

static const struct {
  int words, threads, blocks;
} cases[] = {{1, 64, 1},    {31, 96, 1},  {32, 64, 2},   {33, 96, 1},    {100, 64, 1},
             {100, 160, 3}, {255, 96, 2}, {256, 128, 1}, {1000, 224, 3}, {3000, 96, 8}};

static void run(struct pz *pz, int c) {
  int words = cases[c].words;
  size_t samples = (size_t)words * 4;
  pz_shape(pz, "words=%d threads=%d blocks=%d", words, cases[c].threads, cases[c].blocks);

  const uint32_t *packed = pz_random_u32(pz, (size_t)words, 0, 0xffffffffu);
  struct pz_buf *in = pz_in(pz, "packed", PZ_U32, (size_t)words, packed);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, samples);
  pz_launch(pz, "smooth", pz_dim((unsigned)cases[c].blocks), pz_dim((unsigned)cases[c].threads), 0,
            PZ_BUF(in), PZ_BUF(out), PZ_I(words), PZ_END);

  int32_t *want = pz_host(pz, samples * sizeof *want);
  for (size_t i = 0; i < samples; i++)
    for (size_t k = 0; k < 4 && k <= i % 128; k++)
      want[i] += (int32_t)(packed[(i - k) / 4] >> 8 * ((i - k) % 4) & 255);
  pz_expect_i32(pz, out, want);

  pz_rule_max(pz, PZ_FULL_BARRIERS, 2,
              "the producer should be a chunk ahead, not stop at every chunk until all consumers "
              "have come: where one side has nothing to wait for, it arrives and goes on");
  pz_rule_max(pz, PZ_GLOBAL_LOADS, 2 * (uint64_t)words,
              "the producer alone reads the words, each of them once");
  pz_rule_min(pz, PZ_SHARED_LOADS, (uint64_t)words,
              "the consumers take the samples from the slots, not from anywhere else");
}

PZ_PUZZLE(.title = "Named barrier", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 8,
          .learned = "A block has 16 barriers. Arrive tells, wait listens: with a full and an "
                     "empty barrier for each slot, two sides run at their own pace.")
