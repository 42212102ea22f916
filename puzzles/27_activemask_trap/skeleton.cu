// expect: WRONG
//
// 27 - The activemask trap
//
// A number above `limit` is a hit. Each thread with a hit writes how many hits its warp has, all
// others write 0. Besides, all hits together are counted in *total, with one atomic operation for
// each warp and not for each hit: one lane of those with a hit adds for all of them.
//
// __popc(mask) is the number of set bits, __ffs(mask) - 1 the lowest lane that is set. The block
// has whole warps only. The kernel is right on many a GPU, and wrong all the same.
#define FULL 0xffffffffu // all 32 lanes take part

__global__ void count_hits(const int *in, int *crowd, int *total, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  bool hit = i < n && in[i] > limit;
  int together = 0;

  if (hit) {
    unsigned hits = __activemask(); // TODO (about 1 line): the lanes with a hit, all of them
    together = __popc(hits);
    int leader = __ffs(hits) - 1;
    if (lane == leader) atomicAdd(total, together);
  }

  if (i < n) crowd[i] = together;
}
