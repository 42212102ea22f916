// expect: RULE
// Why: right, but with one atomic operation for each hit.

#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  int together = 0;

  unsigned hits = __ballot_sync(FULL, hit);
  if (hit) {
    together = __popc(hits);
    atomicAdd(total, 1);
  }

  if (i < n) crowd[i] = together;
}
