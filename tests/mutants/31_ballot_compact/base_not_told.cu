// expect: UNINIT|BOUNDS
// Only lane 0 knows where the share begins. In the other lanes base was never set, and it decides
// where they write. (What it holds is up to the compiler. If it leads out of the array, that is
// BOUNDS, and counts first.)
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  unsigned hands = __ballot_sync(FULL, rings);
  int base;
  if (lane == 0) base = atomicAdd(found, __popc(hands));

  int below = __popc(hands & ((1u << lane) - 1));
  if (rings) where[base + below] = i;
}
