// expect: RULE
// Right: one block does it all, and needs no one to wait for. The others, 15 of 16, do nothing.
__device__ float new_heat(const float *now, int i, int width, int height) {
  int x = i % width;
  int y = i / width;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return now[i]; // the rim
  return 0.25f * (now[i - 1] + now[i + 1] + (now[i - width] + now[i + width]));
}

__global__ void heat(float *now, float *next, int width, int height, int steps) {
  int cells = width * height;
  if (blockIdx.x != 0) return;

  for (int s = 0; s < steps; s++) {
    for (int i = threadIdx.x; i < cells; i += blockDim.x) {
      next[i] = new_heat(now, i, width, height);
    }
    __syncthreads();

    float *swap = now;
    now = next;
    next = swap;
  }
}
