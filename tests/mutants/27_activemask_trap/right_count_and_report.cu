// expect: PASS
// Right: the vote tells how many hits the warp has. Adding them up in groups of whoever is here is
// right in any order, since a group adds its own size: a report is good for that. (In some orders
// it takes more atomic operations, but not in the usual one.)

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  int together = 0;

  unsigned hits = __ballot_sync(FULL, hit);
  if (hit) {
    together = __popc(hits);
    unsigned here = __activemask();
    int leader = __ffs(here) - 1;
    if (lane == leader) atomicAdd(total, __popc(here));
  }

  if (i < n) crowd[i] = together;
}
