// 19 - Transpose: reference answer
#define TILE 32

__global__ void transpose(const float *in, float *out, int rows, int cols) {
  // 33 words a row: element (y, x) lies in bank (33 y + x) mod 32 = (y + x) mod 32. Along a row x
  // differs, along a column y does, and either way the 32 lanes hit 32 banks.
  __shared__ float tile[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y;

  // A warp has 32 values of x and one of y: it reads 32 neighbours in a row of in.
  int c = blockIdx.x * TILE + x;
  int r = blockIdx.y * TILE + y;
  if (r < rows && c < cols) tile[y][x] = in[r * cols + c];

  // From here on a thread needs what another warp loaded. All threads come here, also those that
  // stick out over the edge.
  __syncthreads();

  // The tile of out is mirrored at the diagonal, and so are the block's coordinates; the thread's
  // are not, so that x again counts along a row. What sticks out is another part of the tile than
  // before, hence a test of its own.
  int out_c = blockIdx.y * TILE + x;
  int out_r = blockIdx.x * TILE + y;
  if (out_r < cols && out_c < rows) out[out_r * rows + out_c] = tile[x][y];
}
