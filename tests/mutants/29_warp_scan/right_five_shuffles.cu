// expect: PASS
// Right, without the sixth shuffle: both totals add what comes from below, and only one of them
// began with the lane's own item.
#define FULL 0xffffffffu

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f;
  float without = 0.0f;

  for (int step = 1; step < 32; step *= 2) {
    float below = __shfl_up_sync(FULL, with, step);
    if (lane >= step) {
      with += below;
      without += below;
    }
  }

  if (i < n) {
    inclusive[i] = with;
    exclusive[i] = without;
  }
}
