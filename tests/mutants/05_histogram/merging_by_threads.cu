// expect: WRONG
// Why: zeroing visits all bins, but merging only as many as there are threads.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  __shared__ int bin[BINS];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  for (int b = t; b < BINS; b += blockDim.x) bin[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&bin[data[i]], 1);
  __syncthreads();
  if (t < BINS) atomicAdd(&hist[t], bin[t]);
}
