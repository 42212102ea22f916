// expect: BARRIER
// Why: threads without an output leave before the barrier. The others wait for them, and part of
// the halo is not filled either.

#define MAX_RADIUS  8
#define MAX_THREADS 256

__global__ void smooth(const int *in, int *out, int n, int radius) {
  __shared__ int tile[MAX_RADIUS + MAX_THREADS + MAX_RADIUS];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  if (i >= n) return;
  for (int k = t; k < blockDim.x + 2 * radius; k += blockDim.x) {
    int from = first - radius + k;
    tile[k] = from >= 0 && from < n ? in[from] : 0;
  }
  __syncthreads();

  if (i < n) {
    int sum = 0;
    for (int d = -radius; d <= radius; d++)
      sum += (radius + 1 - abs(d)) * tile[radius + t + d];
    out[i] = sum;
  }
}
