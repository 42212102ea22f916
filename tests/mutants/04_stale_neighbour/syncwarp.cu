// expect: RACE line 18
// Why: __syncwarp() parts reading from writing for 32 threads. Cell 31 and cell 32 are neighbours,
// their threads belong to two warps.

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
    __syncwarp();
    if (t < length) cell[t] = mixed;
    __syncthreads();
  }

  if (t < length) out[first + t] = cell[t];
}
