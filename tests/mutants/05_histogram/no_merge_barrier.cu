// expect: RACE line 14
// Why: the keeper of a bin merges it while others still count in it.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  __shared__ int bin[BINS];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  for (int b = t; b < BINS; b += blockDim.x) bin[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&bin[data[i]], 1);
  for (int b = t; b < BINS; b += blockDim.x) atomicAdd(&hist[b], bin[b]);
}
