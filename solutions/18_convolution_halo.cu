// 18 - Convolution with a halo: reference answer
#define MAX_RADIUS  8
#define MAX_THREADS 256

__global__ void smooth(const int *in, int *out, int n, int radius) {
  __shared__ int tile[MAX_RADIUS + MAX_THREADS + MAX_RADIUS];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;

  // Who fills a cell has nothing to do with who uses it: the cells are dealt out to the threads in
  // turn, so the loop is right for any radius and block size. Neighbouring threads read
  // neighbouring numbers. Cells without a number get 0, which adds nothing; the test comes before
  // the access, so nothing outside of in is touched. Each number is read once for each block.
  for (int k = t; k < blockDim.x + 2 * radius; k += blockDim.x) {
    int from = first - radius + k;
    tile[k] = from >= 0 && from < n ? in[from] : 0;
  }

  // A thread uses cells of up to 16 other threads. Those without an output of their own have
  // helped to fill, and come here as well.
  __syncthreads();

  if (i < n) {
    int sum = 0;
    for (int d = -radius; d <= radius; d++)
      sum += (radius + 1 - abs(d)) * tile[radius + t + d];
    out[i] = sum;
  }
}
