// expect: UNINIT
//
// 18 - Convolution with a halo
//
// Smooth a row of numbers: out[i] is a weighted sum of in[i] and its neighbours up to radius
// places away on both sides. Whoever is d places away counts radius + 1 - |d| times. Beyond both
// ends of in there are only zeros.
//
// A block loads what it needs into shared memory once and takes it from there. What its own
// threads stand for is loaded; the neighbours on both sides are not.
#define MAX_RADIUS  8
#define MAX_THREADS 256

__global__ void smooth(const int *in, int *out, int n, int radius) {
  __shared__ int tile[MAX_RADIUS + MAX_THREADS + MAX_RADIUS];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;

  // tile[0] stands for in[first - radius], tile[radius] for in[first].
  // TODO (about 5 lines): fill all blockDim.x + 2 * radius cells.
  if (i < n) tile[radius + t] = in[i];
  __syncthreads();

  if (i < n) {
    int sum = 0;
    for (int d = -radius; d <= radius; d++)
      sum += (radius + 1 - abs(d)) * tile[radius + t + d];
    out[i] = sum;
  }
}
