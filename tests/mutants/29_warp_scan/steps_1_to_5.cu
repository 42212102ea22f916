// expect: WRONG
// The steps grow by one instead of doubling: after 1 and 2 a lane has three or four items twice or
// not at all.
#define FULL 0xffffffffu

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f;

  for (int step = 1; step <= 5; step++) {
    float below = __shfl_up_sync(FULL, with, step);
    if (lane >= step) with += below;
  }
  float without = __shfl_up_sync(FULL, with, 1);
  if (lane == 0) without = 0.0f;

  if (i < n) {
    inclusive[i] = with;
    exclusive[i] = without;
  }
}
