// expect: RULE
// Thread 0 finds all totals of its block.

#define FULL 0xffffffffu // all 32 lanes, or as many as the warp has

__device__ int warp_scan(int x) { // inclusive: the sum of the lanes up to this one
  int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    int below = __shfl_up_sync(FULL, x, step);
    if (lane >= step) x += below;
  }
  return x;
}

__global__ void block_scan(const int *in, int *inclusive, int *exclusive, int *totals, int n) {
  if (threadIdx.x) return;
  int s = 0;
  for (int i = blockIdx.x * blockDim.x; i < min(n, (int)((blockIdx.x + 1) * blockDim.x)); i++) {
    exclusive[i] = s;
    s += in[i];
    inclusive[i] = s;
  }
  totals[blockIdx.x] = s;
}
