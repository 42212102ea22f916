// expect: PASS
// run: --grid 1 --block 64 --arg buf:i32:256:iota
// sums tile by tile, the running total in a callback, a barrier before the storage is used again
#include <cub/block/block_scan.cuh>
struct running { int total; __device__ int operator()(int all) { int old = total; total += all; return old; } };
__global__ void k(int *d) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ Scan::TempStorage temp;
  running state = {0};
  for (int i = threadIdx.x; i < 256; i += 64) {
    int v = d[i];
    Scan(temp).InclusiveSum(v, v, state);
    d[i] = v;
    __syncthreads();
  }
}
