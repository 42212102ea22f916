// expect: WRONG
// Right for integers. In a float the large item pushes the digits of the others out of the sum,
// and taking it off again does not bring them back.
#define FULL 0xffffffffu

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f;
  float mine = with;

  for (int step = 1; step < 32; step *= 2) {
    float below = __shfl_up_sync(FULL, with, step);
    if (lane >= step) with += below;
  }
  float without = with - mine;

  if (i < n) {
    inclusive[i] = with;
    exclusive[i] = without;
  }
}
