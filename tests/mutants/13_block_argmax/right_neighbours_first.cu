// expect: PASS
// Why: a tree of neighbours keeps the order: all items of the left cell have lower indices than
// those of the right cell. Here "on a tie keep mine" is right.

struct item {
  int value;
  int index;
};

__global__ void block_extremes(const int *in, int n, int *max_value, int *max_index,
                               int *min_value, int *min_index) {
  __shared__ item high[256];
  __shared__ item low[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int items = min((int)blockDim.x, n - first);

  if (t < items) high[t] = low[t] = {in[first + t], first + t};
  __syncthreads();

  for (int d = 1; d < items; d *= 2) {
    if (t % (2 * d) == 0 && t + d < items) {
      if (high[t + d].value > high[t].value) high[t] = high[t + d];
      if (low[t + d].value < low[t].value) low[t] = low[t + d];
    }
    __syncthreads();
  }

  if (t == 0) {
    max_value[blockIdx.x] = high[0].value;
    max_index[blockIdx.x] = high[0].index;
    min_value[blockIdx.x] = low[0].value;
    min_index[blockIdx.x] = low[0].index;
  }
}
