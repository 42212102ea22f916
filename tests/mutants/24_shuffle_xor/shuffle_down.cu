// expect: WRONG
// One way only: all three results are complete in lane 0 and in no other lane. (A lane past 31
// does not exist, so the high lanes get their own value back and count it twice.)
#define FULL 0xffffffffu

__global__ void butterfly(const int *in, int *sum, int *largest, int *smallest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = in[i];
  int high = in[i];
  int low = in[i];

  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_down_sync(FULL, total, step);
    high = max(high, __shfl_down_sync(FULL, high, step));
    low = min(low, __shfl_down_sync(FULL, low, step));
  }

  sum[i] = total;
  largest[i] = high;
  smallest[i] = low;
}
