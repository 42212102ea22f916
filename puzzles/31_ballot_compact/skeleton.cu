// expect: WRONG
// 31_ballot_compact - the numbers of those that pass a test, packed together without holes.
//
// Sensor i rings if in[i] > 0. The kernel lists the numbers of the sensors that ring in where[0],
// where[1], ... and counts them in *found, which the check has set to 0. The numbers from one warp
// must be in ascending order; which warp comes first is left to chance.
//
// Below, each lane draws a place of its own. No place is drawn twice, but the lanes of a warp come
// in any order, and each sensor costs an atomic operation on the same counter.
//
// Your task: let the warp draw its places all at once, with at most one atomic operation, and
// share them out in order.
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void list_alarms(const int *in, int *where, int *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool rings = i < n && in[i] > 0;

  // TODO (about 6 lines): who rings, how many are below me, where does the warp's share begin?
  if (rings) {
    int place = atomicAdd(found, 1);
    where[place] = i;
  }
}
