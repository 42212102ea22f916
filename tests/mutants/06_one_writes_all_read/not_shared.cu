// expect: WRONG
// Why: without __shared__ every thread has a start of its own, and only the one of thread 0 is ever
// set. No race, and no message either.

__global__ void align_left(const int *in, int *out, int rows, int width) {
  int t = threadIdx.x;

  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const int *row = in + r * width;
    int start = 0;

    if (t == 0) {
      int found = 0;
      while (found < width && row[found] == 0) found++;
      start = found;
    }
    for (int c = t; c < width; c += blockDim.x)
      out[r * width + c] = start + c < width ? row[start + c] : 0;
  }
}
