// expect: WRONG
// No read is out of range, since indices are clamped; but the last column and row are counted
// again and again instead of zeros.
#define TILE 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE) {
    int ka = min(base + tx, k - 1), kb = min(base + ty, k - 1);
    tile_a[ty][tx] = a[min(row, m - 1) * k + ka];
    tile_b[ty][tx] = b[kb * n + min(col, n - 1)];
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }

  if (row < m && col < n) c[row * n + col] = sum;
}
