// expect: RACE
// 43_grid_sync - Jacobi steps over a whole plate, in one launch.
//
// The plate has width x height cells. In each step every inner cell becomes the mean of its four
// neighbours, all at once: the new values go to the other array, and the two swap their roles. Cells
// on the rim stay as they are. After all the steps the result is in the first array if their number
// is even, in the second one if it is odd.
//
// The grid may have fewer threads than there are cells (each then has several), or more: a block
// without any cell goes home.
//
// Your task: a step may begin only when the last one is done everywhere, and a block at the end of the
// plate reads cells that another block has written. Let the whole grid meet. The launch is
// cooperative, so cooperative_groups::this_grid().sync() works; mind what it asks of every block.
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

  // TODO (about 3 lines in all): the whole grid meets after each step
  if (blockIdx.x * blockDim.x >= cells) return; // nothing to do for this block

  for (int s = 0; s < steps; s++) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += threads) {
      next[i] = new_heat(now, i, width, height);
    }
    __syncthreads();

    float *swap = now;
    now = next;
    next = swap;
  }
}
