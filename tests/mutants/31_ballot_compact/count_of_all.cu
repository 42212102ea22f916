// expect: BOUNDS
// All hands are counted, not those below: every lane of the warp gets the same place, which is
// beyond its share. (With one sensor only, n = 1, that is one past the end: BOUNDS comes before
// the RACE of larger cases.)
#define FULL 0xffffffffu

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  unsigned hands = __ballot_sync(FULL, rings);
  int base = 0;
  if (lane == 0) base = atomicAdd(found, __popc(hands));
  base = __shfl_sync(FULL, base, 0);

  if (rings) where[base + __popc(hands)] = i;
}
