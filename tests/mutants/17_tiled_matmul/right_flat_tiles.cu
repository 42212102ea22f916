// expect: PASS
// Right, in another style: flat tiles, b transposed in shared memory both when written and when
// read, and a helper function that loads.
#define TILE 16

__device__ float at(const float *x, int rows, int cols, int r, int q) {
  if (r < rows && q < cols) return x[r * cols + q];
  return 0.0f;
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float ta[TILE * TILE];
  __shared__ float tb[TILE * (TILE + 1)];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  int steps = (k + TILE - 1) / TILE;

  float sum = 0.0f;
  for (int s = 0; s < steps; s++) {
    ta[ty * TILE + tx] = at(a, m, k, row, s * TILE + tx);
    tb[tx * (TILE + 1) + ty] = at(b, k, n, s * TILE + ty, col);
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += ta[ty * TILE + i] * tb[tx * (TILE + 1) + i];
    __syncthreads();
  }

  if (row < m && col < n) c[row * n + col] = sum;
}
