// expect: PASS
// Why: value and index in one 64-bit number, so that one comparison orders both. For the largest
// the index is turned round: of equal values the lower index makes the larger number.

__global__ void block_extremes(const int *in, int n, int *max_value, int *max_index,
                               int *min_value, int *min_index) {
  __shared__ long long high[256], low[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int items = min((int)blockDim.x, n - first);

  if (t < items) {
    long long value = (long long)in[first + t] * 65536;
    high[t] = value + 65535 - t;
    low[t] = value + t;
  }
  __syncthreads();

  for (int width = items; width > 1; width = (width + 1) / 2) {
    int half = (width + 1) / 2;
    if (t + half < width) {
      if (high[t + half] > high[t]) high[t] = high[t + half];
      if (low[t + half] < low[t]) low[t] = low[t + half];
    }
    __syncthreads();
  }

  if (t == 0) {
    max_value[blockIdx.x] = (int)(high[0] >> 16);
    max_index[blockIdx.x] = first + 65535 - (int)(high[0] & 65535);
    min_value[blockIdx.x] = (int)(low[0] >> 16);
    min_index[blockIdx.x] = first + (int)(low[0] & 65535);
  }
}
