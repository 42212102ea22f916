// expect: RULE
// Only b is tiled; a still comes from global memory, 16 loads a thread and step.
#define TILE 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float tile_b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE) {
    tile_b[ty][tx] = base + ty < k && col < n ? b[(base + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE && base + i < k; i++) {
      if (row < m) sum += a[row * k + base + i] * tile_b[i][tx];
    }
    __syncthreads();
  }

  if (row < m && col < n) c[row * n + col] = sum;
}
