// expect: WRONG
// 24_shuffle_xor - the butterfly: a warp's total, in every lane, in five steps.
//
// Each thread has one number, in[i]. Every thread of a warp shall learn the sum, the largest and
// the smallest of the warp's 32 numbers, and write them to sum[i], largest[i] and smallest[i].
//
// Your task: __shfl_down_sync moves numbers one way only, so the sum arrives in lane 0 and
// nowhere else. Let both lanes of each pair learn from each other instead, with __shfl_xor_sync.
// Then do the same for the largest and the smallest.
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  // TODO (about 7 lines): total, high and low of the warp, in every lane.
  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_down_sync(FULL, total, step);
  }

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
