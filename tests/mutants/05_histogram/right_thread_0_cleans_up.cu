// expect: PASS
// Why: one thread zeroes and merges for the whole block. The others wait for it, so it is slow, but
// the phases are parted just the same.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  __shared__ int bin[BINS];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  if (t == 0) {
    for (int b = 0; b < BINS; b++) bin[b] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&bin[data[i]], 1);
  __syncthreads();
  if (t == 0) {
    for (int b = 0; b < BINS; b++) {
      if (bin[b] > 0) atomicAdd(&hist[b], bin[b]);
    }
  }
}
