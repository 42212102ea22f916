// 17_tiled_matmul - a reference answer.
//
// Load, barrier, use, barrier. The first barrier: a thread reads 30 tile elements that others
// wrote, so all writes of this step come before all reads. The second: the next step writes over
// the tiles, so all reads of this step come before those writes.
//
// The loop bound is k, the same in every thread: all 256 threads of the block meet at each
// barrier, also those that have no element of c. Outside of the matrices the tiles hold 0, which
// adds nothing to a sum; nothing out of range is read. Each thread makes at most two global loads
// a step.
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
    __syncthreads(); // the tiles are complete
    for (int i = 0; i < TILE; i++) sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads(); // the tiles are free
  }

  if (row < m && col < n) c[row * n + col] = sum;
}
