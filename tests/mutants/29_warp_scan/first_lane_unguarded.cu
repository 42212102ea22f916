// expect: WRONG
// Lane 0 has nobody below it and gets its own total back, where it should have 0.
#define FULL 0xffffffffu

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f;

  for (int step = 1; step < 32; step *= 2) {
    float below = __shfl_up_sync(FULL, with, step);
    if (lane >= step) with += below;
  }
  float without = __shfl_up_sync(FULL, with, 1);

  if (i < n) {
    inclusive[i] = with;
    exclusive[i] = without;
  }
}
