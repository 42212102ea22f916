// expect: PASS
// One instruction for each result.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  total = __reduce_add_sync(FULL, total);
  high = __reduce_max_sync(FULL, high);
  low = __reduce_min_sync(FULL, low);

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
