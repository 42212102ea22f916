// expect: RULE
// 17_tiled_matmul - the producer-consumer loop: load a tile together, use it together, repeat.
//
// c = a * b, where a is m x k, b is k x n and c is m x n, all stored row by row. Blocks are 16 x
// 16 threads; the thread at (col, row) of the grid computes c[row][col].
//
// The kernel below is right, but each thread fetches its whole row of a and column of b from
// global memory: 2 * k loads a thread, although the 256 threads of a block share most of what
// they fetch.
//
// Your task: walk along k in steps of 16. In each step the block loads one 16 x 16 tile of a and
// one of b into shared memory, one element of each per thread, and all threads compute from the
// tiles.
#define TILE 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;

  // TODO (about 14 lines): tiles in shared memory; m, n and k need not be multiples of 16.
  float sum = 0.0f;
  if (row < m && col < n) {
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
  }

  if (row < m && col < n) c[row * n + col] = sum;
}
