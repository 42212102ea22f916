// expect: RACE line 18
// __syncwarp joins 32 threads, that is two rows of the tile; the tile of b comes from all 8
// warps.
#define TILE 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE) {
    tile_a[ty][tx] = row < m && base + tx < k ? a[row * k + base + tx] : 0.0f;
    tile_b[ty][tx] = base + ty < k && col < n ? b[(base + ty) * n + col] : 0.0f;
    __syncwarp();
    for (int i = 0; i < TILE; i++) sum += tile_a[ty][i] * tile_b[i][tx];
    __syncwarp();
  }

  if (row < m && col < n) c[row * n + col] = sum;
}
