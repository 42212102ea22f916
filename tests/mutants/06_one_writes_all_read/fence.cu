// expect: RACE line 19
// Why: a fence puts the accesses of one thread in order and makes nobody wait: the readers have no
// way to know that start is there.

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
    __threadfence_block();
    for (int c = t; c < width; c += blockDim.x)
      out[r * width + c] = start + c < width ? row[start + c] : 0;
    __syncthreads();
  }
}
