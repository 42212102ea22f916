// 43_grid_sync - a reference answer.
//
// grid.sync() holds every thread of every block until all of them are there, and orders memory for
// all of them. One meeting a step is enough: what is written in a step are the cells of the array
// that nobody reads in it, and before the roles are swapped everybody has finished reading.
//
// No block may go home early, not even one without a cell: the others would wait for it for ever.
// Its threads make no trip through the inner loop, but come to each meeting; `steps` is the same
// for all. That the blocks can wait for each other at all, because all of them are on the GPU, is
// what the cooperative launch guarantees.
#include <cooperative_groups.h>

__device__ float new_heat(const float *now, int i, int width, int height) {
  int x = i % width;
  int y = i / width;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return now[i]; // the rim
  return 0.25f * (now[i - 1] + now[i + 1] + (now[i - width] + now[i + width]));
}

__global__ void heat(float *now, float *next, int width, int height, int steps) {
  int cells = width * height;
  int threads = gridDim.x * blockDim.x; // in the whole grid

  auto grid = cooperative_groups::this_grid();
  for (int s = 0; s < steps; s++) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += threads) {
      next[i] = new_heat(now, i, width, height);
    }
    grid.sync();

    float *swap = now;
    now = next;
    next = swap;
  }
}
