// expect: WRONG
//
// 16 - Exclusive scan
//
// out[i] is the sum of all items *before* in[i] in the same stretch, without in[i] itself: the
// first one of a stretch is 0. A stretch has two items for each thread of the block; the number of
// threads is a power of two.
//
// The up-sweep is there: a tree of sums, built in place. The way back down is yours.

__global__ void exclusive_scan(const int *in, int *out, int n) {
  __shared__ int sum[1024];
  int t = threadIdx.x;
  int size = 2 * blockDim.x;
  int first = blockIdx.x * size;

  for (int k = t; k < size; k += blockDim.x) sum[k] = first + k < n ? in[first + k] : 0;

  // Up: the cell at the right end of each group of 2d cells gets the sum of the group.
  for (int d = 1; d < size; d *= 2) {
    __syncthreads();
    int right = (t + 1) * 2 * d - 1; // thread t takes care of group t, as long as there is one
    if (right < size) sum[right] += sum[right - d];
  }

  // TODO (about 10 lines): clear the root, then go down.

  __syncthreads();
  for (int k = t; k < size; k += blockDim.x)
    if (first + k < n) out[first + k] = sum[k];
}
