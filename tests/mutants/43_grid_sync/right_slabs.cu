// expect: PASS
// Right: each block has a stretch of the plate instead of every so many cells, and the last meeting,
// after which nothing comes, is left out.
#include <cooperative_groups.h>

__device__ float new_heat(const float *now, int i, int width, int height) {
  int x = i % width;
  int y = i / width;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return now[i]; // the rim
  return 0.25f * (now[i - 1] + now[i + 1] + (now[i - width] + now[i + width]));
}

__global__ void heat(float *now, float *next, int width, int height, int steps) {
  int cells = width * height;
  int share = (cells + gridDim.x - 1) / gridDim.x;
  int from = blockIdx.x * share;
  int to = min(from + share, cells);

  for (int s = 0; s < steps; s++) {
    for (int i = from + threadIdx.x; i < to; i += blockDim.x) {
      next[i] = new_heat(now, i, width, height);
    }
    if (s + 1 < steps) cooperative_groups::this_grid().sync();

    float *swap = now;
    now = next;
    next = swap;
  }
}
