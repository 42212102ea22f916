// expect: DEADLOCK
// Lane 0 never runs the shuffle in the loop, although the mask names it: it is on to the last
// shuffle, where it waits for the others.
#define FULL 0xffffffffu

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f;

  for (int step = 1; step < 32; step *= 2) {
    if (lane >= step) with += __shfl_up_sync(FULL, with, step);
  }
  float without = __shfl_up_sync(FULL, with, 1);
  if (lane == 0) without = 0.0f;

  if (i < n) {
    inclusive[i] = with;
    exclusive[i] = without;
  }
}
