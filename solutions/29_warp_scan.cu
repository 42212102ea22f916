// 29_warp_scan - a reference answer.
//
// After the step s a lane has the sum of the 2 s items that end at it, or of all items from lane 0
// on if there are not so many. The lane s below has the sum that ends just before: the two
// stretches touch and do not overlap. No barrier is needed, as a shuffle hands over the value that
// the other lane brings to it, not what lies in some cell at that moment.
#define FULL 0xffffffffu

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f;

  for (int step = 1; step < 32; step *= 2) {
    // Every lane runs the shuffle, as the mask promises. Lanes below step have nobody that far
    // below them; they get their own value back and must not add it.
    float below = __shfl_up_sync(FULL, with, step);
    if (lane >= step) with += below;
  }

  // What comes before me is what the lane before me has in total. Taking my own item off my total
  // instead would lose the digits that a large item has pushed out of the float.
  float without = __shfl_up_sync(FULL, with, 1);
  if (lane == 0) without = 0.0f;

  if (i < n) {
    inclusive[i] = with;
    exclusive[i] = without;
  }
}
