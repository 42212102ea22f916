// 13 - Block argmax: reference answer

struct item {
  int value;
  int index;
};

// The tree folds the upper half of the cells onto the lower half, so after one step a cell may hold
// an item from far right, and the cell right of it one from further left. Only the index itself
// says who comes first. With this rule it does not matter any more which items meet in which
// order.
__device__ struct item larger(struct item a, struct item b) {
  bool b_wins = b.value > a.value || (b.value == a.value && b.index < a.index);
  return b_wins ? b : a;
}

__device__ struct item smaller(struct item a, struct item b) {
  bool b_wins = b.value < a.value || (b.value == a.value && b.index < a.index);
  return b_wins ? b : a;
}

__global__ void block_extremes(const int *in, int n, int *max_value, int *max_index,
                               int *min_value, int *min_index) {
  __shared__ struct item high[256];
  __shared__ struct item low[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int items = min((int)blockDim.x, n - first);

  if (t < items) {
    high[t].value = in[first + t];
    high[t].index = first + t;
    low[t] = high[t];
  }
  __syncthreads();

  // The tree starts with as many cells as there are items, so no filler is needed for threads
  // without one. items is the same in all threads of the block, and so are the barriers. Two trees
  // in two arrays do not disturb each other: one barrier a step serves both.
  for (int width = items; width > 1;) {
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
