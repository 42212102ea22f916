// expect: PASS
// Right, though a tree would not allow it: the steps of a scan may come in any order. Each of the
// five steps doubles the set of items a lane has, by a copy of it shifted down; in the end all
// distances from 0 to 31 are there, each once. (The table of puzzles expects WRONG of another
// order of the steps; it is not.)
#define FULL 0xffffffffu

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f;

  for (int step = 16; step > 0; step /= 2) {
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
