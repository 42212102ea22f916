// expect: DEADLOCK
// Lanes that do not ring leave early, and the vote waits for them.
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;
  if (!rings) return;

  unsigned hands = __ballot_sync(FULL, rings);
  int base = 0;
  if (lane == 0) base = atomicAdd(found, __popc(hands));
  base = __shfl_sync(FULL, base, 0);

  int below = __popc(hands & ((1u << lane) - 1));
  if (rings) where[base + below] = i;
}
