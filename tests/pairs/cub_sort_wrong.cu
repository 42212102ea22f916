// expect: RACE line 12
// run: --grid 1 --block 32 --arg buf:i32:128:rand --arg buf:f32:128:rand
// sorts twice in one storage; a block of one warp needs the barrier, too
#include <cub/cub.cuh>
__global__ void k(int *d, float *f) {
  using Sort = cub::BlockRadixSort<int, 32, 4>;
  using Pairs = cub::BlockRadixSort<float, 32, 4, int>;
  __shared__ union { Sort::TempStorage keys; Pairs::TempStorage pairs; } temp;
  int v[4];
  float g[4];
  cub::LoadDirectBlocked(threadIdx.x, d, v);
  Sort(temp.keys).Sort(v);
  cub::LoadDirectBlocked(threadIdx.x, f, g);
  Pairs(temp.pairs).SortDescending(g, v);
  cub::StoreDirectBlocked(threadIdx.x, d, v);
  cub::StoreDirectBlocked(threadIdx.x, f, g);
}
