/* check.c - 10 One barrier too many: mix with the mirror image, cut, sum up neighbours; at most
 * three barriers. Fewer are possible (a second array saves one) and welcome. */
#include "puzzle/puzzle.h"

enum { LOUDEST = 1000 };
struct shape {
  int n, block;
};
static const struct shape shapes[] = {{1, 32},    {31, 32},   {32, 32},   {33, 64},   {100, 96},
                                      {255, 100}, {256, 256}, {1000, 80}, {5000, 250}};
enum { CASES = sizeof shapes / sizeof shapes[0] };

static void treat(const int32_t *in, int32_t *out, int32_t *cut, int length) {
  for (int t = 0; t < length; t++) {
    int32_t mixed = in[t] + in[length - 1 - t];
    cut[t] = mixed < LOUDEST ? mixed : LOUDEST;
  }
  for (int t = 0; t < length; t++)
    out[t] = cut[t > 0 ? t - 1 : 0] + cut[t] + cut[t + 1 < length ? t + 1 : t];
}

static void run(struct pz *pz, int c) {
  int n = pz_vary(pz, shapes[c].n, 1, 700), block = shapes[c].block,
      blocks = (n + block - 1) / block;
  pz_shape(pz, "n=%d block=%d", n, block);
  const int32_t *data = pz_random_i32(pz, (size_t)n, -1500, 1500);
  struct pz_buf *in = pz_in(pz, "in", PZ_I32, (size_t)n, data);
  struct pz_buf *out = pz_out(pz, "out", PZ_I32, (size_t)n);
  pz_launch(pz, "treat", pz_dim((unsigned)blocks), pz_dim((unsigned)block), 0, PZ_BUF(in),
            PZ_BUF(out), PZ_I(n), PZ_END);

  int32_t *want = pz_host(pz, (size_t)n * sizeof *want);
  int32_t *cut = pz_host(pz, (size_t)block * sizeof *cut);
  for (int first = 0; first < n; first += block)
    treat(data + first, want + first, cut, n - first < block ? n - first : block);
  pz_expect_i32(pz, out, want);
  pz_rule_max(pz, PZ_BARRIERS, 3,
              "only three pairs of steps touch a cell of another thread, one of them writing");
  pz_rule_shared_out(pz, (uint64_t)n, "every thread treats one sample");
}

PZ_PUZZLE(.title = "One barrier too many", .cases = CASES, .small_cases = CASES - 1, .run = run,
          .learned =
              "A barrier is needed where one thread writes a cell on one side of it and another "
              "thread touches that cell on the other side. Everywhere else it only costs.")
