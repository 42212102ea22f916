// 05 - Histogram: reference answer
//
// Three phases, two borders. The borders need a barrier each, since every thread may touch every
// bin while counting, and in the other phases a bin has one thread that looks after it.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  __shared__ int bin[BINS]; // this block's own counts
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  // Shared memory starts out with anything in it. The loop covers all bins with any block size.
  for (int b = t; b < BINS; b += blockDim.x) bin[b] = 0;
  __syncthreads(); // nobody counts in a bin that is still to be zeroed

  // Threads of one block still collide in a bin, so the addition stays atomic. But the counter is
  // near, and only this block queues there.
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&bin[data[i]], 1);
  __syncthreads(); // nobody merges a bin that still grows

  // Other blocks merge into the same 256 cells at the same time: atomic again.
  for (int b = t; b < BINS; b += blockDim.x) {
    if (bin[b] > 0) atomicAdd(&hist[b], bin[b]);
  }
}
