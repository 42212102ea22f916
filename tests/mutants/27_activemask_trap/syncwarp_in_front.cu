// expect: WRONG
// Why: all lanes meet, and part again at the `if`. How many of those with a hit look around
// together is as open as before.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  int together = 0;

  __syncwarp();
  if (hit) {
    unsigned hits = __activemask();
    together = __popc(hits);
    int leader = __ffs(hits) - 1;
    if (lane == leader) atomicAdd(total, together);
  }

  if (i < n) crowd[i] = together;
}
