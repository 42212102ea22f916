// expect: RULE
// One thread counts for the whole grid: no atomics at all.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x; // in the whole grid

  if (blockIdx.x == 0 && t == 0)
    for (int i = 0; i < n; i++) hist[data[i]]++;
}
