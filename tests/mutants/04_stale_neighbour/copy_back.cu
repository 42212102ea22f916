// expect: RACE line 17
// Why: a second array, but its contents are copied back into the first at once. Another thread may
// still be reading there.

__global__ void smooth(const int *in, int *out, int n, int steps) {
  __shared__ int cell[1024];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int length = min((int)blockDim.x, n - first);
  int left = max(t - 1, 0), right = min(t + 1, length - 1);
  __shared__ int next[1024];

  if (t < length) cell[t] = in[first + t];
  __syncthreads();
  for (int s = 0; s < steps; s++) {
    if (t < length) next[t] = (cell[left] + 2 * cell[t] + cell[right]) / 4;
    if (t < length) cell[t] = next[t];
    __syncthreads();
  }

  if (t < length) out[first + t] = cell[t];
}
