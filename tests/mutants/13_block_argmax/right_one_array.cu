// expect: PASS
// Why: two trees one after the other in one array, which is filled again between them. That needs
// no barrier of its own: a thread refills its own cell only, the last barrier of the first tree
// lies between the others' reads and the refill, and cell 0 is read and refilled by thread 0.

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
  __shared__ item best[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int items = min((int)blockDim.x, n - first);

  if (t < items) best[t] = {in[first + t], first + t};
  __syncthreads();
  for (int width = items; width > 1; width = (width + 1) / 2) {
    int half = (width + 1) / 2;
    if (t + half < width) best[t] = larger(best[t], best[t + half]);
    __syncthreads();
  }
  if (t == 0) {
    max_value[blockIdx.x] = best[0].value;
    max_index[blockIdx.x] = best[0].index;
  }

  if (t < items) best[t] = {in[first + t], first + t};
  __syncthreads();
  for (int width = items; width > 1; width = (width + 1) / 2) {
    int half = (width + 1) / 2;
    if (t + half < width) best[t] = smaller(best[t], best[t + half]);
    __syncthreads();
  }
  if (t == 0) {
    min_value[blockIdx.x] = best[0].value;
    min_index[blockIdx.x] = best[0].index;
  }
}
