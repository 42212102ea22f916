// expect: BOUNDS
// The mask of lanes has the lane's own bit, too, so the numbers begin at 1. Place 0 stays empty
// and the last number falls behind the end where everybody rings, as in the case n = 1.
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  unsigned hands = __ballot_sync(FULL, rings);
  int base = 0;
  if (lane == 0) base = atomicAdd(found, __popc(hands));
  base = __shfl_sync(FULL, base, 0);

  int below = __popc(hands & ((2u << lane) - 1));
  if (rings) where[base + below] = i;
}
