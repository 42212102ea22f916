// expect: RULE
// Why: goes through shared memory, but every thread takes back the element that it put there and
// writes it where the direct kernel does.

#define TILE 32

__global__ void transpose(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int c = blockIdx.x * TILE + x;
  int r = blockIdx.y * TILE + y;

  if (r < rows && c < cols) tile[y][x] = in[r * cols + c];
  __syncthreads();
  if (r < rows && c < cols) out[c * rows + r] = tile[y][x];
}
