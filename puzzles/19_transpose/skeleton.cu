// expect: RULE
//
// 19 - Transpose
//
// in is a matrix of rows x cols numbers, row by row; out is the same matrix with rows and columns
// exchanged: out has cols rows, each of rows numbers, and out[c][r] = in[r][c].
//
// Blocks have 32 x 32 threads, and a block takes care of one 32 x 32 tile of in. A row of threads
// (equal threadIdx.y) is one warp.
//
// The kernel is right. But in one of its two trips to global memory a warp walks down a column.
#define TILE 32

__global__ void transpose(const float *in, float *out, int rows, int cols) {
  int c = blockIdx.x * TILE + threadIdx.x;
  int r = blockIdx.y * TILE + threadIdx.y;

  // TODO (about 8 lines): through a tile in shared memory
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
