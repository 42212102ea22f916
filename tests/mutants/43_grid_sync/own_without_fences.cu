// expect: RACE
// A barrier of its own: all arrive before any goes on, but without fences that orders no memory
// between the blocks.
__device__ float new_heat(const float *now, int i, int width, int height) {
  int x = i % width;
  int y = i / width;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return now[i]; // the rim
  return 0.25f * (now[i - 1] + now[i + 1] + (now[i - width] + now[i + width]));
}

// The blocks' own barrier. Each call waits for the next multiple of the number of blocks.
__device__ unsigned arrived;

__device__ void meet() {
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned before = atomicAdd(&arrived, 1);
    unsigned all = (before / gridDim.x + 1) * gridDim.x;
    while (atomicAdd(&arrived, 0) < all) {
    }
  }
  __syncthreads();
}

__global__ void heat(float *now, float *next, int width, int height, int steps) {
  int cells = width * height;
  int threads = gridDim.x * blockDim.x; // in the whole grid

  for (int s = 0; s < steps; s++) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += threads) {
      next[i] = new_heat(now, i, width, height);
    }
    meet();

    float *swap = now;
    now = next;
    next = swap;
  }
}
