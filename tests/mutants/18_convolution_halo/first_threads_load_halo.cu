// expect: UNINIT
// Why: the usual way, right in blocks with at least as many threads as the radius; a block of 3
// threads fills 3 cells of a halo of 8.

#define MAX_RADIUS  8
#define MAX_THREADS 256

__global__ void smooth(const int *in, int *out, int n, int radius) {
  __shared__ int tile[MAX_RADIUS + MAX_THREADS + MAX_RADIUS];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int i = first + t;
  tile[radius + t] = i < n ? in[i] : 0;
  if (t < radius) {
    int left = i - radius, right = i + (int)blockDim.x;
    tile[t] = left >= 0 ? in[left] : 0;
    tile[radius + blockDim.x + t] = right < n ? in[right] : 0;
  }
  __syncthreads();

  if (i < n) {
    int sum = 0;
    for (int d = -radius; d <= radius; d++)
      sum += (radius + 1 - abs(d)) * tile[radius + t + d];
    out[i] = sum;
  }
}
