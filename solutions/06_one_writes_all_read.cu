// 06 - One writes, all read: reference answer
//
// `start` changes hands twice in every turn: from the one writer to all readers, and from all
// readers back to the writer of the next row. Each handover is a barrier. All threads of a block
// work on the same rows, so all come to both barriers equally often.

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
    __syncthreads(); // start is there: all may read it. Outside the if: the readers wait, too

    for (int c = t; c < width; c += blockDim.x)
      out[r * width + c] = start + c < width ? row[start + c] : 0;
    __syncthreads(); // all are done with start: thread 0 may find the next one
  }
}
