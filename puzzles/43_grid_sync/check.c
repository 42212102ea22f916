/* 43_grid_sync: Jacobi steps on a plate, all in one cooperative launch. Grids smaller than the
 * plate (a thread has several cells), larger (a block has none), and one that does not fit the
 * device, which must refuse it. */
#include "puzzle/puzzle.h"

static const struct {
  int width, height, steps, threads, blocks;
} cases[] = {
    {1, 1, 1, 32, 1},    {31, 1, 2, 32, 1},    {8, 4, 3, 32, 2},      {11, 3, 2, 50, 1},
    {10, 10, 4, 96, 1},  {17, 15, 5, 50, 3},   {16, 16, 2, 64, 7},    {40, 25, 3, 96, 4},
    {40, 25, 0, 160, 8}, {60, 50, 6, 128, 16}, {101, 67, 3, 250, 11},
};
enum {
  CASES = sizeof cases / sizeof cases[0],
  TOO_MANY = 2,
  LARGE = CASES - 2,
  SMS = 4,
  BLOCKS_PER_SM = 4
};

/* One step over the whole plate, old to new; the rim keeps its heat. */
static void step(const float *old, float *new, int width, int height) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int i = y * width + x;
      bool rim = x == 0 || y == 0 || x == width - 1 || y == height - 1;
      new[i] = rim ? old[i] : 0.25f * (old[i - 1] + old[i + 1] + (old[i - width] + old[i + width]));
    }
}

static void run(struct pz *pz, int c) {
  int width = cases[c].width, height = cases[c].height, steps = cases[c].steps;
  size_t n = (size_t)(width * height);
  struct pz_dim3 block = pz_dim((unsigned)cases[c].threads);
  pz_shape(pz, "plate=%dx%d steps=%d threads=%d blocks=%d", width, height, steps, cases[c].threads,
           cases[c].blocks);
  pz_gpu(pz, SMS, BLOCKS_PER_SM);

  float *heat = pz_random_f32(pz, n, -100, 100);
  struct pz_buf *plate = pz_in(pz, "plate", PZ_F32, n, heat);
  struct pz_buf *spare = pz_out(pz, "spare", PZ_F32, n);

  if (c == TOO_MANY) {
    /* More than any device holds at once: the machine has room for SMS * BLOCKS_PER_SM. */
    const char *why =
        pz_refusal_cooperative(pz, "heat", pz_dim(1000000), block, 0, PZ_BUF(plate), PZ_BUF(spare),
                               PZ_I(width), PZ_I(height), PZ_I(steps), PZ_END);
    pz_expect(pz, why != NULL, "a cooperative launch of 1000000 blocks was not refused");
    pz_shape(pz, "plate=%dx%d steps=%d threads=%d blocks=%d (refused: %s)", width, height, steps,
             cases[c].threads, cases[c].blocks, why ? why : "nothing");
  }
  pz_launch_cooperative(pz, "heat", pz_dim((unsigned)cases[c].blocks), block, 0, PZ_BUF(plate),
                        PZ_BUF(spare), PZ_I(width), PZ_I(height), PZ_I(steps), PZ_END);

  if (c >= LARGE) {
    /* Five loads one after the other for each cell, and as much for a meeting. Three times that is
     * far more than a second meeting costs, and far less than what one block takes alone. */
    int threads = cases[c].threads * cases[c].blocks;
    int trips = ((int)n + threads - 1) / threads;
    pz_rule_makespan(pz, steps * (trips + 1) * 5 * 400.0, 3, "all blocks have to share the work");
  }

  float *other = pz_host(pz, n * sizeof *other);
  for (int s = 0; s < steps; s++) {
    step(heat, other, width, height);
    float *t = heat;
    heat = other;
    other = t;
  }
  /* The sum of four numbers up to 100 is rounded three times, at 200, 300 and 400 at most; a
   * quarter of that is 225 * 2^-24. The answer and the reference may err in opposite directions,
   * and a mean passes on the errors of the cells that it is made of without making them larger. */
  double tolerance = steps * 2 * 225.0 / (1 << 24);
  pz_expect_f32(pz, steps % 2 ? spare : plate, heat, 0, tolerance);
}

PZ_PUZZLE(.title = "Grid sync", .cases = CASES, .small_cases = LARGE, .timed = true, .run = run,
          .learned =
              "A barrier of the whole grid needs all threads of all blocks, and all blocks on the "
              "GPU at the same time. A cooperative launch sees to the latter, or refuses.")
