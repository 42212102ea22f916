// expect: RULE
// Why: a column of a tile with 32 words a row lies in one bank: 32 passes for each read.

#define TILE 32

__global__ void transpose(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;

  int c = blockIdx.x * TILE + x;
  int r = blockIdx.y * TILE + y;
  if (r < rows && c < cols) tile[y][x] = in[r * cols + c];

  __syncthreads();

  int out_c = blockIdx.y * TILE + x;
  int out_r = blockIdx.x * TILE + y;
  if (out_r < cols && out_c < rows) out[out_r * rows + out_c] = tile[x][y];
}
