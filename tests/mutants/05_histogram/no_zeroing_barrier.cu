// expect: RACE line 12
// Why: a quick thread counts in a bin that its keeper is yet to zero: that count is lost.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  __shared__ int bin[BINS];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  for (int b = t; b < BINS; b += blockDim.x) bin[b] = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&bin[data[i]], 1);
  __syncthreads();
  for (int b = t; b < BINS; b += blockDim.x) atomicAdd(&hist[b], bin[b]);
}
