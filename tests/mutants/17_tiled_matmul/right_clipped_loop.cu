// expect: PASS
// Right without zeros: the inner loop stops at k. Threads outside of c add up undefined elements
// of the tiles, but nothing depends on those sums: they are never stored.
#define TILE 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE) {
    if (row < m && base + tx < k) tile_a[ty][tx] = a[row * k + base + tx];
    if (base + ty < k && col < n) tile_b[ty][tx] = b[(base + ty) * n + col];
    __syncthreads();
    int len = min(TILE, k - base);
    for (int i = 0; i < len; i++) sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }

  if (row < m && col < n) c[row * n + col] = sum;
}
