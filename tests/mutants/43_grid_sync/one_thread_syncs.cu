// expect: BARRIER|RACE|DEADLOCK
// One thread of each block shall meet on behalf of the others. But it is a barrier of all threads.
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
    if (threadIdx.x == 0) cooperative_groups::this_grid().sync();
    __syncthreads();

    float *swap = now;
    now = next;
    next = swap;
  }
}
