// expect: WRONG
// Why: the set of lanes is right, but lane 0 need not have a hit: where it has none, it never
// comes to the atomic operation, and the hits of its warp are lost.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  int together = 0;

  unsigned hits = __ballot_sync(FULL, hit);
  if (hit) {
    together = __popc(hits);
    int leader = 0;
    if (lane == leader) atomicAdd(total, together);
  }

  if (i < n) crowd[i] = together;
}
