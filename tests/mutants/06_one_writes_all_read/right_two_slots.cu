// expect: PASS
// Why: the rows use two variables in turn. When thread 0 writes one of them again, two rows later,
// the barrier of the row between has seen everybody done with it. One barrier a row is enough.

__global__ void align_left(const int *in, int *out, int rows, int width) {
  __shared__ int start[2];
  int t = threadIdx.x;
  int turn = 0;

  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const int *row = in + r * width;

    if (t == 0) {
      int found = 0;
      while (found < width && row[found] == 0) found++;
      start[turn % 2] = found;
    }
    __syncthreads();
    int from = start[turn % 2];
    turn++;
    for (int c = t; c < width; c += blockDim.x)
      out[r * width + c] = from + c < width ? row[from + c] : 0;
  }
}
