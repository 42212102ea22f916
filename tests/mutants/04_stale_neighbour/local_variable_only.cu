// expect: RACE line 17
// Why: the new value goes through a local variable, but without a barrier between reading and
// writing that only spells the same collision in two lines.

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
    if (t < length) cell[t] = mixed;
    __syncthreads();
  }

  if (t < length) out[first + t] = cell[t];
}
