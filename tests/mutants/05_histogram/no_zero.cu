// expect: UNINIT
// Why: shared memory does not start as zero; the counts are added to whatever was there.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  __shared__ int bin[BINS];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&bin[data[i]], 1);
  __syncthreads();
  for (int b = t; b < BINS; b += blockDim.x) atomicAdd(&hist[b], bin[b]);
}
