// TIER advanced TOOLS nvrtc,clang
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
struct affine { int a, b; }; /* x -> a x + b; one after the other: not commutative */
struct then { __device__ affine operator()(affine f, affine g) const { return {f.a * g.a, f.b * g.a + g.b}; } };
struct running { int total; __device__ int operator()(int all) { int old = total; total += all; return old; } };
struct most { __device__ int operator()(int a, int b) const { return a > b ? a : b; } };
/* 80 threads: two warps and a half */
__global__ void reduce(const int *d, int *o) {
  using R = cub::BlockReduce<int, 20, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 4>;
  using A = cub::BlockReduce<affine, 20, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 4>;
  __shared__ union { R::TempStorage r; A::TempStorage a; } t;
  int i = threadIdx.x + threadIdx.y * blockDim.x, r[6];
  r[0] = R(t.r).Sum(d[i]);
  __syncthreads();
  r[1] = R(t.r).Reduce(d[i], most());
  __syncthreads();
  r[2] = R(t.r).Sum(d[i], 41);
  __syncthreads();
  int items[3] = {d[i], d[i] * 2, 7};
  r[3] = R(t.r).Sum(items);
  __syncthreads();
  affine f = A(t.a).Reduce({i % 3 - 1 ? 1 : -1, d[i]}, then());
  r[4] = f.a, r[5] = f.b;
  if (i == 0) for (int k = 0; k < 6; k++) o[k] = r[k];
}
__global__ void scan(const int *d, int *o) {
  using S = cub::BlockScan<int, 80>;
  using W = cub::BlockScan<affine, 80, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ union { S::TempStorage s; W::TempStorage w; } t;
  int i = threadIdx.x, v = d[i], r, all;
  S(t.s).InclusiveSum(v, r, all);
  __syncthreads();
  o[i] = r, o[80 + i] = all;
  S(t.s).ExclusiveScan(v, r, 5, most(), all);
  __syncthreads();
  o[160 + i] = r, o[240 + i] = all;
  running state = {100};
  for (int k = 0; k < 2; k++) {
    S(t.s).ExclusiveSum(v, r, state);
    __syncthreads();
  }
  o[320 + i] = r;
  int a[2] = {v, i}, b[2];
  S(t.s).ExclusiveSum(a, b);
  __syncthreads();
  o[400 + i] = b[0], o[480 + i] = b[1];
  S(t.s).InclusiveScan(a, a, most());
  __syncthreads();
  o[560 + i] = a[0] + 1000 * a[1];
  affine f;
  W(t.w).InclusiveScan({i % 3 - 1 ? 1 : -1, v}, f, then());
  o[640 + i] = f.b;
}
__global__ void warp(const int *d, int *o) {
  using R = cub::WarpReduce<int>;
  using H = cub::WarpReduce<int, 8>;
  using S = cub::WarpScan<int, 16>;
  __shared__ R::TempStorage r[2];
  __shared__ H::TempStorage h[8];
  __shared__ S::TempStorage s[4];
  int i = threadIdx.x, v = d[i], x, y, all;
  x = R(r[i / 32]).Sum(v), y = H(h[i / 8]).Reduce(v, most(), 5);
  o[i] = i % 32 ? 0 : x, o[64 + i] = i % 8 ? 0 : y;
  x = R(r[i / 32]).HeadSegmentedSum(v, i % 7 == 0), y = R(r[i / 32]).TailSegmentedSum(v, i % 7 == 6);
  o[128 + i] = i % 7 == 0 ? x : 0, o[192 + i] = i % 7 == 0 ? y : 0;
  S(s[i / 16]).InclusiveSum(v, x, all);
  o[256 + i] = x, o[320 + i] = all;
  S(s[i / 16]).ExclusiveScan(v, y, 3, most());
  o[384 + i] = y;
  S(s[i / 16]).ExclusiveSum(v, y);
  o[448 + i] = y + S(s[i / 16]).Broadcast(v, 3);
}
