// expect: RULE
// Right values, but the total travels one lane at a time: 31 steps where five do.
#define FULL 0xffffffffu

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f;
  float without = 0.0f;

  for (int step = 1; step < 32; step++) {
    float total = __shfl_up_sync(FULL, with, 1);
    if (lane == step) {
      without = total;
      with += total;
    }
  }

  if (i < n) {
    inclusive[i] = with;
    exclusive[i] = without;
  }
}
