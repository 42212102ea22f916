// expect: UNINIT
// The tile elements outside of the matrices are not filled. The table of puzzles expects WRONG;
// but with k below 16, as in the first case, they were never written at all: the sum that is
// compared is undefined, and UNINIT comes before WRONG. (Stale values of the step before would be
// WRONG.)
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
    for (int i = 0; i < TILE; i++) sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }

  if (row < m && col < n) c[row * n + col] = sum;
}
