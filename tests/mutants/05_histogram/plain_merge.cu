// expect: RACE line 16
// Why: inside a block each bin has one keeper, but every block has one: two blocks add to the same
// cell of hist, and no barrier reaches over blocks.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  __shared__ int bin[BINS];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  for (int b = t; b < BINS; b += blockDim.x) bin[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&bin[data[i]], 1);
  __syncthreads();
  for (int b = t; b < BINS; b += blockDim.x) hist[b] += bin[b];
}
