// expect: RULE
//
// 05 - Histogram
//
// How often does each of the 256 byte values occur? hist[v] is 0 for all v when the kernel starts
// and counts the v among all n bytes when it ends.
//
// The kernel below is right. It is also slow: all threads of all blocks queue up at the same 256
// counters in global memory, one trip for each byte. Give every block a histogram of its own in
// shared memory, and let it go to global memory once for each value, at the end.

#define BINS 256

__global__ void histogram(const unsigned char *data, int n, int *hist) {
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x; // in the whole grid

  // TODO (about 8 lines): zero, count, merge. A block may have fewer threads than bins.
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += threads) atomicAdd(&hist[data[i]], 1);
}
