// expect: WRONG
// The guard asks for the thread's number in the block. In the second warp it is never below 32, so
// all lanes add, also those that got their own value back.
#define FULL 0xffffffffu

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f;

  for (int step = 1; step < 32; step *= 2) {
    float below = __shfl_up_sync(FULL, with, step);
    if (threadIdx.x >= step) with += below;
  }
  float without = __shfl_up_sync(FULL, with, 1);
  if (lane == 0) without = 0.0f;

  if (i < n) {
    inclusive[i] = with;
    exclusive[i] = without;
  }
}
