// expect: PASS
// Why: cells without a number are not filled, and not used: the sum leaves them out.

#define MAX_RADIUS  8
#define MAX_THREADS 256

__global__ void smooth(const int *in, int *out, int n, int radius) {
  __shared__ int tile[MAX_RADIUS + MAX_THREADS + MAX_RADIUS];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  for (int k = t; k < blockDim.x + 2 * radius; k += blockDim.x) {
    int from = first - radius + k;
    if (from >= 0 && from < n) tile[k] = in[from];
  }
  __syncthreads();

  if (i < n) {
    int sum = 0;
    for (int d = max(-radius, -i); d <= min(radius, n - 1 - i); d++)
      sum += (radius + 1 - abs(d)) * tile[radius + t + d];
    out[i] = sum;
  }
}
