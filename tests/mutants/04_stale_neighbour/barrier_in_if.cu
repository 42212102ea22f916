// expect: BARRIER
// Why: reading and writing are parted, but inside the if: in a ragged last stretch the threads
// without an item wait at the end of the step while the others wait in the middle.

__global__ void smooth(const int *in, int *out, int n, int steps) {
  __shared__ int cell[1024];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int left = max(t - 1, 0), right = min(t + 1, length - 1);

  if (t < length) cell[t] = in[first + t];
  __syncthreads();
  for (int s = 0; s < steps; s++) {
    if (t < length) {
      int mixed = (cell[left] + 2 * cell[t] + cell[right]) / 4;
      __syncthreads();
      cell[t] = mixed;
    }
    __syncthreads();
  }

  if (t < length) out[first + t] = cell[t];
}
