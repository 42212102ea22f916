// expect: WRONG
// Why: each thread adds all bins, so each count arrives once for every thread of the block. (It
// breaks the rule as well, but wrong values come first.)

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  __shared__ int bin[BINS];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  for (int b = t; b < BINS; b += blockDim.x) bin[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&bin[data[i]], 1);
  __syncthreads();
  for (int b = 0; b < BINS; b++) atomicAdd(&hist[b], bin[b]);
}
