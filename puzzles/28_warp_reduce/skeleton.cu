// expect: DEADLOCK line 24
//
// 28 - Warp reduce
//
// Each warp writes the sum, the largest and the smallest of its numbers to sum[w], largest[w] and
// smallest[w], where w is the number of the warp in the grid. The last warp with numbers may have
// fewer than 32 of them, and warps after it have none: these write nothing. Any int but the
// lowest, -2147483648, may occur; sums fit.
//
// The tree below is right for full warps. The block has whole warps only.
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void reduce(const int *in, int *sum, int *largest, int *smallest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;

  // TODO (about 6 lines): let lanes without a number take part, and do no harm
  if (i >= n) return;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_down_sync(FULL, total, step);
    high = max(high, __shfl_down_sync(FULL, high, step));
    low = min(low, __shfl_down_sync(FULL, low, step));
  }

  if (lane == 0) {
    sum[i / 32] = total;
    largest[i / 32] = high;
    smallest[i / 32] = low;
  }
}
