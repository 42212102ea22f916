// expect: PASS
// Right: lane 0 may add for all if that happens outside of the branch: it knows the hits of the
// others from the vote.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  int together = 0;

  unsigned hits = __ballot_sync(FULL, hit);
  if (hit) { together = __popc(hits); }
  if (lane == 0 && hits != 0) atomicAdd(total, __popc(hits));

  if (i < n) crowd[i] = together;
}
