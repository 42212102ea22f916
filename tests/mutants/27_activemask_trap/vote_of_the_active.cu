// expect: WRONG
// Why: the vote is in the right place, but it is held among those who happen to be here. Behind
// the branches of `i < n && ...` the lanes need not have come together again.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  int together = 0;

  unsigned hits = __ballot_sync(__activemask(), hit);
  if (hit) {
    together = __popc(hits);
    int leader = __ffs(hits) - 1;
    if (lane == leader) atomicAdd(total, together);
  }

  if (i < n) crowd[i] = together;
}
