// 31_ballot_compact - a reference answer.
//
// Everything that needs the others stands outside of the ifs: the vote, and the shuffle that tells
// where the warp's share begins. After that each lane knows its place without asking anybody.
//
// (1u << lane) - 1 has ones for the lanes below, not for the lane itself: the first who rings has
// number 0, and so on up in the order of the lanes.
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  unsigned hands = __ballot_sync(FULL, rings);

  // One lane draws for all. It adds even where nobody rings: 0 does no harm.
  int base = 0;
  if (lane == 0) base = atomicAdd(found, __popc(hands));
  base = __shfl_sync(FULL, base, 0);

  int below = __popc(hands & ((1u << lane) - 1));
  if (rings) where[base + below] = i;
}
