// 04 - Stale neighbour: reference answer
//
// A step has two halves, "all read" and "all write", and a barrier on either side of each half.
// Between the halves the new value waits in `mixed`: a local variable is a thread's own, so
// nothing that a neighbour does can change it.

__global__ void smooth(const int *in, int *out, int n, int steps) {
  __shared__ int cell[1024];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int left = max(t - 1, 0), right = min(t + 1, length - 1);
  int mixed = 0;

  if (t < length) cell[t] = in[first + t];
  __syncthreads();

  for (int s = 0; s < steps; s++) {
    if (t < length) mixed = (cell[left] + 2 * cell[t] + cell[right]) / 4;
    __syncthreads(); // all have read the old values: they may be overwritten now
    if (t < length) cell[t] = mixed;
    __syncthreads(); // all have written the new ones: the next step may read them
  }

  // Each thread reads only the cell that it wrote itself, which needs no barrier.
  if (t < length) out[first + t] = cell[t];
}
