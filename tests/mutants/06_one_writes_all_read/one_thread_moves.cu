// expect: WRONG|RULE
// Thread 0 finds the start and moves the row, too: nobody has to wait, and nobody helps.

__global__ void align_left(const int *in, int *out, int rows, int width) {
  __shared__ int start; // where the row's first number is; one variable for the whole block
  int t = threadIdx.x;

  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const int *row = in + r * width;

    if (t == 0) {
      int found = 0;
      while (found < width && row[found] == 0) found++;
      start = found;
    }

    if (t == 0)
      for (int c = 0; c < width; c++) out[r * width + c] = start + c < width ? row[start + c] : 0;
  }
}
