// expect: RACE
//
// 06 - One writes, all read
//
// A table has `rows` rows of `width` numbers. Each row starts with some zeros (none, or all of the
// row are possible). Move every row to the left, so that it starts with its first number that is
// not zero, and fill up with zeros at the end:
//   0 0 5 0 7   ->   5 0 7 0 0
// A block takes one row after the other: row b, b + gridDim.x, ... Thread 0 looks for the first
// number, and the whole block moves the row.
//
// The work is all there. The threads do not wait for one another yet.

__global__ void align_left(const int *in, int *out, int rows, int width) {
  __shared__ int start; // where the row's first number is; one variable for the whole block
  int t = threadIdx.x;

  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const int *row = in + r * width;

    // TODO (2 lines, at two places in this loop)
    if (t == 0) {
      int found = 0;
      while (found < width && row[found] == 0) found++;
      start = found;
    }

    for (int c = t; c < width; c += blockDim.x)
      out[r * width + c] = start + c < width ? row[start + c] : 0;
  }
}
