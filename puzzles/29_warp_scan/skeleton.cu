// expect: WRONG
// 29_warp_scan - running totals within a warp, with and without the lane's own item.
//
// inclusive[i] is the sum of the warp's items from lane 0 up to lane i, in[i] included;
// exclusive[i] is the sum of those before lane i, so 0 in lane 0. Each warp starts afresh. Past
// the end of the data a lane has 0.
//
// Your task: compute both with shuffles, no shared memory; at most 6 shuffles for each warp.
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void running_totals(const float *in, float *inclusive, float *exclusive, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float with = i < n ? in[i] : 0.0f; // the total so far, this lane's item included
  float without = 0.0f;              // the same without this lane's item

  // TODO (about 6 lines): five steps for with, one more for without. You will need lane.

  if (i < n) {
    inclusive[i] = with;
    exclusive[i] = without;
  }
}
