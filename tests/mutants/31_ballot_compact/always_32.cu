// expect: WRONG
// The leader draws 32 places, whether so many lanes ring or not: the count is wrong, and the list
// has holes.
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  unsigned hands = __ballot_sync(FULL, rings);
  int base = 0;
  if (lane == 0) base = atomicAdd(found, 32);
  base = __shfl_sync(FULL, base, 0);

  int below = __popc(hands & ((1u << lane) - 1));
  if (rings) where[base + below] = i;
}
