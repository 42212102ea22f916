// expect: PASS
// Right: the roles stay; the new values are copied back. That takes two meetings a step.
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

  for (int s = 0; s < steps; s++) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += threads) {
      next[i] = new_heat(now, i, width, height);
    }
    cooperative_groups::this_grid().sync();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += threads) {
      now[i] = next[i];
    }
    cooperative_groups::this_grid().sync();
  }
  // The result belongs to the array that the task says; each thread copies its own cells.
  if (steps % 2) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += threads) next[i] = now[i];
  }
}
