// expect: UNINIT
// Why: each thread zeroes one bin. A block of fewer than 256 threads leaves bins out: they are
// counted in, and merged, without ever having been zeroed.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  __shared__ int bin[BINS];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  if (t < BINS) bin[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&bin[data[i]], 1);
  __syncthreads();
  for (int b = t; b < BINS; b += blockDim.x) atomicAdd(&hist[b], bin[b]);
}
