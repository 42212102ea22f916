// expect: PASS
// Right with one barrier a step: two pairs of tiles in turn. Who loads step s + 1 writes the pair
// that was read in step s - 1, and the barrier of step s lies between.
#define TILE 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float tile_a[2][TILE][TILE];
  __shared__ float tile_b[2][TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  int now = 0;
  for (int base = 0; base < k; base += TILE) {
    tile_a[now][ty][tx] = row < m && base + tx < k ? a[row * k + base + tx] : 0.0f;
    tile_b[now][ty][tx] = base + ty < k && col < n ? b[(base + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += tile_a[now][ty][i] * tile_b[now][i][tx];
    now = 1 - now;
  }

  if (row < m && col < n) c[row * n + col] = sum;
}
