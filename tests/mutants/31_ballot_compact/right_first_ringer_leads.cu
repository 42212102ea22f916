// expect: PASS
// Right: the vote comes before the branch, so that in it everybody knows who else is there. The
// first of those that ring leads, and a warp where nobody rings draws nothing.
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  unsigned hands = __ballot_sync(FULL, rings);

  if (rings) {
    int leader = __ffs(hands) - 1;
    int base = 0;
    if (lane == leader) base = atomicAdd(found, __popc(hands));
    base = __shfl_sync(hands, base, leader);
    where[base + __popc(hands & ((1u << lane) - 1))] = i;
  }
}
