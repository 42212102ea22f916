// expect: WRONG
// Why: threads without an item bring a filler that no real value can be below, but with the index
// of the first item, and it wins the tie against a real INT_MIN (and a real INT_MAX).

struct item {
  int value;
  int index;
};
__device__ item larger(item a, item b) {
  bool b_wins = b.value > a.value || (b.value == a.value && b.index < a.index);
  return b_wins ? b : a;
}

__device__ item smaller(item a, item b) {
  bool b_wins = b.value < a.value || (b.value == a.value && b.index < a.index);
  return b_wins ? b : a;
}

__global__ void block_extremes(const int *in, int n, int *max_value, int *max_index,
                               int *min_value, int *min_index) {
  __shared__ item high[256];
  __shared__ item low[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int items = min((int)blockDim.x, n - first);

  high[t] = {t < items ? in[first + t] : -2147483647 - 1, t < items ? first + t : first - 1};
  low[t] = {t < items ? in[first + t] : 2147483647, t < items ? first + t : first - 1};
  __syncthreads();
  for (int width = blockDim.x; width > 1;) {
    int half = (width + 1) / 2;
    if (t + half < width) {
      high[t] = larger(high[t], high[t + half]);
      low[t] = smaller(low[t], low[t + half]);
    }
    __syncthreads();
    width = half;
  }

  if (t == 0) {
    max_value[blockIdx.x] = high[0].value;
    max_index[blockIdx.x] = high[0].index;
    min_value[blockIdx.x] = low[0].value;
    min_index[blockIdx.x] = low[0].index;
  }
}
