// expect: WRONG
//
// 13 - Block argmax
//
// For each block: the largest of its items and where it stands, the smallest of its items and
// where it stands. "Where" is the index into in. If several items are equally large (or small),
// the one with the lowest index counts.
//
// The block has a stretch of in as long as it has threads; the last stretch may be shorter. The
// tree for the largest is there. It carries value and index together as one item.

struct item {
  int value;
  int index;
};

// Of two items, the one that stays in the game. (__device__: a function that kernels may call.)
__device__ struct item larger(struct item a, struct item b) {
  return b.value > a.value ? b : a;
}

__global__ void block_extremes(const int *in, int n, int *max_value, int *max_index,
                               int *min_value, int *min_index) {
  __shared__ struct item high[256];
  int t = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int items = min((int)blockDim.x, n - first);

  if (t < items) {
    high[t].value = in[first + t];
    high[t].index = first + t;
  }
  __syncthreads();

  for (int width = items; width > 1;) {
    int half = (width + 1) / 2;
    if (t + half < width) high[t] = larger(high[t], high[t + half]);
    __syncthreads();
    width = half;
  }

  if (t == 0) {
    max_value[blockIdx.x] = high[0].value;
    max_index[blockIdx.x] = high[0].index;
  }
  // TODO (about 12 lines): the smallest item too. And does larger() do what is promised above?
}
