// expect: RULE
// No tile, no barrier: every thread reads the whole table from global memory.

__global__ void distances(const int *mine, int n, const int *table, int m, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  if (i >= n) return;
  for (int k = 0; k < m; k++) sum += abs(mine[i] - table[k]);
  out[i] = sum;
}
