// expect: RACE line 32
// Why: a step reads items that other threads wrote in the step before, and may even see the value
// of one item with the index of another.

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

  if (t < items) high[t] = low[t] = {in[first + t], first + t};
  __syncthreads();
  for (int width = items; width > 1;) {
    int half = (width + 1) / 2;
    if (t + half < width) {
      high[t] = larger(high[t], high[t + half]);
      low[t] = smaller(low[t], low[t + half]);
    }
    width = half;
  }

  if (t == 0) {
    max_value[blockIdx.x] = high[0].value;
    max_index[blockIdx.x] = high[0].index;
    min_value[blockIdx.x] = low[0].value;
    min_index[blockIdx.x] = low[0].index;
  }
}
