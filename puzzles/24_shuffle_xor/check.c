/* 24_shuffle_xor: sum, largest and smallest of each warp, in every lane. Full warps only (ragged
 * ones are the subject of 28); counts shuffles and shared memory. */
#include "puzzle/puzzle.h"

#define WARP 32

static const struct {
  int blocks, threads;
} cases[] = {{1, 32}, {1, 64}, {1, 96}, {2, 160}, {3, 32}, {1, 256}, {5, 96}, {1, 1024}, {8, 512}};

static void reference(const int32_t *in, int32_t *sum, int32_t *largest, int32_t *smallest, int n) {
  for (int first = 0; first < n; first += WARP) {
    int32_t total = 0, high = in[first], low = in[first];
    for (int i = first; i < first + WARP; i++) {
      total += in[i];
      if (in[i] > high) high = in[i];
      if (in[i] < low) low = in[i];
    }
    for (int i = first; i < first + WARP; i++) {
      sum[i] = total;
      largest[i] = high;
      smallest[i] = low;
    }
  }
}

static void run(struct pz *pz, int c) {
  int n = cases[c].blocks * cases[c].threads;
  size_t count = (size_t)n;
  pz_shape(pz, "blocks=%d threads=%d", cases[c].blocks, cases[c].threads);

  /* All below zero or all above it in some cases, so that a wrong start value shows. */
  int32_t lo = c % 3 == 1 ? 1 : -1000000, hi = c % 3 == 2 ? -1 : 1000000;
  const int32_t *in = pz_random_i32(pz, count, lo, hi);
  struct pz_buf *from = pz_in(pz, "in", PZ_I32, count, in);
  struct pz_buf *sum = pz_out(pz, "sum", PZ_I32, count);
  struct pz_buf *largest = pz_out(pz, "largest", PZ_I32, count);
  struct pz_buf *smallest = pz_out(pz, "smallest", PZ_I32, count);
  pz_launch(pz, "butterfly", pz_dim((unsigned)cases[c].blocks), pz_dim((unsigned)cases[c].threads),
            0, PZ_BUF(from), PZ_BUF(sum), PZ_BUF(largest), PZ_BUF(smallest), PZ_END);

  int32_t *want_sum = pz_host(pz, count * sizeof *want_sum);
  int32_t *want_largest = pz_host(pz, count * sizeof *want_largest);
  int32_t *want_smallest = pz_host(pz, count * sizeof *want_smallest);
  reference(in, want_sum, want_largest, want_smallest, n);
  pz_expect_i32(pz, sum, want_sum);
  pz_expect_i32(pz, largest, want_largest);
  pz_expect_i32(pz, smallest, want_smallest);

  pz_rule_max(pz, PZ_SHARED_BYTES, 0, "shuffles pass values between registers, without memory");
  pz_rule_max(pz, PZ_MAX_WARP_SHUFFLES, 15,
              "three values, five bits in a lane number: five shuffles for each value");
  /* Three, not one: who writes in[i] three times is right as well. */
  pz_rule_max(pz, PZ_GLOBAL_LOADS, 3 * (uint64_t)n,
              "each lane reads its own number; those of the others come by shuffles");
}

PZ_PUZZLE(.title = "Shuffle xor", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 7,
          .learned =
              "In a butterfly both partners learn from each other: after one step per bit of "
              "the lane number every lane has the result.")
