// 22 - Shuffle up: reference answer
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void difference(const int *in, int *out, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int x = i < n ? in[i] : 0;
  int before = 0;

  // Every lane runs the shuffle, as the full mask promises: a low lane has nothing to get from it,
  // but others get its number. Using the result is each lane's own affair: below `offset` it is
  // the lane's own number, which came back.
  int got = __shfl_up_sync(FULL, x, offset);
  if (lane >= offset) before = got;

  // Lanes without an item only stand at the end of the last warp, and values only move up: nobody
  // with an item gets one of theirs.
  if (i < n) out[i] = x - before;
}
