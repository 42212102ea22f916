// expect: RULE
// Why: writes rows, but reads columns: the expensive trip has only moved.

#define TILE 32

__global__ void transpose(const float *in, float *out, int rows, int cols) {
  int c = blockIdx.x * TILE + threadIdx.y;
  int r = blockIdx.y * TILE + threadIdx.x;

  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
