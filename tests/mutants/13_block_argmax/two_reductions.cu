// expect: WRONG
// Why: value and index are reduced apart from each other. The values are right; the index is the
// lowest of all that met, not that of the value.

__global__ void block_extremes(const int *in, int n, int *max_value, int *max_index,
                               int *min_value, int *min_index) {
  __shared__ int high[256], high_at[256], low[256], low_at[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int items = min((int)blockDim.x, n - first);

  if (t < items) {
    high[t] = low[t] = in[first + t];
    high_at[t] = low_at[t] = first + t;
  }
  __syncthreads();

  for (int width = items; width > 1; width = (width + 1) / 2) {
    int half = (width + 1) / 2;
    if (t + half < width) {
      high[t] = max(high[t], high[t + half]);
      high_at[t] = min(high_at[t], high_at[t + half]);
      low[t] = min(low[t], low[t + half]);
      low_at[t] = min(low_at[t], low_at[t + half]);
    }
    __syncthreads();
  }

  if (t == 0) {
    max_value[blockIdx.x] = high[0];
    max_index[blockIdx.x] = high_at[0];
    min_value[blockIdx.x] = low[0];
    min_index[blockIdx.x] = low_at[0];
  }
}
