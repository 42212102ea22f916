// expect: PASS
// Right: first everything moves up by one lane, then an inclusive scan of that is the exclusive
// one, and the own item comes on top.
#define FULL 0xffffffffu

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f;
  float mine = with;
  float without = __shfl_up_sync(FULL, mine, 1);
  if (lane == 0) without = 0.0f;

  for (int step = 1; step < 32; step *= 2) {
    float below = __shfl_up_sync(FULL, without, step);
    without += lane >= step ? below : 0.0f;
  }
  with = without + mine;

  if (i < n) {
    inclusive[i] = with;
    exclusive[i] = without;
  }
}
