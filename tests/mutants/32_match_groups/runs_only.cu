// expect: RULE
// Right values, but only neighbours with the same key get together: a key that comes again later
// in the warp is reported again.
#define FULL 0xffffffffu

__global__ void book(const int *key, const int *amount, int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int mine = -1;
  int value = 0;
  if (i < n) {
    mine = key[i];
    value = amount[i];
  }

  int before = __shfl_up_sync(FULL, mine, 1);
  bool first = lane == 0 || before != mine;
  unsigned starts = __ballot_sync(FULL, first);
  int sum = value;
  for (int step = 1; step < 32; step++) {
    int other = __shfl_down_sync(FULL, value, step);
    unsigned between = starts >> lane >> 1; // bit 0: does the next lane begin a new run?
    if (lane + step < 32 && (between & ((1u << step) - 1)) == 0) sum += other;
  }
  if (i < n && first) atomicAdd(&sums[mine], sum);
}
