// expect: DEADLOCK
// Why: the vote waits for the lanes without a hit. They are at the barrier of the block.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  int together = 0;

  if (hit) {
    unsigned hits = __ballot_sync(FULL, hit);
    together = __popc(hits);
    int leader = __ffs(hits) - 1;
    if (lane == leader) atomicAdd(total, together);
  }

  __syncthreads();
  if (i < n) crowd[i] = together;
}
