// expect: RACE line 18
// Why: __syncwarp() reaches the 31 neighbours of thread 0 only. Other warps read too early.

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
    __syncwarp();
    for (int c = t; c < width; c += blockDim.x)
      out[r * width + c] = start + c < width ? row[start + c] : 0;
    __syncthreads();
  }
}
