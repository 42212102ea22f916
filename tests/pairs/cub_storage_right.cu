// expect: PASS
// run: --grid 1 --block 96 --arg buf:i32:96:iota
// a barrier between two collectives in one storage
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
__global__ void k(int *d) {
  using Reduce = cub::BlockReduce<int, 96>;
  using Scan = cub::BlockScan<int, 96>;
  __shared__ union {
    Reduce::TempStorage reduce;
    Scan::TempStorage scan;
  } temp;
  int v = d[threadIdx.x], before;
  __shared__ int sum;
  int all = Reduce(temp.reduce).Sum(v);
  __syncthreads();
  Scan(temp.scan).ExclusiveSum(v, before);
  if (threadIdx.x == 0) sum = all;
  __syncthreads();
  d[threadIdx.x] = before + sum;
}
