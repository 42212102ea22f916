// 27 - The activemask trap: reference answer
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  int together = 0;

  // In front of the branch, where all 32 lanes come by: the vote waits for each of them, and each
  // gets the same answer, in whatever order they arrive.
  unsigned hits = __ballot_sync(FULL, hit);

  // In here the lanes may run in any number of groups. They need nothing more from each other:
  // all of them have the same `hits`, so they agree on the count and on who adds it.
  if (hit) {
    together = __popc(hits);
    int leader = __ffs(hits) - 1;
    if (lane == leader) atomicAdd(total, together);
  }

  if (i < n) crowd[i] = together;
}
