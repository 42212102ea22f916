// expect: BOUNDS
// Why: the test of the load is used for the write as well. In a matrix that is not square, other
// threads stick out there, and some of them would write behind the end of out.

#define TILE 32

__global__ void transpose(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y;

  int c = blockIdx.x * TILE + x;
  int r = blockIdx.y * TILE + y;
  if (r < rows && c < cols) tile[y][x] = in[r * cols + c];

  __syncthreads();

  int out_c = blockIdx.y * TILE + x;
  int out_r = blockIdx.x * TILE + y;
  if (r < rows && c < cols) out[out_r * rows + out_c] = tile[x][y];
}
