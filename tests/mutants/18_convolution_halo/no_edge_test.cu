// expect: BOUNDS
// Why: the first block reads in[-radius].

#define MAX_RADIUS  8
#define MAX_THREADS 256

__global__ void smooth(const int *in, int *out, int n, int radius) {
  __shared__ int tile[MAX_RADIUS + MAX_THREADS + MAX_RADIUS];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  for (int k = t; k < blockDim.x + 2 * radius; k += blockDim.x) tile[k] = in[first - radius + k];
  __syncthreads();

  if (i < n) {
    int sum = 0;
    for (int d = -radius; d <= radius; d++)
      sum += (radius + 1 - abs(d)) * tile[radius + t + d];
    out[i] = sum;
  }
}
