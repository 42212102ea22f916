// expect: PASS
// Why: every thread finds the start itself, in a variable of its own. More work in total, but
// nothing is shared, so nobody needs to wait.

__global__ void align_left(const int *in, int *out, int rows, int width) {
  int t = threadIdx.x;

  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const int *row = in + r * width;

    int start = 0;
    while (start < width && row[start] == 0) start++;
    for (int c = t; c < width; c += blockDim.x)
      out[r * width + c] = start + c < width ? row[start + c] : 0;
  }
}
