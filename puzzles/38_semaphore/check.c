/* 38_semaphore: column sums of floats in slices of rows. Bit for bit those of the sequential sum by
 * slices: any other order shows. Two rounds with the same states; tickets start anew. More blocks
 * than fit on the machine in the last cases, so that a turn must not wait for one to come. */
#include "puzzle/puzzle.h"

static const struct {
  int columns, rows, slices, threads;
} cases[] = {
    {1, 1, 1, 32},    {31, 7, 3, 32},   {32, 9, 4, 16},    {33, 33, 2, 33},    {10, 100, 5, 7},
    {100, 31, 4, 96}, {255, 12, 3, 96}, {256, 40, 2, 256}, {1000, 20, 5, 250}, {1500, 64, 8, 160},
};

/* As the kernel: each slice by itself, then the slices one after the other. */
static float column_sum(const float *table, int c, int columns, int rows, int slices) {
  float total = 0;
  for (int s = 0; s < slices; s++) {
    float mine = 0;
    for (int r = s * rows / slices; r < (s + 1) * rows / slices; r++)
      mine += table[r * columns + c];
    total = s == 0 ? mine : total + mine;
  }
  return total;
}

static void sum_up(struct pz *pz, struct pz_buf *state, int c) {
  int columns = cases[c].columns, rows = cases[c].rows, slices = cases[c].slices;
  int threads = cases[c].threads, tiles = (columns + threads - 1) / threads;
  size_t width = (size_t)columns, cells = width * (size_t)rows;
  /* Some numbers are huge, most are not: the order of the additions decides the last digits. */
  float *table = pz_random_f32(pz, cells, -100.0f, 100.0f);
  for (size_t i = 0; i < cells; i++)
    if (pz_random(pz, 4) == 0) table[i] *= 16384.0f;
  struct pz_buf *in = pz_in(pz, "table", PZ_F32, cells, table);
  struct pz_buf *total = pz_out(pz, "total", PZ_F32, width);
  struct pz_buf *tickets = pz_zero(pz, "tickets", PZ_I32, 1);

  pz_launch(pz, "column_sums", pz_dim((unsigned)(tiles * slices)), pz_dim((unsigned)threads), 0,
            PZ_BUF(in), PZ_BUF(total), PZ_BUF(state), PZ_BUF(tickets), PZ_I(rows), PZ_I(columns),
            PZ_I(slices), PZ_END);

  float *want = pz_host(pz, width * sizeof *want);
  for (int k = 0; k < columns; k++) want[k] = column_sum(table, k, columns, rows, slices);
  pz_expect_f32(pz, total, want, 0, 0);
}

static void run(struct pz *pz, int c) {
  int tiles = (cases[c].columns + cases[c].threads - 1) / cases[c].threads;
  pz_shape(pz, "columns=%d rows=%d slices=%d threads=%d", cases[c].columns, cases[c].rows,
           cases[c].slices, cases[c].threads);
  struct pz_buf *state = pz_zero(pz, "state", PZ_I32, (size_t)tiles);
  sum_up(pz, state, c);
  sum_up(pz, state, c);
}

PZ_PUZZLE(.title = "Semaphore", .cases = sizeof cases / sizeof *cases, .run = run, .small_cases = 8,
          .learned = "Work side by side, write by turns: wait for your number and fence, write, "
                     "meet, fence and call the next number. Only one thread calls it.")
