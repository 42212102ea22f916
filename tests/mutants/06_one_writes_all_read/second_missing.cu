// expect: RACE line 15
// Why: the second row overwrites start while slow threads still move the first row by it. One row
// for each block would not show it.

__global__ void align_left(const int *in, int *out, int rows, int width) {
  __shared__ int start;
  int t = threadIdx.x;

  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const int *row = in + r * width;

    if (t == 0) {
      int found = 0;
      while (found < width && row[found] == 0) found++;
      start = found;
    }
    __syncthreads();
    for (int c = t; c < width; c += blockDim.x)
      out[r * width + c] = start + c < width ? row[start + c] : 0;
  }
}
