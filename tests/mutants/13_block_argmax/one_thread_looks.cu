// expect: RULE
// Thread 0 looks through the whole stretch of its block.

struct item {
  int value;
  int index;
};

// Of two items, the one that stays in the game. (__device__: a function that kernels may call.)
__device__ struct item larger(struct item a, struct item b) { return b.value > a.value ? b : a; }

__global__ void block_extremes(const int *in, int n, int *max_value, int *max_index, int *min_value,
                               int *min_index) {
  int first = blockIdx.x * blockDim.x, items = min((int)blockDim.x, n - first), h = first,
      l = first;
  if (threadIdx.x) return;
  for (int k = first; k < first + items; k++) {
    if (in[k] > in[h]) h = k;
    if (in[k] < in[l]) l = k;
  }
  max_value[blockIdx.x] = in[h];
  max_index[blockIdx.x] = h;
  min_value[blockIdx.x] = in[l];
  min_index[blockIdx.x] = l;
}
