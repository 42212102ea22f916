/* 17_tiled_matmul: C = A * B with ragged M, N, K; counts the global loads. The first cases are
 * small: one tile, one ragged step, several ragged steps in every direction. */
#include "puzzle/puzzle.h"

#define TILE 16

static const struct {
  int m, n, k;
} cases[] = {
    {1, 1, 1},    {16, 16, 16}, {17, 15, 18}, {5, 33, 7},
    {31, 16, 17}, {1, 32, 40},  {32, 33, 31}, {40, 50, 40},
};

static int tiles(int size) { return (size + TILE - 1) / TILE; }

/* Computes want, and returns a bound on the rounding error of any element: k products and k sums.
 */
static double reference(const float *a, const float *b, float *want, int m, int n, int k) {
  double most = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0, sum_abs = 0;
      for (int p = 0; p < k; p++) {
        double product = (double)a[i * k + p] * (double)b[p * n + j];
        sum += product;
        sum_abs += product < 0 ? -product : product;
      }
      want[i * n + j] = (float)sum;
      if (sum_abs > most) most = sum_abs;
    }
  return pz_sum_tolerance_f32((size_t)(2 * k + 1), most);
}

static void run(struct pz *pz, int c) {
  int m = pz_vary(pz, cases[c].m, 1, 40), n = pz_vary(pz, cases[c].n, 1, 40),
      k = pz_vary(pz, cases[c].k, 1, 40);
  pz_shape(pz, "m=%d n=%d k=%d", m, n, k);

  float *a = pz_random_f32(pz, (size_t)(m * k), -2.0f, 2.0f);
  float *b = pz_random_f32(pz, (size_t)(k * n), -2.0f, 2.0f);
  struct pz_buf *in_a = pz_in(pz, "a", PZ_F32, (size_t)(m * k), a);
  struct pz_buf *in_b = pz_in(pz, "b", PZ_F32, (size_t)(k * n), b);
  struct pz_buf *out = pz_out(pz, "c", PZ_F32, (size_t)(m * n));
  pz_launch(pz, "matmul", pz_dim2((unsigned)tiles(n), (unsigned)tiles(m)), pz_dim2(TILE, TILE), 0,
            PZ_BUF(in_a), PZ_BUF(in_b), PZ_BUF(out), PZ_I(m), PZ_I(n), PZ_I(k), PZ_END);

  float *want = pz_host(pz, (size_t)(m * n) * sizeof *want);
  double tolerance = reference(a, b, want, m, n, k);
  pz_expect_f32(pz, out, want, 0, tolerance);

  uint64_t loads = 2u * TILE * TILE * (uint64_t)tiles(m) * (uint64_t)tiles(n) * (uint64_t)tiles(k);
  pz_rule_max(pz, PZ_GLOBAL_LOADS, loads,
              "a thread loads at most one element of a and one of b for each step of 16 along k; "
              "keep them in shared memory for the whole block");
}

PZ_PUZZLE(.title = "Tiled matrix multiplication", .cases = sizeof cases / sizeof *cases, .run = run,
          .small_cases = 6,
          .learned =
              "Load, barrier, use, barrier: the first barrier completes the tile, the second "
              "frees it. Most tiled GPU kernels have this loop.")
