// 28 - Warp reduce: reference answer
#define FULL    0xffffffffu // all 32 lanes take part
#define LOWEST  (-2147483647 - 1)
#define HIGHEST 2147483647

__global__ void reduce(const int *in, int *sum, int *largest, int *smallest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;

  // Nobody returns: the shuffles name all 32 lanes. Who has no number starts with the neutral
  // element of each operation, so that it can be combined with any number and not be noticed.
  int total = 0;
  int high = LOWEST;
  int low = HIGHEST;
  if (i < n) total = high = low = in[i];

  // After the step 16 the lanes 0 to 15 hold what two lanes had, after the step 8 the lanes 0 to 7
  // what four lanes had, and after five steps lane 0 what all 32 had.
  for (int step = 16; step > 0; step /= 2) {
    total += __shfl_down_sync(FULL, total, step);
    high = max(high, __shfl_down_sync(FULL, high, step));
    low = min(low, __shfl_down_sync(FULL, low, step));
  }

  // Warps without numbers have taken part with neutral elements only, and write nothing.
  if (lane == 0 && i < n) {
    sum[i / 32] = total;
    largest[i / 32] = high;
    smallest[i / 32] = low;
  }
}
